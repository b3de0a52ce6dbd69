import { parseArgs } from 'node:util';

import { isLoopback } from './contract.mts';

/** The environment variable with the token. */
export const TOKEN_VARIABLE = 'VOICE_AGENT_CALLING_TOKEN';

/** The options; `value` stands for a value in the help. */
const OPTIONS = {
	'base-url': { type: 'string', value: 'URL', help: 'The address of the service, without /api/v1' },
	write: { type: 'boolean', value: '', help: 'Creates objects of its own, changes only these, and deletes them' },
	receive: { type: 'string', value: 'URL', help: 'A public address that leads to this machine: takes deliveries' },
	'receive-port': { type: 'string', value: 'N', help: 'The port of 127.0.0.1 to which that address leads (4011)' },
	call: { type: 'string', value: 'NUMBER', help: 'Places a test call to this number, after asking' },
	activate: { type: 'boolean', value: '', help: 'Activates a campaign of its own, to queue the test call' },
	publish: { type: 'boolean', value: '', help: 'Tries to publish an agent of its own that is not ready' },
	record: { type: 'string', value: 'FOLDER', help: 'Keeps all exchanges there, without secrets, numbers and names' },
	out: { type: 'string', value: 'FOLDER', help: 'The folder for the report (first-contact)' },
	help: { type: 'boolean', short: 'h', value: '', help: 'This text' },
} as const;

/** A wrong command line; the message is for the user. */
export class WrongCommandLine extends Error {}

/** What the command line says. */
export interface GivenOptions {
	baseUrl: string;
	write: boolean;
	publish: boolean;
	activate: boolean;
	receive: string | undefined;
	receivePort: number;
	call: string | undefined;
	record: string | undefined;
	out: string;
}

/** @returns undefined if the help is wanted @throws WrongCommandLine, whose message quotes no value: it might be the token */
export function readOptions(args: string[]): GivenOptions | undefined {
	const given = parse(args);
	if (given.help) {
		return undefined;
	}
	const { call, receive, 'receive-port': port, record, out = 'first-contact' } = given;
	if (given['base-url'] === undefined) {
		throw new WrongCommandLine('--base-url is missing.');
	}
	if (call !== undefined && !/^\+[1-9]\d{6,14}$/.test(call)) {
		throw new WrongCommandLine('--call must be a number with + and its country code, without spaces.');
	}
	if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536)) {
		throw new WrongCommandLine('--receive-port must be a port from 1 to 65535.');
	}
	const { write = false, publish = false, activate = false } = given;
	if (!write && (publish || activate || receive !== undefined)) {
		throw new WrongCommandLine('--publish, --activate and --receive need --write.');
	}
	if (activate && call === undefined) {
		throw new WrongCommandLine('--activate needs --call: the campaign gets the test call.');
	}
	const receiver = receive === undefined ? undefined : address('--receive', receive);
	return {
		baseUrl: address('--base-url', given['base-url']).replace(/\/api\/v1$/, ''),
		write,
		publish,
		activate,
		receive: receiver,
		receivePort: Number(port ?? (receiver && isLoopback(receiver) && new URL(receiver).port) ?? 0) || 4011,
		call,
		record,
		out,
	};
}

/** An address without a slash at its end. */
function address(option: string, given: string): string {
	if (!URL.canParse(given)) {
		throw new WrongCommandLine(`${option} must be an address such as https://example.com.`);
	}
	const url = new URL(given);
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(given))) {
		throw new WrongCommandLine(`${option} must begin with https://, or with http:// for this machine.`);
	}
	if (url.username || url.password || url.search || url.hash) {
		throw new WrongCommandLine(`${option} may have no user, password, query or fragment.`);
	}
	return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** The text of `--help`. */
export function contractHelp(): string {
	const rows = Object.entries(OPTIONS).map(([name, { value, help }]) => [`--${name} ${value}`.trim(), help] as const);
	const width = Math.max(...rows.map(([option]) => option.length));
	return `Tells which assumptions about the Voice Agent Calling Service are true.

Usage: voice-agent-calling-sandbox contract --base-url URL [options]

${rows.map(([option, help]) => `  ${option.padEnd(width)}  ${help}`).join('\n')}

The token comes from the environment variable ${TOKEN_VARIABLE}, or is asked for. It only reads, unless you give
--write or --call. Ctrl-C ends it and deletes what it has created.
`;
}

function parse(args: string[]) {
	try {
		return parseArgs({ args, options: OPTIONS }).values;
	} catch (error) {
		const { code } = error as { code?: string };
		const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? 'an option that does not exist' : 'what is no option';
		throw new WrongCommandLine(
			code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE'
				? 'An option has no value, or has one that it does not take. --help lists the options.'
				: `There is ${unknown}. The token is never an option. --help lists the options.`,
		);
	}
}

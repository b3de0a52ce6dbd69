import { parseArgs } from 'node:util';

/** The environment variable with the token. */
export const TOKEN_VARIABLE = 'VOICE_AGENT_CALLING_TOKEN';

/** The options. `value` is the placeholder of a value in the help. */
const OPTIONS = {
	'base-url': { type: 'string', value: 'URL', help: 'The address of the service, without /api/v1' },
	write: { type: 'boolean', value: '', help: 'Creates objects of its own, changes only these, and deletes them' },
	receive: { type: 'string', value: 'URL', help: 'A public address that leads to this machine: receives deliveries' },
	'receive-port': { type: 'string', value: 'N', help: 'The port of 127.0.0.1 to which that address leads (4011)' },
	call: { type: 'string', value: 'NUMBER', help: 'Places a test call to this number, after asking' },
	out: { type: 'string', value: 'FOLDER', help: 'The folder for the report (first-contact)' },
	help: { type: 'boolean', short: 'h', value: '', help: 'This text' },
} as const;

/** The command line is invalid. The message is for the user. */
export class WrongCommandLine extends Error {}

/** The options of a command line. Addresses do not end with a slash. */
export type GivenOptions = NonNullable<ReturnType<typeof readOptions>>;

/** Whether an address is on this machine. */
export const isLoopback = (url: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);

/** @returns undefined for `--help` @throws WrongCommandLine, without quoting a value: it might be the token */
export function readOptions(args: string[]) {
	const given = parse(args);
	if (given.help) {
		return undefined;
	}
	const { call, 'receive-port': port = '', write = false, out = 'first-contact' } = given;
	refuseIf(given['base-url'] === undefined, '--base-url is missing.');
	const baseUrl = address('--base-url', given['base-url'] ?? '').replace(/\/api\/v1$/, '');
	const receive = given.receive === undefined ? undefined : address('--receive', given.receive);
	const isNumber = call === undefined || /^\+[1-9]\d{6,14}$/.test(call);
	refuseIf(!isNumber, '--call must be a number with + and its country code, without spaces.');
	const isPort = /^\d{0,5}$/.test(port) && port !== '0' && Number(port) < 65_536;
	refuseIf(!isPort, '--receive-port must be a port from 1 to 65535.');
	refuseIf(!write && receive !== undefined, '--receive needs --write.');
	const receivePort = Number(port || (receive && isLoopback(receive) && new URL(receive).port)) || 4011;
	return { baseUrl, write, receive, receivePort, call, out };
}

function refuseIf(isWrong: boolean, message: string): void {
	if (isWrong) {
		throw new WrongCommandLine(message);
	}
}

/** Checks an address, and removes a slash at its end. */
function address(option: string, given: string): string {
	refuseIf(!URL.canParse(given), `${option} must be an address such as https://example.com.`);
	const { protocol, username, password, search, hash, origin, pathname } = new URL(given);
	const isAllowed = protocol === 'https:' || (protocol === 'http:' && isLoopback(given));
	refuseIf(!isAllowed, `${option} must begin with https://, or with http:// for this machine.`);
	const isPlain = [username, password, search, hash].every((part) => part === '');
	refuseIf(!isPlain, `${option} may have no user, password, query or fragment.`);
	return `${origin}${pathname}`.replace(/\/+$/, '');
}

function parse(args: string[]) {
	try {
		return parseArgs({ args, options: OPTIONS }).values;
	} catch {
		throw new WrongCommandLine('An option is invalid. The token is never an option. --help lists the options.');
	}
}

/** The text of `--help`. */
export function contractHelp(): string {
	const rows = Object.entries(OPTIONS).map(([name, { value, help }]) => [`--${name} ${value}`.trim(), help] as const);
	const width = Math.max(...rows.map(([option]) => option.length));
	return `Reports which assumptions about the Voice Agent Calling Service are true.

Usage: voice-agent-calling-sandbox contract --base-url URL [options]

${rows.map(([option, help]) => `  ${option.padEnd(width)}  ${help}`).join('\n')}

The token comes from the environment variable ${TOKEN_VARIABLE}, or is asked for. It only reads, unless you give
--write or --call. Ctrl-C ends it and deletes the objects that it has created.
`;
}

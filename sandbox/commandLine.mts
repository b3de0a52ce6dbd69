import { parseArgs } from 'node:util';

import { FRAMING_HEADERS } from './engine/deliveries/headers.mts';
import { DEFAULT_OPTIONS, type SandboxOptions, SIGNATURE_FORMATS } from './options.mts';
import { END_OF_TIME } from './time/time.mts';
import { UnknownVariant, variants, variantsNamed } from './variants/index.mts';

/** The options. `value` is the placeholder of a value in the help. `help` ends with the default in brackets. */
const OPTIONS = {
	port: { type: 'string', value: 'N', help: 'Port on 127.0.0.1; 0 for any free one (4010)' },
	token: { type: 'string', value: 'TEXT', help: 'The environment token (TOKEN)' },
	speed: {
		type: 'string',
		value: 'N',
		help: 'Sandbox seconds per real second, at most 1000000; 0: the clock stands still (1)',
	},
	'rate-limit': { type: 'string', value: 'N', help: 'Requests per window (1000)' },
	'rate-window': { type: 'string', value: 'SECONDS', help: 'Length of a window in real seconds (60)' },
	'sliding-rate-window': { type: 'boolean', value: '', help: 'Each request counts for the length of a window' },
	'signature-header': { type: 'string', value: 'NAME', help: 'Header with the signature (X-Webhook-Signature)' },
	'signature-format': { type: 'string', value: 'FORMAT', help: `${SIGNATURE_FORMATS.join(' | ')} (hex)` },
	variant: {
		type: 'string',
		value: 'NAMES',
		help: 'Changes decisions about open questions; names separated by commas (none)',
	},
	'list-variants': { type: 'boolean', value: '', help: 'The names for --variant' },
	credits: { type: 'string', value: 'N', help: 'Calls that the account can pay for (unlimited)' },
	'max-campaigns': { type: 'string', value: 'N', help: 'Campaigns that the plan allows (unlimited)' },
	'calls-per-hour': { type: 'string', value: 'N', help: 'Calls of each campaign per hour (all that are due at once)' },
	'no-custom-sip-trunks': { type: 'boolean', value: '', help: 'A plan without custom SIP trunks' },
	seed: { type: 'string', value: 'N', help: 'New IDs are the same in each run with the same requests (random)' },
	'start-time': {
		type: 'string',
		value: 'TIME',
		help: 'The time of the clock at the start, such as 2030-01-07T09:00:00Z (now)',
	},
	state: { type: 'string', value: 'FILE', help: 'Keeps the data for the next start (in memory only)' },
	help: { type: 'boolean', short: 'h', value: '', help: 'This text' },
	version: { type: 'boolean', value: '', help: 'The version' },
} as const;

/** Headers that a signature must not replace: without them the receiver could not read the body. */
const TAKEN_HEADERS = [...FRAMING_HEADERS, 'content-type', 'host'];

/** The command line is invalid. The message is one line for the user. */
export class UsageError extends Error {}

/**
 * Reads the options of the command line. A missing option keeps its default.
 * @throws UsageError for an unknown option or an invalid value
 */
export function readCommandLine(args: string[]): SandboxOptions {
	const given = parse(args);
	const text = (name: keyof typeof given, otherwise: string, form: RegExp, wanted: string): string => {
		const value = given[name];
		if (value === undefined) {
			return otherwise;
		}
		if (typeof value !== 'string' || !form.test(value)) {
			throw new UsageError(`--${name} must be ${wanted}.`);
		}
		return value;
	};
	const number = (name: keyof typeof given, otherwise: number, form: RegExp, wanted: string, max = Infinity) => {
		const value = Number(text(name, String(otherwise), form, wanted));
		if (value > max) {
			throw new UsageError(`--${name} must be ${wanted}.`);
		}
		return value;
	};
	const format = given['signature-format'] ?? DEFAULT_OPTIONS.signatureFormat;
	const signatureFormat = SIGNATURE_FORMATS.find((known) => known === format);
	if (!signatureFormat) {
		throw new UsageError(`--signature-format must be one of ${SIGNATURE_FORMATS.join(' | ')}.`);
	}

	const signatureHeader = text(
		'signature-header',
		DEFAULT_OPTIONS.signatureHeader,
		/^[!#$%&'*+.^_`|~\w-]+$/,
		'the name of a header',
	);
	if (TAKEN_HEADERS.includes(signatureHeader.toLowerCase())) {
		throw new UsageError(`--signature-header cannot be ${signatureHeader}, which receivers need to read a delivery.`);
	}

	const startTime = given['start-time'] === undefined ? DEFAULT_OPTIONS.startTime : readMoment(given['start-time']);
	const positive = /^(?!0+(\.0+)?$)\d+(\.\d+)?$/;
	const whole = /^\d+$/;
	const wholePositive = /^0*[1-9]\d*$/;
	return {
		...DEFAULT_OPTIONS,
		port: number('port', DEFAULT_OPTIONS.port, whole, 'a port from 0 to 65535', 65_535),
		token: text('token', DEFAULT_OPTIONS.token, /^[\x21-\x7e]+$/, 'a text without spaces'),
		speed: number('speed', DEFAULT_OPTIONS.speed, /^\d+(\.\d+)?$/, 'a number from 0 to 1000000', 1_000_000),
		rateLimit: number('rate-limit', DEFAULT_OPTIONS.rateLimit, wholePositive, 'a whole number above 0'),
		rateWindow: number('rate-window', DEFAULT_OPTIONS.rateWindow, positive, 'a number of seconds above 0'),
		rateWindows: given['sliding-rate-window'] ? 'sliding' : DEFAULT_OPTIONS.rateWindows,
		signatureHeader,
		signatureFormat,
		variants: readVariants(given.variant),
		credits: number('credits', DEFAULT_OPTIONS.credits, /^(\d+|Infinity)$/, 'a whole number from 0'),
		maxCampaigns: number('max-campaigns', DEFAULT_OPTIONS.maxCampaigns, /^(\d+|Infinity)$/, 'a whole number from 0'),
		callsPerHour: number(
			'calls-per-hour',
			DEFAULT_OPTIONS.callsPerHour,
			/^(0*[1-9]\d*|Infinity)$/,
			'a whole number above 0',
		),
		customSipTrunks: !given['no-custom-sip-trunks'],
		seed: given.seed === undefined ? null : number('seed', 0, whole, 'a whole number from 0', Number.MAX_SAFE_INTEGER),
		startTime,
		stateFile: given.state === undefined ? null : text('state', '', /^[^\0]+$/, 'the name of a file'),
	};
}

/** Reads names that are separated by commas. */
function readVariants(given = ''): string[] {
	const names = given.split(',').filter((name) => name !== '');
	try {
		variantsNamed(names);
	} catch (error) {
		throw error instanceof UnknownVariant ? new UsageError(`${error.message} --list-variants lists them.`) : error;
	}
	return names;
}

function readMoment(given: string): number {
	const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(given)
		? Date.parse(given)
		: NaN;
	// Date.parse reads February 31 as a day in March.
	const day = given.slice(0, 10);
	const isDay = !Number.isNaN(time) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
	if (!isDay || time < 0 || time >= END_OF_TIME) {
		throw new UsageError('--start-time must be a moment such as 2030-01-07T09:00:00Z.');
	}
	return time;
}

/** Returns the text that the user requests instead of a start. */
export function wantedText(args: string[]): 'help' | 'version' | 'variants' | undefined {
	const given = parse(args);
	if (given['list-variants']) {
		return 'variants';
	}
	return given.help ? 'help' : given.version ? 'version' : undefined;
}

export function variantsText(): string {
	const width = Math.max(...variants.map(({ name }) => name.length));
	return variants.map(({ name, does }) => `${name.padEnd(width)}  ${does}\n`).join('');
}

export function helpText(): string {
	const rows = Object.entries(OPTIONS).map(
		([name, { value, help }]) => [[`--${name}`, value].join(' '), help] as const,
	);
	const width = Math.max(...rows.map(([option]) => option.length));
	return `Starts a sandbox of the Voice Agent Calling Service on this machine.

Usage: voice-agent-calling-sandbox [options]

${rows.map(([option, help]) => `  ${option.padEnd(width)}  ${help}`).join('\n')}

It prints one line of JSON: its address, the token, and the IDs of the first objects. Open the address in a browser
for the console, and /docs for the API reference. Ctrl-C ends it.
`;
}

function parse(args: string[]) {
	try {
		return parseArgs({ args, options: OPTIONS }).values;
	} catch (error) {
		const [line = ''] = (error as Error).message.split('\n', 1);
		throw new UsageError(`${line.replace(/\.?$/, '.')} --help lists the options.`);
	}
}

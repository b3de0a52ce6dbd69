import { parseArgs } from 'node:util';

import { DEFAULT_OPTIONS, type SandboxOptions, SIGNATURE_FORMATS } from './options.mts';

/** A wrong command line; the message is one line for the user. */
export class UsageError extends Error {}

/**
 * Reads the options of the command line; an option that is not given keeps its default.
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

	const positive = /^(?!0+(\.0+)?$)\d+(\.\d+)?$/;
	const whole = /^\d+$/;
	const wholePositive = /^0*[1-9]\d*$/;
	return {
		...DEFAULT_OPTIONS,
		port: number('port', DEFAULT_OPTIONS.port, whole, 'a port from 0 to 65535', 65_535),
		token: text('token', DEFAULT_OPTIONS.token, /^[\x21-\x7e]+$/, 'a text without spaces'),
		speed: number('speed', DEFAULT_OPTIONS.speed, positive, 'a number above 0, 1000000 at most', 1_000_000),
		rateLimit: number('rate-limit', DEFAULT_OPTIONS.rateLimit, wholePositive, 'a whole number above 0'),
		rateWindow: number('rate-window', DEFAULT_OPTIONS.rateWindow, positive, 'a number of seconds above 0'),
		signatureHeader: text(
			'signature-header',
			DEFAULT_OPTIONS.signatureHeader,
			/^[!#$%&'*+.^_`|~\w-]+$/,
			'the name of a header',
		),
		signatureFormat,
		credits: number('credits', DEFAULT_OPTIONS.credits, /^(\d+|Infinity)$/, 'a whole number from 0'),
		maxCampaigns: number('max-campaigns', DEFAULT_OPTIONS.maxCampaigns, /^(\d+|Infinity)$/, 'a whole number from 0'),
		callsPerHour: number(
			'calls-per-hour',
			DEFAULT_OPTIONS.callsPerHour,
			/^(0*[1-9]\d*|Infinity)$/,
			'a whole number above 0',
		),
		customSipTrunks: !given['no-custom-sip-trunks'],
	};
}

function parse(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				port: { type: 'string' },
				token: { type: 'string' },
				speed: { type: 'string' },
				'rate-limit': { type: 'string' },
				'rate-window': { type: 'string' },
				'signature-header': { type: 'string' },
				'signature-format': { type: 'string' },
				credits: { type: 'string' },
				'max-campaigns': { type: 'string' },
				'calls-per-hour': { type: 'string' },
				'no-custom-sip-trunks': { type: 'boolean' },
			},
		}).values;
	} catch (error) {
		throw new UsageError((error as Error).message.split('\n', 1)[0]);
	}
}

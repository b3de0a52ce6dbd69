import { phoneOf } from './phoneOf';
import type * as Reader from './reader';

let loaded: typeof Reader | undefined;

/**
 * Loads the numbering plans of all countries. Call it before any other function of this file. They are not imported at
 * load time because n8n does not need them to describe the node.
 */
export async function loadCountries(): Promise<void> {
	loaded = await import('./reader.js');
}

function reader(): typeof Reader {
	if (loaded === undefined) {
		throw new Error('The countries are not loaded yet');
	}
	return loaded;
}

/** A phone number as it was entered, and the result of parsing it. */
export interface ParsedNumber {
	given: unknown;
	/** In E.164; undefined if it is not a valid phone number. */
	number: string | undefined;
	/** How to correct it, without a period; empty if it is valid. */
	advice: string;
	/** Whether it can be read only with a country. */
	lacksCountry: boolean;
	/** All possible numbers in E.164, even if none of them may be called. */
	readings: string[];
}

/**
 * Converts a phone number to E.164, for example `+49 (0)30 1234-567` to `+49301234567`. A leading `00` means `+`. The
 * check covers whether its country can have such a number, not whether the number is in service.
 *
 * @param given a string, or the number to which a spreadsheet converted it
 * @param country the country of numbers without + and country code, as {@link countryOf} returns it
 */
export function parsePhoneNumber(given: unknown, country?: string): ParsedNumber {
	const { number, advice = '', lacksCountry = false, numbers } = reader().read(given, country);
	return { given, number, advice, lacksCountry, readings: numbers };
}

/** Returns the phone number in E.164; undefined if it is invalid. See {@link parsePhoneNumber}. */
export function toE164(value: unknown, country?: string): string | undefined {
	return reader().read(value, country).number;
}

/** Parses the beginning of numbers with + and a calling code, such as `+44 20`; undefined for other texts. */
export function prefixOf(text: string): string | undefined {
	return reader().readPrefix(text);
}

/** Converts the digits and signs of any script to ASCII. */
export function plainSigns(text: string): string {
	return reader().signsOf(text);
}

/**
 * Whether the service named another phone than the intended one.
 *
 * @param named the number that the service named; texts without + and numbers with hidden digits prove nothing
 */
export function isAnotherPhone(named: unknown, asked: string): boolean {
	if (named === asked || !/^\+(?!.*[.-]{2})/.test(String(named))) {
		return false;
	}
	const [other, own] = [toE164(named), toE164(asked)];
	return other !== undefined && own !== undefined && phoneOf(other) !== phoneOf(own);
}

/**
 * Parses the country of numbers without +: its two-letter code (ISO 3166), English name or calling code.
 *
 * @param value a text, or a number from an expression
 * @returns a code for {@link parsePhoneNumber}; if the country is not clear, `mistake` has advice without a period
 */
export function countryOf(value: unknown): { code: string; mistake?: string } {
	return reader().readCountry(String(value ?? ''));
}

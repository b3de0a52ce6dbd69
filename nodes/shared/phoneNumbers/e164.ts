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

/** A phone number as it was entered, and what it was parsed to. */
export interface ParsedNumber {
	given: unknown;
	/** In E.164; undefined if it is not a valid phone number. */
	number: string | undefined;
	/** How to correct it, without a period; empty if it is valid. */
	advice: string;
	/** Whether it can be read with a country only. */
	lacksCountry: boolean;
	/** All numbers in E.164 that it can be, also if none of them may be called. */
	readings: string[];
}

/**
 * Converts a phone number to E.164, for example `+49 (0)30 1234-567` to `+49301234567`. A leading `00` means `+`.
 * It is checked whether its country can have such a number, not whether the number is in service.
 *
 * @param given a string, or the number that a spreadsheet made of it
 * @param country the country of numbers without + and country code, as {@link countryOf} returns it
 */
export function parsePhoneNumber(given: unknown, country?: string): ParsedNumber {
	const { number, advice = '', lacksCountry = false, numbers } = reader().read(given, country);
	return { given, number, advice, lacksCountry, readings: numbers };
}

/** The phone number in E.164; undefined if it is not valid. See {@link parsePhoneNumber}. */
export function toE164(value: unknown, country?: string): string | undefined {
	return reader().read(value, country).number;
}

/** The beginning of numbers with + and a calling code, such as `+44 20`; undefined if a text is none. */
export function prefixOf(text: string): string | undefined {
	return reader().readPrefix(text);
}

/** A text with its digits and signs as those of ASCII, whatever script they are written in. */
export function plainSigns(text: string): string {
	return reader().signsOf(text);
}

/**
 * Whether the service names the phone of somebody else than who was to be called.
 *
 * @param named by the service; what is no number with +, or one with hidden digits, says nothing
 */
export function isAnotherPhone(named: unknown, asked: string): boolean {
	if (named === asked || !/^\+(?!.*[.-]{2})/.test(String(named))) {
		return false;
	}
	const [other, own] = [toE164(named), toE164(asked)];
	return other !== undefined && own !== undefined && phoneOf(other) !== phoneOf(own);
}

/**
 * Parses a two-letter country code (ISO 3166).
 *
 * @returns the code in upper case; if there is no such country, `mistake` tells the user what to write instead
 */
export function countryOf(value: unknown): { code: string; mistake?: string } {
	const code = String(value).trim().toUpperCase();
	return { code, mistake: reader().mistakeInCountry(code) };
}

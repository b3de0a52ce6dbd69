import { fits, hasForm, isCountry, type Plan, planOf, plansOf, splitCallingCode, withoutTrunk } from './plans';

/** Local numbers (without area code) have fewer digits than this in every country. */
const NEVER_LOCAL = 10;

/** Codes that people often use by mistake, and the right ones. */
const COMMON_MISTAKES: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' };

const IN_FULL = 'write it with + and the country code, for example +4915112345678';

/** @returns advice on a code that is not the code of a country with phone numbers, otherwise undefined */
export function mistakeInCountry(code: string): string | undefined {
	if (isCountry(code)) {
		return undefined;
	}
	const meant = COMMON_MISTAKES[code];
	return meant === undefined
		? 'Enter the two-letter code of a country (ISO 3166), such as DE for Germany or GB for the United Kingdom'
		: `Enter ${meant}, the code of that country`;
}

/**
 * Parses a number that was written in a country's own way, without + and calling code.
 *
 * It never guesses: an ambiguous number, or one that may be a local number without area code, is an error. A wrong
 * guess would call a stranger.
 *
 * @param digits the number without whitespace and punctuation
 * @param country a valid code, see {@link mistakeInCountry}
 * @returns the number with +, or advice on how to correct it
 */
export function readNational(digits: string, country: string): { number?: string; advice?: string } {
	const plan = planOf(country);
	const abroad = startOf(digits, plan.abroad);
	// Read 00 the same way as without a country.
	if (abroad === '00') {
		return { number: `+${digits.slice(2)}` };
	}

	const prefixes = [abroad, startOf(digits, /^00/)].filter((prefix) => prefix !== undefined);
	const foreign = prefixes.map((prefix) => digits.slice(prefix.length)).filter((number) => isKind(number, hasForm));
	const domestic = domesticReadings(digits, plan);
	const [number, alternative] = new Set([...foreign, ...domestic]);
	if (alternative !== undefined) {
		return { advice: `It can be +${number} or +${alternative}: ${IN_FULL}` };
	}
	// What starts like a number of another country is not a number of this one.
	const isDomestic = number !== undefined && !foreign.includes(number);
	if (number === undefined || !isKind(number, fits) || (isDomestic && prefixes.length > 0)) {
		return { advice: `It is not a phone number of ${country}: correct it, or ${IN_FULL}` };
	}
	if (isDomestic && mayBeLocal(digits, plan)) {
		return {
			advice: `It may be a local number: enter it as dialed from elsewhere in ${country}, or ${IN_FULL}`,
		};
	}
	return { number: `+${number}` };
}

/**
 * Returns the numbers of the country itself, with its calling code, that the digits can stand for. They can be of any
 * kind and length: a number that is no landline or mobile still makes another reading ambiguous.
 */
function domesticReadings(digits: string, plan: Plan): string[] {
	const { callingCode } = plan;
	const national = [digits, withoutTrunk(digits, plan)].filter((number) => hasForm(number, plan));
	const lacksPlus = digits.startsWith(callingCode) && hasForm(digits.slice(callingCode.length), plan);
	const lacksZero = national.length > 0 && mayLackZero(digits, plan);
	return [
		...national.map((number) => callingCode + number),
		...(lacksPlus ? [digits] : []),
		...(lacksZero ? [`${callingCode}0${digits}`] : []),
	];
}

/**
 * Whether a spreadsheet may have taken the first 0, where it is a part of the number: an Italian landline then looks like
 * a mobile with few digits. Longer numbers are mobiles.
 */
function mayLackZero(digits: string, plan: Plan): boolean {
	return plan.trunk === undefined && digits.length < NEVER_LOCAL && fits(`0${digits}`, plan);
}

/** Whether a number has no trunk prefix and is so short that it may be a local number, without area code. */
function mayBeLocal(digits: string, plan: Plan): boolean {
	if (plan.trunk === undefined || withoutTrunk(digits, plan) !== digits) {
		return false;
	}
	// A local number is the end of a longer one.
	return digits.length < Math.max(...plan.lengths.filter((length) => length <= NEVER_LOCAL));
}

/** Whether a number with calling code agrees with a plan of the calling code. @param agrees what has to be true */
function isKind(number: string, agrees: typeof fits): boolean {
	const { callingCode, national } = splitCallingCode(number) ?? {};
	return callingCode !== undefined && plansOf(callingCode).some((plan) => agrees(national ?? '', plan));
}

function startOf(digits: string, prefix: RegExp): string | undefined {
	const start = prefix.exec(digits)?.[0];
	// No calling code starts with 0.
	return start === undefined || digits[start.length] === '0' ? undefined : start;
}

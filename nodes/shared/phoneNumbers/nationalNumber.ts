import { nationalNumbers } from './internationalNumber';
import { fits, hasForm, isCountry, isExact, type Plan, planOf, plansOf, splitCallingCode, withoutTrunk } from './plans';

/** Local numbers (without area code) have fewer digits than this in every country. */
const NEVER_LOCAL = 10;

/** Codes that people often use by mistake, and the right ones. */
const COMMON_MISTAKES: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' };

/** What is dialed before numbers of another town in most countries. */
const TRUNK_PREFIXES = ['0', '1', '06', '8'];

const WRITE_IN_FULL = 'write it with + and the country code, for example +4915112345678';

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

/** What digits without + can stand for. */
export interface Readings {
	/** All numbers with + that they can be. Empty where these are not known, as for a number inside one town. */
	numbers: string[];
	/** The number with + that may be called: a wrong guess would call a stranger. */
	number?: string;
	/** Why no number may be called, and what to do. */
	advice?: string;
}

/**
 * Finds the numbers that digits without + can stand for: one as it is dialed in a country, and one of any country that
 * has lost its +, as a spreadsheet does it. Only digits with a single meaning may be called.
 *
 * @param digits the number without whitespace and punctuation
 * @param country a valid code, see {@link mistakeInCountry}
 */
export function readingsOf(digits: string, country: string): Readings {
	const plan = planOf(country);
	// Read 00 the same way as without a country.
	if (startOf(digits, plan.abroad) === '00') {
		const number = `+${digits.slice(2)}`;
		return { numbers: [number], number };
	}

	const meanings = meaningsOf(digits, plan);
	const { foreign, domestic, lostPlus } = meanings;
	const likely = likelyOf(meanings);
	const [number] = likely;
	const isLocal = domestic.length > 0 && mayBeLocal(digits, plan);
	const dialed = [...foreign, ...domestic].filter((each) => isDialed(each, meanings));
	const numbers = isLocal ? [] : withPlus([...dialed, ...lostPlus]);

	if (likely.length > 1) {
		return { numbers, advice: explainAmbiguity(digits, country, meanings) };
	}
	if (!dialed.includes(number)) {
		const what = `It is not a phone number of ${country}`;
		const isForeign = domestic.length === 0 && lostPlus.includes(number);
		return {
			numbers,
			advice: isForeign ? `${what}: if it is +${number}, add the +` : `${what}: correct it, or ${WRITE_IN_FULL}`,
		};
	}
	if (isLocal) {
		const advice = `It may be a local number: enter it as dialed from elsewhere in ${country}, or ${WRITE_IN_FULL}`;
		return { numbers, advice };
	}
	return { numbers, number: `+${number}` };
}

/** The numbers that digits can stand for, without +. */
interface Meanings {
	/** What the digits begin with as if a number of another country followed. */
	prefixes: string[];
	/** Dialed from the country. */
	foreign: string[];
	/** Dialed within the country, see {@link domesticReadings}. */
	domestic: string[];
	/** What lacks nothing but the +. */
	lostPlus: string[];
}

function meaningsOf(digits: string, plan: Plan): Meanings {
	const prefixes = [plan.abroad, /^00/]
		.map((prefix) => startOf(digits, prefix))
		.filter((prefix) => prefix !== undefined);
	return {
		prefixes,
		foreign: prefixes.map((prefix) => digits.slice(prefix.length)).filter((number) => isKind(number, hasForm)),
		domestic: domesticReadings(digits, plan),
		lostPlus: international(digits),
	};
}

/** The meanings that count. The loose patterns of some countries match most national numbers of others. */
function likelyOf({ foreign, domestic, lostPlus }: Meanings): string[] {
	return [...new Set([...foreign, ...domestic, ...lostPlus.filter(isExactNumber)])];
}

/** The international numbers that digits are with a + before them. A trunk prefix is dropped, as in 44 (0)20 79460958. */
function international(digits: string): string[] {
	const { callingCode, national } = splitCallingCode(digits) ?? {};
	if (callingCode === undefined || national === undefined) {
		return [];
	}
	return nationalNumbers(callingCode, national).map((rest) => callingCode + rest);
}

/** Whether this is a landline or mobile as people dial it in the country. */
function isDialed(number: string, { prefixes, foreign, domestic }: Meanings): boolean {
	// What starts like a number of another country is not a number of this one.
	const dialed = prefixes.length > 0 ? foreign : [...foreign, ...domestic];
	return dialed.includes(number) && isKind(number, fits);
}

function isExactNumber(number: string): boolean {
	const { callingCode, national } = splitCallingCode(number) ?? {};
	return callingCode !== undefined && isExact(callingCode, national ?? '');
}

/** The advice on digits that can be several numbers. It names a way to write the domestic one without +, if there is one. */
function explainAmbiguity(digits: string, country: string, meanings: Meanings): string {
	const plan = planOf(country);
	const unambiguous = TRUNK_PREFIXES.map((prefix) => prefix + digits).find((text) => {
		const others = meaningsOf(text, plan);
		const [number, another] = likelyOf(others);
		return another === undefined && meanings.domestic.includes(number) && isDialed(number, others);
	});
	const hint = unambiguous === undefined ? '' : `, or as ${unambiguous} if it is a number of ${country}`;
	return `It can be ${withPlus(likelyOf(meanings)).join(' or ')}: write it with +${hint}`;
}

const withPlus = (numbers: readonly string[]) => [...new Set(numbers)].map((number) => `+${number}`);

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

import { exactForms, numberingPlans, worldwidePlans } from './numberingPlans';

/** The numbering plan of a country, or of a calling code that belongs to no country. */
export interface Plan {
	callingCode: string;
	/** International prefix: dialed before the calling code of another country, mostly 00. */
	abroad: RegExp;
	/** Trunk prefix: dialed only within the country, mostly 0. */
	trunk: RegExp | undefined;
	/** Replaces the trunk prefix in a few countries; refers to the groups of its expression. */
	replacement: string;
	/** Numbers of digits after the calling code, for landlines and mobiles. */
	lengths: number[];
	/** Matches what follows the calling code, for numbers of all kinds. */
	form: RegExp;
}

const linesOf = (table: string) => table.trim().split('\n');

/** The rows of the countries. */
const rowByCountry = new Map(linesOf(numberingPlans).map((row) => [row.slice(0, 2), row.split(' ')]));

/** The plans that were needed so far. */
const planByCountry = new Map<string, Plan>();

/** The rows of the exact patterns, by calling code. */
const exactRowByCode = new Map(linesOf(exactForms).map((row) => row.split(' ') as [string, string]));

/** The exact patterns that were needed so far. */
const exactByCode = new Map<string, RegExp>();

/** The countries of each calling code. */
const countriesByCode = new Map<string, string[]>();

/** The plans of each calling code. */
const plansByCode = new Map<string, Plan[]>();

/** Whether there is a country with this code and phone numbers. */
export function isCountry(code: string): boolean {
	return rowByCountry.has(code);
}

/** The calling code of a country, without +; undefined without a country. */
export function callingCodeOf(country: string | undefined): string | undefined {
	return country === undefined ? undefined : rowByCountry.get(country)?.[1];
}

/** The plan of a country. @param country see {@link isCountry} */
export function planOf(country: string): Plan {
	const known = planByCountry.get(country);
	if (known !== undefined) {
		return known;
	}
	const plan = planIn(rowByCountry.get(country)?.slice(1) ?? []);
	planByCountry.set(country, plan);
	return plan;
}

/** The countries that share a calling code. */
export function countriesOf(callingCode: string): string[] {
	const known =
		countriesByCode.get(callingCode) ??
		[...rowByCountry].filter(([, [, code]]) => code === callingCode).map(([country]) => country);
	countriesByCode.set(callingCode, known);
	return known;
}

/** The plans of a calling code: several where countries share it, none where it is not assigned. */
export function plansOf(callingCode: string): Plan[] {
	const known = plansByCode.get(callingCode);
	if (known !== undefined) {
		return known;
	}
	const countries = countriesOf(callingCode).map(planOf);
	const worldwide = linesOf(worldwidePlans)
		.map((row) => row.split(' '))
		.filter(([code]) => code === callingCode)
		.map(([code, form]) => planIn([code, '', form]));
	const found = [...countries, ...worldwide];
	plansByCode.set(callingCode, found);
	return found;
}

/**
 * Splits a number into calling code and the rest. No calling code is the beginning of another one.
 *
 * @param number without +
 * @returns undefined if it starts with no calling code
 */
export function splitCallingCode(number: string): { callingCode: string; national: string } | undefined {
	const callingCode = [1, 2, 3].map((length) => number.slice(0, length)).find((code) => plansOf(code).length > 0);
	return callingCode === undefined ? undefined : { callingCode, national: number.slice(callingCode.length) };
}

/** A number without its trunk prefix, or the number itself if it has none. */
export function withoutTrunk(digits: string, { trunk, replacement }: Plan): string {
	const match = trunk?.exec(digits);
	if (!trunk || !match) {
		return digits;
	}
	// Only a match of the last group asks for a replacement.
	const replaced = replacement !== '' && match.at(-1) !== undefined;
	return replaced ? digits.replace(trunk, replacement) : digits.slice(match[0].length);
}

/** Whether a number without calling code is a number of any kind. */
export function hasForm(number: string, { form }: Plan): boolean {
	return form.test(number);
}

/** Whether the number after a calling code is one of any kind. Where there are exact patterns, they decide. */
export function isExact(callingCode: string, national: string): boolean {
	const row = exactRowByCode.get(callingCode);
	if (row === undefined) {
		return plansOf(callingCode).some((plan) => hasForm(national, plan));
	}
	const exact = exactByCode.get(callingCode) ?? compilePattern(`(${row})$`);
	exactByCode.set(callingCode, exact);
	return exact.test(national);
}

/** Whether a number without calling code is a landline or mobile number. */
export function fits(number: string, { lengths, form }: Plan): boolean {
	return lengths.includes(number.length) && form.test(number);
}

function planIn([callingCode, lengths, form, trunk = '-', abroad = '00', replacement = '']: string[]): Plan {
	return {
		callingCode,
		abroad: compilePattern(abroad),
		trunk: trunk === '-' ? undefined : compilePattern(trunk),
		replacement,
		lengths: lengths.split(',').flatMap(range),
		form: compilePattern(`(${form})$`),
	};
}

/** Compiles an expression of the table, in which d stands for a digit. */
function compilePattern(text: string): RegExp {
	return new RegExp(`^(?:${text.replaceAll('d', '\\d')})`);
}

/** Expands "7-9" to 7, 8 and 9. */
function range(text: string): number[] {
	const [first, last = first] = text.split('-').map(Number);
	return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

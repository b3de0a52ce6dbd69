import { numberingPlans } from './numberingPlans';

/** How the phone numbers of a country are made up. */
interface Plan {
	callingCode: string;
	/** What is dialled before the calling code of another country. */
	abroad: RegExp;
	/** What is dialled inside the country alone, mostly 0. */
	trunk: RegExp | undefined;
	/** What takes the place of the trunk prefix in a few countries, with the groups of its expression. */
	replacement: string;
	/** How many digits landlines and mobiles have after the calling code. */
	lengths: number[];
	/** What may follow the calling code, for numbers of all kinds. */
	form: RegExp;
}

/** Numbers inside one town are shorter, wherever in the world. */
const NEVER_LOCAL = 10;

/** What people take for the code of a country. */
const MEANT: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' };

const IN_FULL = 'write it with + and the country code, for example +4915112345678';

const rows = new Map(
	numberingPlans
		.trim()
		.split('\n')
		.map((row) => [row.slice(0, 2), row.split(' ')]),
);

const plans = new Map<string, Plan>();

/** @returns why a code is not that of a country with phone numbers, undefined where it is */
export function mistakeInCountry(code: string): string | undefined {
	if (rows.has(code)) {
		return undefined;
	}
	const meant = MEANT[code];
	return meant === undefined
		? 'Write the two letters of a country (ISO 3166), such as DE for Germany or GB for the United Kingdom'
		: `Write ${meant}, which is the code of that country`;
}

/**
 * Reads a number that was written without + in some country.
 *
 * Nothing is guessed: what can be several numbers, or one inside a town, is none. A wrong number would
 * ring at a stranger's.
 *
 * @param digits the number without blanks and punctuation
 * @param country a code that {@link mistakeInCountry} finds right
 * @returns the number with +, or what to do about it
 */
export function readNational(digits: string, country: string): { number?: string; advice?: string } {
	const plan = planOf(country);
	const abroad = startOf(digits, plan.abroad);
	// As it is read without a country.
	if (abroad === '00') {
		return { number: `+${digits.slice(2)}` };
	}

	const dialled = [abroad, startOf(digits, /^00/)].filter((prefix) => prefix !== undefined);
	const foreign = dialled.map((prefix) => digits.slice(prefix.length)).filter(isWhole);
	const own = abroad === undefined ? ownReadings(digits, plan) : [];
	const [number, another] = new Set([...foreign, ...own].map((whole) => `+${whole}`));
	if (another !== undefined) {
		return { advice: `It can be ${number} or ${another}: ${IN_FULL}` };
	}
	const isNone = number === undefined || (own.length > 0 && !fits(own[0].slice(plan.callingCode.length), plan));
	if (isNone) {
		return { advice: `It is no phone number of ${country}: correct it, or ${IN_FULL}` };
	}
	if (own.length > 0 && mayBeLocal(digits, plan)) {
		return {
			advice: `It may be a number inside one town: begin it as it is dialled from elsewhere in ${country}, or ${IN_FULL}`,
		};
	}
	return { number };
}

/**
 * The numbers of the country itself, with its calling code, that the digits can stand for. They may be
 * of any kind and length: what is none of a landline or mobile still stands against another reading.
 */
function ownReadings(digits: string, plan: Plan): string[] {
	const { callingCode, form } = plan;
	const national = [digits, withoutTrunk(digits, plan)].filter((number) => form.test(number));
	const lacksPlus = digits.startsWith(callingCode) && fits(digits.slice(callingCode.length), plan);
	return [...national.map((number) => callingCode + number), ...(lacksPlus ? [digits] : [])];
}

/** Whether a number without trunk prefix is as short as those inside one town, which lack the area code too. */
function mayBeLocal(digits: string, plan: Plan): boolean {
	if (plan.trunk === undefined || withoutTrunk(digits, plan) !== digits) {
		return false;
	}
	// A local number is part of a longer one.
	return digits.length < Math.max(...plan.lengths.filter((length) => length <= NEVER_LOCAL));
}

function withoutTrunk(digits: string, { trunk, replacement }: Plan): string {
	const match = trunk?.exec(digits);
	if (!trunk || !match) {
		return digits;
	}
	// The expression says by its last group whether there is something to be replaced.
	const replaced = replacement !== '' && match.at(-1) !== undefined;
	return replaced ? digits.replace(trunk, replacement) : digits.slice(match[0].length);
}

/** Whether it is a landline's or a mobile's number, without the calling code. */
function fits(number: string, { lengths, form }: Plan): boolean {
	return lengths.includes(number.length) && form.test(number);
}

/** Whether it is a number with the calling code of some country. */
function isWhole(number: string): boolean {
	return [...rows].some(
		([country, [, callingCode]]) =>
			number.startsWith(callingCode) && fits(number.slice(callingCode.length), planOf(country)),
	);
}

function startOf(digits: string, prefix: RegExp): string | undefined {
	const start = prefix.exec(digits)?.[0];
	// No calling code begins with 0.
	return start === undefined || digits[start.length] === '0' ? undefined : start;
}

function planOf(country: string): Plan {
	const known = plans.get(country);
	if (known !== undefined) {
		return known;
	}
	const [, callingCode, lengths, form, trunk = '-', abroad = '00', replacement = ''] = rows.get(country) ?? [];
	const plan = {
		callingCode,
		abroad: pattern(abroad),
		trunk: trunk === '-' ? undefined : pattern(trunk),
		replacement,
		lengths: lengths.split(',').flatMap(range),
		form: pattern(`(${form})$`),
	};
	plans.set(country, plan);
	return plan;
}

/** An expression of the table, in which d stands for a digit. */
function pattern(text: string): RegExp {
	return new RegExp(`^(?:${text.replaceAll('d', '\\d')})`);
}

/** The numbers from 7 to 9 for "7-9". */
function range(text: string): number[] {
	const [first, last = first] = text.split('-').map(Number);
	return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

import { numberingPlans } from './numberingPlans';

/** The numbering plan of a country. */
interface Plan {
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

/** Local numbers (without area code) have fewer digits than this in every country. */
const NEVER_LOCAL = 10;

/** Codes that people often use by mistake, and the right ones. */
const COMMON_MISTAKES: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' };

const IN_FULL = 'write it with + and the country code, for example +4915112345678';

const rows = new Map(
	numberingPlans
		.trim()
		.split('\n')
		.map((row) => [row.slice(0, 2), row.split(' ')]),
);

const plans = new Map<string, Plan>();

/** @returns advice on a code that is not the code of a country with phone numbers, otherwise undefined */
export function mistakeInCountry(code: string): string | undefined {
	if (rows.has(code)) {
		return undefined;
	}
	const meant = COMMON_MISTAKES[code];
	return meant === undefined
		? 'Write the two letters of a country (ISO 3166), such as DE for Germany or GB for the United Kingdom'
		: `Write ${meant}, which is the code of that country`;
}

/** The calling code of a country, without +; undefined without a country. */
export function callingCodeOf(country: string | undefined): string | undefined {
	return country === undefined ? undefined : rows.get(country)?.[1];
}

/**
 * Reads the zero in brackets of a number such as +49 (0)30 1234567. It is dropped where it is the trunk prefix, and kept
 * where numbers have no trunk prefix and begin with 0, as in Italy.
 *
 * @param callingCode without +; several countries may share it
 * @param digits the digits after the zero
 * @returns the digits after the calling code; undefined if the zero means nothing there, or not the same everywhere
 */
export function readTrunkZero(callingCode: string, digits: string): string | undefined {
	const countries = [...rows].filter(([, [, code]]) => code === callingCode).map(([country]) => planOf(country));
	const readings = countries.flatMap(({ trunk, form }) => {
		if (trunk === undefined) {
			return form.test(`0${digits}`) ? [`0${digits}`] : [];
		}
		return trunk.exec(`0${digits}`)?.[0] === '0' ? [digits] : [];
	});
	const [reading, another] = new Set(readings);
	return another === undefined ? reading : undefined;
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
	const foreign = prefixes.map((prefix) => digits.slice(prefix.length)).filter(isWhole);
	const domestic = abroad === undefined ? domesticReadings(digits, plan) : [];
	const [number, alternative] = new Set([...foreign, ...domestic].map((complete) => `+${complete}`));
	if (alternative !== undefined) {
		return { advice: `It can be ${number} or ${alternative}: ${IN_FULL}` };
	}
	const isNone =
		number === undefined || (domestic.length > 0 && !fits(domestic[0].slice(plan.callingCode.length), plan));
	if (isNone) {
		return { advice: `It is no phone number of ${country}: correct it, or ${IN_FULL}` };
	}
	if (domestic.length > 0 && mayBeLocal(digits, plan)) {
		return {
			advice: `It may be a number inside one town: begin it as it is dialled from elsewhere in ${country}, or ${IN_FULL}`,
		};
	}
	return { number };
}

/**
 * Returns the numbers of the country itself, with its calling code, that the digits can stand for. They can be of any
 * kind and length: a number that is no landline or mobile still makes another reading ambiguous.
 */
function domesticReadings(digits: string, plan: Plan): string[] {
	const { callingCode, form } = plan;
	const national = [digits, withoutTrunk(digits, plan)].filter((number) => form.test(number));
	const lacksPlus = digits.startsWith(callingCode) && fits(digits.slice(callingCode.length), plan);
	return [...national.map((number) => callingCode + number), ...(lacksPlus ? [digits] : [])];
}

/** Whether a number has no trunk prefix and is so short that it may be a local number, without area code. */
function mayBeLocal(digits: string, plan: Plan): boolean {
	if (plan.trunk === undefined || withoutTrunk(digits, plan) !== digits) {
		return false;
	}
	// A local number is the end of a longer one.
	return digits.length < Math.max(...plan.lengths.filter((length) => length <= NEVER_LOCAL));
}

function withoutTrunk(digits: string, { trunk, replacement }: Plan): string {
	const match = trunk?.exec(digits);
	if (!trunk || !match) {
		return digits;
	}
	// Only a match of the last group asks for a replacement.
	const replaced = replacement !== '' && match.at(-1) !== undefined;
	return replaced ? digits.replace(trunk, replacement) : digits.slice(match[0].length);
}

/** Whether a number without calling code is a landline or mobile number. */
function fits(number: string, { lengths, form }: Plan): boolean {
	return lengths.includes(number.length) && form.test(number);
}

/** Whether a number starts with the calling code of any country and fits that country's plan. */
function isWhole(number: string): boolean {
	return [...rows].some(
		([country, [, callingCode]]) =>
			number.startsWith(callingCode) && fits(number.slice(callingCode.length), planOf(country)),
	);
}

function startOf(digits: string, prefix: RegExp): string | undefined {
	const start = prefix.exec(digits)?.[0];
	// No calling code starts with 0.
	return start === undefined || digits[start.length] === '0' ? undefined : start;
}

function planOf(country: string): Plan {
	const cached = plans.get(country);
	if (cached !== undefined) {
		return cached;
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

/** Compiles an expression of the table, in which d stands for a digit. */
function pattern(text: string): RegExp {
	return new RegExp(`^(?:${text.replaceAll('d', '\\d')})`);
}

/** Expands "7-9" to 7, 8 and 9. */
function range(text: string): number[] {
	const [first, last = first] = text.split('-').map(Number);
	return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

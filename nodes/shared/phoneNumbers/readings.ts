import {
	type Country,
	callingCodeOf,
	codeBy,
	countryBy,
	isDialed,
	isValid,
	splitCallingCode,
	withoutTrunk,
} from './countries';
import { bracketsContradict, groupedLike, hasAreaCode, isGroupedAsNational, type Reading } from './groups';
import { type Groups, NOTE_AFTER, type Notation, notationOf } from './notation';
import { isFormer, MOBILE_WITH_ZERO } from './phoneOf';

/** Matches E.164: a country code that does not start with 0, and at most 15 digits. Real numbers have at least 7. */
const E164 = /^\+[1-9]\d{6,14}$/;

const NOT_E164 = 'With its country code, which does not start with 0, a number has 7 to 15 digits: check its digits';

/** Shorter numbers are services, such as 112. */
const MIN_LOCAL = 5;

/** Local numbers (without area code) have fewer digits than this in every country. */
const NEVER_LOCAL = 10;

/** A number of a list that has lost its trunk prefix has at least this many digits. Shorter ones are often local. */
const MIN_LISTED = 9;

/** In countries without a trunk prefix, a number with fewer digits may have lost a 0 at its start. */
const MAY_LACK_ZERO = 10;

/** The prefixes that most countries dial before numbers of another town. */
const TRUNK_PREFIXES = ['0', '1', '06', '8'];

const WRITE_IN_FULL = 'write it with + and the country code, for example +4915112345678';

/** The numbers that digits can represent. */
export interface Readings {
	/** All possible numbers in E.164. Empty if they are unknown, as for a number inside one town. */
	numbers: string[];
	/** The number that may be called. It is unambiguous, because a wrong guess would call a stranger. */
	number?: string;
	/** Whether it may be a number inside one town. */
	isLocal?: true;
	/** Why no number may be called, and the advice, without a period. */
	advice?: string;
}

/**
 * Reads an international number by the general pattern of its country, so that new ranges are not refused.
 *
 * @param number + and digits
 */
export function readInternational(number: string): Readings {
	if (!E164.test(number)) {
		return { numbers: [], advice: NOT_E164 };
	}
	const { callingCode, national, code } = splitCallingCode(number.slice(1)) ?? {};
	if (callingCode === undefined || national === undefined || code === undefined) {
		return { numbers: [], advice: 'It does not start with the calling code of a country: check the digits after +' };
	}
	const withoutZero = number.replace(MOBILE_WITH_ZERO, '+39');
	if (withoutZero !== number) {
		return readInternational(withoutZero);
	}
	if (code.form.test(national)) {
		return { numbers: [number], number };
	}
	// Until 2019, mobiles of Mexico had a 1 after the country code; WhatsApp still writes it.
	const withoutOne = number.replace(/^\+521(?=\d{10}$)/, '+52');
	if (withoutOne !== number) {
		return readInternational(withoutOne);
	}
	const [rest, another] = withoutTrunks(callingCode, national);
	if (rest === undefined || another !== undefined) {
		return { numbers: [], advice: `It is not a valid number of +${callingCode}: check its digits` };
	}
	const trunk = national.slice(0, national.length - rest.length);
	const meant = `+${callingCode}${rest}`;
	return { numbers: [meant], advice: `Remove the ${trunk}, which is dialed only within the country: ${meant}` };
}

/**
 * Reads a number with + or 00. Nothing else than its digits counts, unless the other signs contradict it: then + or 0
 * was written before a number of the country itself, as in +205-221-2310 in the United States.
 *
 * @param code the country code of numbers without +
 */
export function readWithPlus(written: Notation, code: string | undefined): Readings {
	const { hasPlus, groups } = written;
	const prefix = hasPlus ? 0 : 2;
	const digits = groups.join('').slice(prefix);
	const reading = readInternational(`+${digits}`);
	const { callingCode = '' } = splitCallingCode(digits) ?? {};
	if (isTrunkOfRussia(groups, prefix)) {
		return { numbers: [], advice: 'No country has the code 8: check it. That of Russia is +7' };
	}
	if (reading.number === undefined || callingCode === callingCodeOf(code)) {
		return reading;
	}
	const isContradicted = bracketsContradict(written, prefix, prefix + callingCode.length);
	const national = hasPlus ? groups : withoutFirst(groups, 1);
	const other = numbersOf(code, national.join('')).find(
		(number) => isContradicted || isGroupedAsNational(national, number.slice(1), withoutFirst(groups, prefix), digits),
	);
	if (other !== undefined) {
		const numbers = [`+${digits}`, other];
		return { numbers, advice: `It can be ${numbers.join(' or ')}: write it with +, and without other signs` };
	}
	return isContradicted
		? { numbers: [], advice: `The parentheses contain more than the calling code +${callingCode}: check its digits` }
		: reading;
}

/**
 * Whether a prefix is followed by an 8 that stands apart, as in +8 495 123 45 67: Russia dials 8 before a number of
 * another town, and +84 would be Vietnam.
 *
 * @param length of the prefix
 */
function isTrunkOfRussia(groups: Groups, length: number): boolean {
	let end = 0;
	const isApart = groups.some((group) => (end += group.length) === length + 1);
	return isApart && groups.join('')[length] === '8';
}

/** Returns groups without the first digits. */
function withoutFirst([first = '', ...others]: Groups, count: number): Groups {
	return [first.slice(count), ...others].filter((group) => group !== '');
}

/** Returns the numbers that remain without a trunk prefix after the calling code, if people dial them. */
function withoutTrunks(callingCode: string, digits: string): string[] {
	const rests = (codeBy(callingCode)?.countries ?? []).map((country) => withoutTrunk(digits, country));
	return [...new Set(rests.filter((rest) => rest !== digits && digits.endsWith(rest) && isDialed(callingCode + rest)))];
}

/**
 * Reads the digits after a calling code and a 0 in brackets, as in +49 (0)30 1234567. The 0 is dropped if it is the
 * trunk prefix, and kept in countries without a trunk prefix whose numbers begin with 0, such as Italy.
 *
 * @param callingCode without +; several countries may share it
 * @param digits the digits after the zero
 * @returns undefined if the zero is meaningless there, or differs between the countries
 */
export function readTrunkZero(callingCode: string, digits: string): string | undefined {
	const readings = (codeBy(callingCode)?.countries ?? []).flatMap(({ trunkPrefix, trunk, form }) => {
		if (trunkPrefix === '') {
			return form.test(`0${digits}`) ? [`0${digits}`] : [];
		}
		return trunk?.exec(`0${digits}`)?.[0] === '0' ? [digits] : [];
	});
	const [reading, another] = new Set(readings);
	return another === undefined ? reading : undefined;
}

/**
 * Finds the numbers that digits without + can represent: a number as dialed in a country, perhaps without the zeros
 * that a spreadsheet drops, or a number of any country that has lost its +. Only numbers in use count, and only digits
 * with a single meaning may be called. The grouping of the digits can decide between several meanings.
 *
 * @param written without +
 * @param code the country code
 */
export function readNational(written: Notation, code: string): Readings {
	const country = countryBy(code);
	const digits = written.groups.join('');
	// Read 00 the same way as without a country.
	if (startOf(digits, country.abroad) === '00') {
		return readWithPlus(written, code);
	}
	const readings = readingsOf(written, country);
	const numbers = [...new Set(readings.map(({ number }) => number))];
	const meant = numbers.length > 1 ? groupedLike(written, readings) : readings;
	const [number, another] = new Set(meant.map((reading) => reading.number));
	const withPlus = numbers.map((each) => `+${each}`);

	if (number === undefined && !mayBeLocal(written, country)) {
		return { numbers: [], advice: `It is not a phone number of ${code}: correct it, or ${WRITE_IN_FULL}` };
	}
	if (another !== undefined) {
		return { numbers: withPlus, advice: adviceOnSeveral(digits, code, numbers) };
	}
	if (number !== undefined && !meant.some(({ as }) => as === 'dialed')) {
		const { groups } = written;
		const before = groups.length > 1 ? readNational(notationOf(groups.slice(0, -1).join(' ')), code) : undefined;
		return before?.number === undefined
			? { numbers: withPlus, advice: `It is not a phone number of ${code}: if it is +${number}, add the +` }
			: { numbers: [], advice: NOTE_AFTER };
	}
	if (number === undefined || mayBeLocal(written, country, number)) {
		const advice = `It may be a local number: enter it as dialed from elsewhere in ${code}, or ${WRITE_IN_FULL}`;
		const isComplete = written.groups.length === 1 && digits.length >= MIN_LISTED;
		return { numbers: isComplete ? withPlus : [], isLocal: true, advice };
	}
	if (!isDialed(number)) {
		const advice = `It is neither a landline nor a mobile of ${code}: if it is +${number}, write it with +`;
		return { numbers: withPlus, advice };
	}
	return { numbers: withPlus, number: `+${number}` };
}

/** Returns the numbers of any kind, with +, that digits can be in a country. @param code the country code */
export function numbersOf(code: string | undefined, digits: string): string[] {
	if (code === undefined) {
		return [];
	}
	const country = countryBy(code);
	const numbers = dialedWithin(digits, country).map((national) => country.callingCode + national);
	return numbers.filter(isValid).map((number) => `+${number}`);
}

function readingsOf(written: Notation, country: Country): Reading[] {
	const { groups } = written;
	const digits = groups.join('');
	const { callingCode } = country;
	const lackingPlus = withCallingCode(written, country);
	// Only a number that is stored as a number loses its first zeros.
	const withoutPlus = groups.length === 1 ? [...lackingPlus, ...lackingZerosAbroad(digits, country)] : lackingPlus;
	const dialed = [
		...dialedAbroad(groups, country),
		...dialedWithin(digits, country).map((rest) => callingCode + rest),
		...lackingPlus.filter((number) => number.startsWith(callingCode)),
	];
	return [
		...dialed.filter(isValid).map((number): Reading => ({ number, as: 'dialed' })),
		...withoutPlus
			.filter((number) => isValid(number) || isFormer(`+${number}`))
			.map((number): Reading => ({ number, as: 'withoutPlus' })),
	];
}

/** Returns the numbers of other countries if digits begin with an international prefix. */
function dialedAbroad(groups: Groups, { abroad }: Country): string[] {
	const digits = groups.join('');
	return [abroad, /^00/]
		.map((prefix) => startOf(digits, prefix))
		.filter((start) => start !== undefined)
		.filter((start) => !isTrunkOfRussia(groups, start.length))
		.map((start) => digits.slice(start.length));
}

/**
 * Does the same for a prefix whose zeros a spreadsheet dropped, as in 1144… for 011 44…. Without 00, only + is missing.
 */
function lackingZerosAbroad(digits: string, { abroadPrefix }: Country): string[] {
	const rest = abroadPrefix.replace(/^0+/, '');
	return rest !== '' && rest !== abroadPrefix && digits.startsWith(rest) ? [digits.slice(rest.length)] : [];
}

/**
 * Returns the numbers of a country that digits can be, without calling code: the digits unchanged, without a trunk
 * prefix, with a trunk prefix that lost its start, or with a first 0 that a spreadsheet dropped.
 */
function dialedWithin(digits: string, country: Country): string[] {
	const { trunkPrefix } = country;
	const asWritten = [digits, withoutTrunk(digits, country)];
	if (trunkPrefix === '') {
		const mayLackZero = digits.length < MAY_LACK_ZERO && !digits.startsWith('0') && country.usual.test(`0${digits}`);
		return mayLackZero ? [...asWritten, `0${digits}`] : asWritten;
	}
	if (digits.startsWith(trunkPrefix)) {
		return asWritten;
	}
	if (isMobileWithoutPlus(digits, country)) {
		return [];
	}
	const completed = [...trunkPrefix]
		.map((_digit, index) => trunkPrefix.slice(0, index + 1) + digits)
		.filter((text) => !text.startsWith('00') && text.startsWith(trunkPrefix));
	return [...asWritten, ...completed.map((text) => withoutTrunk(text, country))];
}

/** Whether digits are the calling code and a mobile of a country, and too many for a landline without trunk prefix. */
const isMobileWithoutPlus = (digits: string, { callingCode, mobile, longestLandline }: Country) =>
	digits.length > longestLandline && digits.startsWith(callingCode) && mobile.test(digits.slice(callingCode.length));

/** Returns the numbers that digits are with a + before them, also without a trunk prefix, as in 44 (0)20 79460958. */
function withCallingCode(written: Notation, country: Country): string[] {
	const digits = written.groups.join('');
	const { callingCode, national } = splitCallingCode(digits) ?? {};
	if (callingCode === undefined || national === undefined || isCodeDivided(written, callingCode.length, country)) {
		return [];
	}
	return [national, ...withoutTrunks(callingCode, national)].map((rest) => callingCode + rest);
}

/**
 * Whether the signs show that digits do not begin with a calling code: its first digit is a trunk prefix that stands
 * apart, as in 8 (4922) 377003, or brackets contradict it, as in (4922) 377003. Where numbers have several lengths, almost
 * all digits of other countries are also a number of the country, and brackets prove too little.
 */
function isCodeDivided(written: Notation, length: number, country: Country): boolean {
	const { trunkPrefix, callingCode, lengths } = country;
	const [first = '', ...others] = written.groups;
	return first === trunkPrefix && first.length < length
		? isValid(callingCode + others.join(''))
		: new Set(lengths).size === 1 && bracketsContradict(written, 0, length);
}

/**
 * Whether digits lack a trunk prefix and are so short that they may be a local number, without area code.
 *
 * @param number the other meaning of the digits, with calling code
 */
function mayBeLocal(written: Notation, country: Country, number?: string): boolean {
	const digits = written.groups.join('');
	if (country.trunkPrefix === '' || withoutTrunk(digits, country) !== digits || digits.length < MIN_LOCAL) {
		return false;
	}
	// A local number is the end of a longer one.
	const isShort = digits.length < Math.max(...country.lengths.filter((length) => length <= NEVER_LOCAL));
	return isShort && !(number?.startsWith(country.callingCode) && hasAreaCode(written, number));
}

function startOf(digits: string, prefix: RegExp): string | undefined {
	const start = prefix.exec(digits)?.[0];
	// No calling code starts with 0.
	return start === undefined || digits[start.length] === '0' ? undefined : start;
}

/** Returns the advice for digits that can be several numbers. It includes a clear domestic notation, if one exists. */
function adviceOnSeveral(digits: string, code: string, numbers: readonly string[]): string {
	const country = countryBy(code);
	const unambiguous = TRUNK_PREFIXES.map((prefix) => prefix + digits).find((text) => {
		const [number, another] = new Set(readingsOf(notationOf(text), country).map((reading) => reading.number));
		return (
			another === undefined && number?.startsWith(country.callingCode) && numbers.includes(number) && isDialed(number)
		);
	});
	const hint = unambiguous === undefined ? '' : `, or as ${unambiguous} if it is a number of ${code}`;
	return `It can be ${numbers.map((number) => `+${number}`).join(' or ')}: write it with +${hint}`;
}

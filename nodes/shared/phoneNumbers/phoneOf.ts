/** The prefixes of Vietnam's mobiles before and since 2018. */
const VIETNAM =
	'120 70,121 79,122 77,123 83,124 84,125 85,126 76,127 81,128 78,129 82,162 32,163 33,164 34,165 35,166 36,167 37,168 38,169 39,186 56,188 58,199 59'
		.split(',')
		.map((pair) => pair.split(' ') as [old: string, now: string]);

const newPrefixes = new Map(VIETNAM);
const oldPrefixes = new Map(VIETNAM.map(([old, now]) => [now, old]));

/** What replaces the beginning of a number: a text as for `replace`, or what a function returns for what is found. */
type Replacement = string | ((found: string, prefix: string) => string);

/** Two notations of the same phone, as a pattern and its replacement in both directions. */
type Pair = readonly [other: RegExp, same: Replacement, one: RegExp, back: Replacement];

/**
 * Numbers that phones had before, with those that they have now. Old lists contain mobiles of Brazil without their ninth
 * digit and numbers of Gabon without their 0. Until 2019, mobiles of Kosovo had numbers of Monaco and Slovenia and its
 * landlines the calling code of Serbia, and until 2018 mobiles of Vietnam had an older prefix.
 */
const FORMER_NUMBERS: readonly Pair[] = [
	[/^\+55(?<area>\d\d)(?=[6-9]\d{7}$)/, '+55$<area>9', /^\+55(?<area>\d\d)9(?=[6-9]\d{7}$)/, '+55$<area>'],
	[/^\+241(?=[2-7]\d{6}$)/, '+2410', /^\+2410(?=[2-7]\d{6}$)/, '+241'],
	[/^\+377(?=4[45]\d{6}$)/, '+383', /^\+383(?=4[45]\d{6}$)/, '+377'],
	[/^\+386(?=4[39]\d{6}$)/, '+383', /^\+383(?=4[39]\d{6}$)/, '+386'],
	[/^\+381(?=[23][89]\d{6,7}$)/, '+383', /^\+383(?=[23][89]\d{6,7}$)/, '+381'],
	[
		/^\+84(1\d\d)(?=\d{7}$)/,
		(found, old) => (newPrefixes.has(old) ? `+84${newPrefixes.get(old)}` : found),
		/^\+84([3-8]\d)(?=\d{7}$)/,
		(found, now) => (oldPrefixes.has(now) ? `+84${oldPrefixes.get(now)}` : found),
	],
];

/** Mobiles of Italy with the 0 that they had in front until 2001. They begin as no landline does. */
export const MOBILE_WITH_ZERO = /^\+390(?=3(2[05-9]|3[03-9]|4[0789]|6[0678]|8[0789])\d{6,7}$)/;

/**
 * All pairs. Landlines of San Marino are dialed with its own calling code or with Italy's, and all phones of Palestine
 * with its own or with Israel's. Mobiles of Argentina are written with and without a 9 before the area code.
 */
const EQUIVALENT_NUMBERS: readonly Pair[] = [
	[MOBILE_WITH_ZERO, '+39', /(?!)/, ''],
	[/^\+3780549/, '+390549', /^\+390549/, '+3780549'],
	[/^\+970/, '+972', /^\+972/, '+970'],
	[/^\+549(?=\d{10}$)/, '+54', /^\+54(?=\d{10}$)/, '+549'],
	...FORMER_NUMBERS,
];

function replaced(text: string, pattern: RegExp, by: Replacement): string {
	return typeof by === 'string' ? text.replace(pattern, by) : text.replace(pattern, by);
}

/**
 * Returns one name for the phone that a number calls, because some phones have two numbers.
 *
 * @param number in E.164; other texts are returned unchanged
 * @returns the same text for all numbers of a phone
 */
export function phoneOf(number: string): string {
	return EQUIVALENT_NUMBERS.reduce((text, [pattern, other]) => replaced(text, pattern, other), number);
}

/**
 * Returns all numbers of the phone that a number calls, one or two.
 *
 * @param number in E.164
 */
export function numbersOfPhone(number: string): string[] {
	const phone = phoneOf(number);
	const others = EQUIVALENT_NUMBERS.map(([, , one, back]) => replaced(phone, one, back));
	return [...new Set([phone, ...others])];
}

/** Whether a phone had a number before, and has another one now. @param number in E.164 */
export function isFormer(number: string): boolean {
	return FORMER_NUMBERS.some(([pattern, now]) => replaced(number, pattern, now) !== number);
}

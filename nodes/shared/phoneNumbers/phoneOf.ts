/** The prefixes of Vietnam's mobiles before and since 2018. */
const VIETNAM: ReadonlyArray<readonly [old: number, now: number]> = [
	...[162, 163, 164, 165, 166, 167, 168, 169].map((old) => [old, old - 130] as const),
	...([
		[120, 70],
		[121, 79],
		[122, 77],
		[126, 76],
		[128, 78],
		[123, 83],
		[124, 84],
		[125, 85],
		[127, 81],
	] as const),
	...([
		[129, 82],
		[186, 56],
		[188, 58],
		[199, 59],
	] as const),
];

/**
 * Pairs of notations that reach the same phone, as patterns and replacements in both directions. Landlines of San
 * Marino are dialed with its own calling code or with Italy's, and all phones of Palestine with its own or with
 * Israel's. Old lists contain mobiles of Brazil without their ninth digit. Mobiles of Argentina are written with and
 * without a 9 before the area code. Mobiles of Kosovo had numbers of Monaco and Slovenia, and those of Vietnam an older
 * prefix, which old lists still have.
 */
const EQUIVALENT_NUMBERS: ReadonlyArray<readonly [other: RegExp, same: string, one: RegExp, back: string]> = [
	[/^\+3780549/, '+390549', /^\+390549/, '+3780549'],
	[/^\+970/, '+972', /^\+972/, '+970'],
	[/^\+55(?<area>\d\d)(?=[6-9]\d{7}$)/, '+55$<area>9', /^\+55(?<area>\d\d)9(?=[6-9]\d{7}$)/, '+55$<area>'],
	[/^\+549(?=\d{10}$)/, '+54', /^\+54(?=\d{10}$)/, '+549'],
	[/^\+241(?=[2-7]\d{6}$)/, '+2410', /^\+2410(?=[2-7]\d{6}$)/, '+241'],
	[/^\+377(?=4[45]\d{6}$)/, '+383', /^\+383(?=4[45]\d{6}$)/, '+377'],
	[/^\+386(?=4[39]\d{6}$)/, '+383', /^\+383(?=4[39]\d{6}$)/, '+386'],
	...VIETNAM.map(
		([old, now]) =>
			[new RegExp(`^\\+84${old}(?=\\d{7}$)`), `+84${now}`, new RegExp(`^\\+84${now}(?=\\d{7}$)`), `+84${old}`] as const,
	),
];

/**
 * Returns one name for the phone that a number calls, because some phones have two numbers.
 *
 * @param number in E.164; other texts are returned unchanged
 * @returns the same text for all numbers of a phone
 */
export function phoneOf(number: string): string {
	return EQUIVALENT_NUMBERS.reduce((text, [pattern, other]) => text.replace(pattern, other), number);
}

/**
 * Returns all numbers of the phone that a number calls, one or two.
 *
 * @param number in E.164
 */
export function numbersOfPhone(number: string): string[] {
	const phone = phoneOf(number);
	const others = EQUIVALENT_NUMBERS.map(([, , one, back]) => phone.replace(one, back));
	return [...new Set([phone, ...others])];
}

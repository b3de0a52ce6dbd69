/**
 * How the numbers of some phones begin, and how their other numbers begin. Landlines of San Marino are dialed with its
 * own calling code or with that of Italy, and all phones of Palestine with its own or with that of Israel.
 */
const TWINS = [
	['+3780549', '+390549'],
	['+970', '+972'],
] as const;

/**
 * One name for the phone that a number calls: some phones have two numbers.
 *
 * @param number in E.164; any other text stays as it is
 * @returns the same text for all numbers of a phone
 */
export function phoneOf(number: string): string {
	const [start, other] = TWINS.find(([first]) => number.startsWith(first)) ?? ['', ''];
	return other + number.slice(start.length);
}

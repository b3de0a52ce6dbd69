import { type CountryCode, getCountries, parsePhoneNumberFromString } from 'libphonenumber-js/max';

import { loadCountries, parsePhoneNumber } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { type Known, patternsOf, validNumbers } from './randomNumbers.mts';

/** How many texts are read; more with NUMBER_TRIES. */
const TRIES = Number(process.env.NUMBER_TRIES ?? 60_000);

/** Of the random numbers; another one with NUMBER_SEED. */
const SEED = Number(process.env.NUMBER_SEED ?? 1);

/** What a text was made of, and how it was read. */
interface Try extends Known {
	text: string | number;
	of: CountryCode | undefined;
}

/** Random numbers of each type of each country that are in E.164. */
function randomNumbers(ofEachType: number): Known[] {
	return getCountries()
		.flatMap((country) =>
			patternsOf(country)
				.filter((pattern) => pattern !== '')
				.flatMap((pattern, index) => validNumbers(country, pattern, ofEachType, SEED + index)),
		)
		.filter(({ number }) => /^\+\d{7,15}$/.test(number.number));
}

const BEFORE = ['1) ', '1)', '(1) ', '1. ', '1.', '1 - ', '12 – ', '[1] ', '[2]', '* ', '*1 ', '#1 ', 'a) ', '7] '];
const AFTER = [
	' 1)',
	'2)',
	' (1)',
	'(12)',
	'*',
	' *',
	'**',
	' [1]',
	'[12]',
	' 1.',
	' - 1',
	' – 12',
	'¹',
	' ²',
	' †',
	' *1',
];
const MARKS = ["'", '="', 'tel:', 'callto:'];

const digitsOf = (text: string) => text.replace(/\D/g, '');
const withoutZeros = (text: string) => text.replace(/^\(?0+\)?[\s-]*/, '');
const asNumber = (text: string) => Number(digitsOf(text));
const withoutPlus = (text: string) => text.replace('+', '');
const fullWidth = (text: string) => text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
const arabic = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));

/** Texts for a number that people and programs write, each with the default countries that it can meet. */
function* textsFor(
	{ number, country }: Known,
	other: CountryCode,
): Generator<[string | number, CountryCode | undefined]> {
	const national = number.formatNational();
	const international = number.formatInternational();
	const abroad = number.format('IDD', { fromCountry: other }) ?? international;
	const link = number.format('RFC3966');
	for (const text of [
		national,
		digitsOf(national),
		number.nationalNumber,
		withoutZeros(national),
		asNumber(national),
	]) {
		yield [text, country];
	}
	const { nationalNumber } = number;
	for (const length of [3, 4, 5]) {
		const brackets = `(${nationalNumber.slice(0, length)}) ${nationalNumber.slice(length)}`;
		const dialed = digitsOf(national);
		const trunk = dialed.endsWith(nationalNumber) ? dialed.slice(0, -nationalNumber.length) : '';
		yield [brackets, country];
		yield [`${trunk} ${brackets}`, country];
	}
	for (const text of [international, link, fullWidth(international), arabic(international)]) {
		yield [text, undefined];
		yield [text, country];
		yield [text, other];
	}
	for (const text of [international, number.number, link.replace('tel:', '')].map(withoutPlus)) {
		yield [text, country];
		yield [text, other];
	}
	for (const text of [asNumber(international), arabic(withoutPlus(international))]) {
		yield [text, country];
		yield [text, other];
	}
	yield [abroad, other];
	yield [digitsOf(abroad), other];
	yield [asNumber(abroad), other];
	for (const [text, of] of [
		[national, country],
		[international, other],
		[number.nationalNumber, country],
		[number.number, other],
	] as const) {
		for (const mark of BEFORE) {
			yield [mark + text, of];
		}
		for (const mark of AFTER) {
			yield [text + mark, of];
		}
		for (const mark of MARKS) {
			yield [mark + text + (mark === '="' ? '"' : ''), of];
		}
	}
}

/** All texts, in an order that has each kind and each country among the first. */
function tries(): Try[] {
	const others = 'AT BR CN DE DK FI HU IT JP KR RU US'.split(' ') as CountryCode[];
	const known = randomNumbers(Math.max(1, Math.ceil(TRIES / 130_000)));
	return known
		.flatMap((one, index) => {
			const other = others[index % others.length] as CountryCode;
			return [...textsFor(one, other)].map(([text, of]) => ({ ...one, text, of }));
		})
		.map((one, index, { length }) => ({ one, at: (index * 7919) % length }))
		.sort((one, another) => one.at - another.at)
		.slice(0, TRIES)
		.map(({ one }) => one);
}

/** In Italy, 0 is a part of landlines: one of 11 digits that lost its 0 is a mobile number. */
const isItalianLandline = ({ number: { number } }: Try) => /^\+390\d{10}$/.test(number);

/** Toll-free and company numbers, such as 000 800 712 5840 of India: without zeros they are others. */
const isOfNobody = ({ number }: Try) => number.nationalNumber.startsWith('00') || number.getType() === 'UAN';

/** Longer landlines than any in use: without their 0 they are mobiles without +. */
const isTooLong = ({ number: { number } }: Try) => /^\+(?:49\d{12,}|62\d{11,}|383\d{9,})$/.test(number);

/** Whether nobody can see that zeros at the start are missing. */
const hasLostZeros = (one: Try) =>
	(isItalianLandline(one) || isOfNobody(one) || isTooLong(one)) &&
	!digitsOf(String(one.text)).includes(one.number.nationalNumber);

/** The number that was written; the library writes some old ones as those that have replaced them. */
const meantBy = ({ number, country }: Try) => [
	number.number,
	String(parsePhoneNumberFromString(number.formatNational(), country)?.number),
];

let all: Try[];
beforeAll(async () => {
	await loadCountries();
	all = tries();
}, 300_000);

test('no text calls another number than the one that was written', () => {
	expect(all.length).toBe(TRIES);
	const read = all.map((one) => ({ one, number: parsePhoneNumber(one.text, one.of).number }));
	const wrong = read
		.filter(({ one, number }) => number !== undefined && !meantBy(one).includes(number) && !hasLostZeros(one))
		.map(({ one, number }) => ({ text: one.text, of: one.of, meant: one.number.number, called: number }));
	expect({ seed: SEED, count: wrong.length, first: wrong.slice(0, 40) }).toEqual({ seed: SEED, count: 0, first: [] });
	const accepted = read.filter(({ number }) => number !== undefined).length;
	expect(accepted / read.length).toBeGreaterThan(0.15);
});

test('no entry of a do-not-call list lets the number through that was written', () => {
	const leaks = all
		.map((one) => ({ one, readings: parsePhoneNumber(one.text, one.of).readings }))
		.filter(
			({ one, readings }) =>
				readings.length > 0 && !hasLostZeros(one) && !meantBy(one).some((number) => readings.includes(number)),
		)
		.map(({ one, readings }) => ({ text: one.text, of: one.of, meant: one.number.number, readings }));
	expect({ seed: SEED, count: leaks.length, first: leaks.slice(0, 40) }).toEqual({ seed: SEED, count: 0, first: [] });
});

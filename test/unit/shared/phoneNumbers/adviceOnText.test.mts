import { adviceOn, mistakeInText, SINGLE } from '../../../../nodes/shared/phoneNumbers/adviceOnText.ts';

const ENTER_IN_FULL = 'Enter it with + and the country code, for example +4915112345678';

test.each([
	['a decimal number', 'calculated number', ['15112345678.0', '15112345678.25', '+4930123456.0', '-12345']],
	['one with an exponent', 'shortened the number', ['4E+12', '4.9E+11', '4,9e11', '+4E12']],
	['a date', 'a date', ['22.11.2026', '1/2/1999', '2026-11-22']],
	['the number of a list', 'before the number', ['2) 030 1234567', '12. 030 1234567', '(12) 030', '(2)030 1234567']],
	['an addition at the end', 'in parentheses', ['030 1234567 (2)', '030 1234567 (12)', '030 1234567 ()']],
])('a text is not read by its digits alone: %s', (_what, advice, texts) => {
	expect(texts.map(mistakeInText)).toEqual(texts.map(() => expect.stringContaining(advice)));
});

test.each([
	['text beside a decimal number', ['x12345.67', '12345.67 8', '12345.678', '-12345 6', '1234.5']],
	['text beside an exponent', ['x4E+12', '4E+12x', '4E']],
	['text beside a date', ['on 22.11.2026', '22.11.2026 1', '22.11-2026']],
	['a number in parentheses inside', ['30 (2) 0123', '(0)30 1234567', '(030) 1234567', '(1) 5 12']],
])('any other text may be a number: %s', (_what, texts) => {
	expect(texts.map(mistakeInText)).toEqual(texts.map(() => undefined));
});

test.each([
	[4915112345678, ENTER_IN_FULL],
	['12', ENTER_IN_FULL],
	['call 12', `It contains letters. ${ENTER_IN_FULL}`],
	['12025550123,  12025550124', SINGLE],
	['', ENTER_IN_FULL],
	[{}, ENTER_IN_FULL],
])('%j: %s', (given, advice) => {
	expect(adviceOn(given)).toBe(advice);
});

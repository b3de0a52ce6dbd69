import { isAnotherPhone, loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { phoneOf } from '../../../../nodes/shared/phoneNumbers/phoneOf.ts';

beforeAll(loadCountries);

test.each([
	['the same number', '+12025550111', '+12025550111'],
	['the same number in another notation', '+1 (202) 555-0111', '+12025550111'],
	['a number as it is dialed from Hong Kong', '001 49 30123456', '+493012345678'],
	['the number of San Marino with the calling code of Italy', '+390549886377', '+3780549886377'],
	['the number of Palestine with the calling code of Israel', '+972592123456', '+970592123456'],
	['a mobile number of Brazil without its ninth digit', '+551171234567', '+5511971234567'],
	['a mobile number of Argentina with 9', '+5491123456789', '+541123456789'],
	['no number', undefined, '+12025550111'],
	['a number inside a text', 'x+12025550199', '+12025550111'],
	['a number without +', '12025550199', '+12025550111'],
	['a hidden number', '+1202****199', '+12025550111'],
	['a number hidden by dots', '+4930...4567', '+493012345678'],
	['a number hidden by dashes', '+49 30 ---- 4567', '+493012345678'],
	['a number where no number was asked for', '+12025550199', 'ada'],
])('%s is not another phone', (_what, named, asked) => {
	expect(isAnotherPhone(named, asked)).toBe(false);
});

test.each([
	['+12025550199', '+12025550111'],
	['+1 202-555.0199', '+12025550111'],
	['+390649886377', '+3780549886377'],
	['+972592123457', '+970592123456'],
])('%s is another phone than %s', (named, asked) => {
	expect(isAnotherPhone(named, asked)).toBe(true);
});

test.each([
	['+37805498', '+3905498'],
	['+970592123456', '+972592123456'],
	['+551171234567', '+5511971234567'],
	['+3903351234567', '+393351234567'],
	['+5491123456789', '+541123456789'],
])('%s calls the same phone as %s', (number, twin) => {
	expect([phoneOf(number), phoneOf(twin)]).toEqual([twin, twin]);
});

test.each(['x+3780549', 'x+970592', 'x+551171234567', 'x+5491123456789', '+54911234567891', '+5511712345678'])(
	'%s is the only number of its phone',
	(number) => {
		expect(phoneOf(number)).toBe(number);
	},
);

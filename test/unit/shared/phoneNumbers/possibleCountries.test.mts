import { possibleCountries } from '../../../../nodes/shared/phoneNumbers/countries.ts';
import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';

beforeAll(loadCountries);

test.each([
	['a country alone', '+4915112345678', ['DE']],
	['one of the countries that share a calling code', '+12025550111', ['US']],
	['a part of a calling code that two share', '+441481256789', ['GG']],
	['Finland before Åland', '+358401234567', ['FI', 'AX']],
	['Morocco before Western Sahara', '+212650123456', ['MA', 'EH']],
	['no country', '+883510000000', []],
])('a number can belong to %s: %s', (_what, number, countries) => {
	expect(possibleCountries(number)).toEqual(countries);
});

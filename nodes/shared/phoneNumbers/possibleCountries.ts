import { countriesOf, countryBy, splitCallingCode } from './countries';

/** Territories that share calling code and time with a larger country, which is named first. */
const TERRITORIES = ['AX', 'EH'];

/**
 * The countries that a number can belong to: those with its calling code in which it is in use, or else those that can
 * have such a number.
 *
 * @param number valid, in E.164
 * @returns two-letter codes; empty for a calling code that belongs to no country
 */
export function possibleCountries(number: string): string[] {
	const { callingCode = '', national = '' } = splitCallingCode(number.slice(1)) ?? {};
	const countries = countriesOf(callingCode);
	const inUse = countries.filter((country) => countryBy(country).valid.test(national));
	const possible = inUse.length > 0 ? inUse : countries.filter((country) => countryBy(country).form.test(national));
	return possible.sort((one, other) => Number(TERRITORIES.includes(one)) - Number(TERRITORIES.includes(other)));
}

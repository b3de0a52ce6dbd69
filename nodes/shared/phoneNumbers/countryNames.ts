import { countriesOf, countryCodes } from './countries';
import { signsOf } from './notation';

/** Usual names that are missing in the English names of the runtime. UK is the code that most people use for GB. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
	'Czech Republic': 'CZ',
	EL: 'GR',
	'Great Britain': 'GB',
	'Ivory Coast': 'CI',
	Turkey: 'TR',
	UAE: 'AE',
	UK: 'GB',
	'United States of America': 'US',
	USA: 'US',
};

const ADVICE =
	'Enter one country: its two-letter code (ISO 3166), English name or calling code, such as DE, Germany or +49';

/** Matches a calling code, alone. */
const CALLING_CODE = /^(\+|00)?(\d{1,3})$/;

const englishNames = (style: 'long' | 'short') => new Intl.DisplayNames('en', { type: 'region', style });

let codeByName: Map<string, string> | undefined;

/** Returns the codes of all countries by their English names. Made on first use, because few runs need it. */
function namesOfCountries(): Map<string, string> {
	codeByName ??= new Map([
		...(['long', 'short'] as const).flatMap((style) => {
			const names = englishNames(style);
			return countryCodes.map((code) => [plainName(names.of(code) ?? code), code] as const);
		}),
		...Object.entries(OTHER_NAMES).map(([name, code]) => [plainName(name), code] as const),
	]);
	return codeByName;
}

/** Returns a name without what people write differently: case, accents, punctuation, "&" and "The". */
function plainName(name: string): string {
	return name
		.normalize('NFKD')
		.replace(/[\p{M}.]/gu, '')
		.toLowerCase()
		.replace(/&/g, ' and ')
		.replace(/[\s,'’()-]+/g, ' ')
		.trim()
		.replace(/^the /, '');
}

/**
 * Reads the country of numbers without +: a two-letter code, an English name or a calling code.
 *
 * @returns the two-letter code, or + and a calling code that several countries share; otherwise advice in `mistake`
 */
export function readCountry(text: string): { code: string; mistake?: string } {
	const written = signsOf(text);
	const [, plus, callingCode] = CALLING_CODE.exec(written) ?? [];
	if (callingCode !== undefined) {
		return readCallingCode(callingCode, plus !== undefined);
	}
	const upper = written.toUpperCase();
	const code = countryCodes.includes(upper) ? upper : namesOfCountries().get(plainName(written));
	return code === undefined ? { code: '', mistake: ADVICE } : { code };
}

/** @param hasPlus whether it is certainly a calling code: three digits can also be the number of a country in ISO 3166 */
function readCallingCode(callingCode: string, hasPlus: boolean): { code: string; mistake?: string } {
	const [country, another] = countriesOf(callingCode);
	if (country === undefined) {
		return { code: '', mistake: ADVICE };
	}
	const isoCountry = hasPlus || callingCode.length < 3 ? undefined : new Intl.Locale(`und-${callingCode}`).region;
	if (isoCountry !== undefined && isoCountry !== country && countryCodes.includes(isoCountry)) {
		const [one, other] = [country, isoCountry].map((code) => englishNames('long').of(code));
		const both = `${callingCode} can be +${callingCode} (${one}) or the ISO number of ${other}`;
		return { code: '', mistake: `${both}: enter +${callingCode} or ${isoCountry}` };
	}
	return { code: another === undefined ? country : `+${callingCode}` };
}

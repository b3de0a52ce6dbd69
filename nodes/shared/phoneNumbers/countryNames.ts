import { countriesOf, countriesOfArea, countryCodes, splitCallingCode } from './countries';
import { signsOf } from './notation';

/** Usual, former and official names that are missing in the English names of the runtime. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
	'Bolivarian Republic of Venezuela': 'VE',
	'Bonaire, Sint Eustatius and Saba': 'BQ',
	'Brunei Darussalam': 'BN',
	Burma: 'MM',
	'Cabo Verde': 'CV',
	'Czech Republic': 'CZ',
	"Democratic People's Republic of Korea": 'KP',
	'Democratic Republic of the Congo': 'CD',
	'DR Congo': 'CD',
	'East Timor': 'TL',
	EL: 'GR',
	England: 'GB',
	'Falkland Islands (Malvinas)': 'FK',
	'Federated States of Micronesia': 'FM',
	'Great Britain': 'GB',
	Holland: 'NL',
	'Holy See': 'VA',
	'Islamic Republic of Iran': 'IR',
	'Ivory Coast': 'CI',
	'Kingdom of the Netherlands': 'NL',
	"Lao People's Democratic Republic": 'LA',
	Macau: 'MO',
	Macedonia: 'MK',
	'Northern Ireland': 'GB',
	'Plurinational State of Bolivia': 'BO',
	'Republic of Ireland': 'IE',
	'Republic of Korea': 'KR',
	'Republic of Moldova': 'MD',
	'Republic of North Macedonia': 'MK',
	'Republic of the Congo': 'CG',
	'Russian Federation': 'RU',
	'Saint Helena, Ascension and Tristan da Cunha': 'SH',
	'Saint Martin (French part)': 'MF',
	Scotland: 'GB',
	'Sint Maarten (Dutch part)': 'SX',
	'State of Palestine': 'PS',
	Swaziland: 'SZ',
	'Syrian Arab Republic': 'SY',
	'Taiwan, Province of China': 'TW',
	Turkey: 'TR',
	Türkiye: 'TR',
	UAE: 'AE',
	UK: 'GB',
	'United Kingdom of Great Britain and Northern Ireland': 'GB',
	'United Republic of Tanzania': 'TZ',
	'United States of America': 'US',
	Vatican: 'VA',
	'Viet Nam': 'VN',
	Wales: 'GB',
};

/** The three-letter codes of ISO 3166, each followed by the two-letter code. */
const THREE_LETTERS = `
	ASCAC ANDAD AREAE AFGAF ATGAG AIAAI ALBAL ARMAM AGOAO ARGAR ASMAS AUTAT AUSAU ABWAW ALAAX AZEAZ BIHBA BRBBB
	BGDBD BELBE BFABF BGRBG BHRBH BDIBI BENBJ BLMBL BMUBM BRNBN BOLBO BESBQ BRABR BHSBS BTNBT BWABW BLRBY BLZBZ
	CANCA CCKCC CODCD CAFCF COGCG CHECH CIVCI COKCK CHLCL CMRCM CHNCN COLCO CRICR CUBCU CPVCV CUWCW CXRCX CYPCY
	CZECZ DEUDE DJIDJ DNKDK DMADM DOMDO DZADZ ECUEC ESTEE EGYEG ESHEH ERIER ESPES ETHET FINFI FJIFJ FLKFK FSMFM
	FROFO FRAFR GABGA GBRGB GRDGD GEOGE GUFGF GGYGG GHAGH GIBGI GRLGL GMBGM GINGN GLPGP GNQGQ GRCGR GTMGT GUMGU
	GNBGW GUYGY HKGHK HNDHN HRVHR HTIHT HUNHU IDNID IRLIE ISRIL IMNIM INDIN IOTIO IRQIQ IRNIR ISLIS ITAIT JEYJE
	JAMJM JORJO JPNJP KENKE KGZKG KHMKH KIRKI COMKM KNAKN PRKKP KORKR KWTKW CYMKY KAZKZ LAOLA LBNLB LCALC LIELI
	LKALK LBRLR LSOLS LTULT LUXLU LVALV LBYLY MARMA MCOMC MDAMD MNEME MAFMF MDGMG MHLMH MKDMK MLIML MMRMM MNGMN
	MACMO MNPMP MTQMQ MRTMR MSRMS MLTMT MUSMU MDVMV MWIMW MEXMX MYSMY MOZMZ NAMNA NCLNC NERNE NFKNF NGANG NICNI
	NLDNL NORNO NPLNP NRUNR NIUNU NZLNZ OMNOM PANPA PERPE PYFPF PNGPG PHLPH PAKPK POLPL SPMPM PRIPR PSEPS PRTPT
	PLWPW PRYPY QATQA REURE ROURO SRBRS RUSRU RWARW SAUSA SLBSB SYCSC SDNSD SWESE SGPSG SHNSH SVNSI SJMSJ SVKSK
	SLESL SMRSM SENSN SOMSO SURSR SSDSS STPST SLVSV SXMSX SYRSY SWZSZ TAATA TCATC TCDTD TGOTG THATH TJKTJ TKLTK
	TLSTL TKMTM TUNTN TONTO TURTR TTOTT TUVTV TWNTW TZATZ UKRUA UGAUG USAUS URYUY UZBUZ VATVA VCTVC VENVE VGBVG
	VIRVI VNMVN VUTVU WLFWF WSMWS XKXXK YEMYE MYTYT ZAFZA ZMBZM ZWEZW
`;

const ADVICE = 'Enter one country: its code (ISO 3166), English name or calling code, such as DE, Germany or +49';

/** Matches a calling code, perhaps with an area code. */
const CALLING_CODE = /^\(?(\+|00)?\s?(\d[\d\s()-]*)$/;

/** Words that people write or leave out. */
const FILLERS = ['', 'and', 'of', 'sar', 'the'];

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
		...(THREE_LETTERS.match(/\w+/g) ?? []).map((codes) => [codes.slice(0, 3).toLowerCase(), codes.slice(3)] as const),
	]);
	return codeByName;
}

/** Returns a name without what people write differently: case, accents, punctuation, "Saint", and the order of words. */
function plainName(name: string): string {
	const words = name
		.normalize('NFKD')
		.replace(/[\p{M}.]/gu, '')
		.toLowerCase()
		.replace(/\bsaint\b/g, 'st')
		.split(/[\s,&'’()-]+/);
	return words
		.filter((word) => !FILLERS.includes(word))
		.sort()
		.join(' ');
}

/**
 * Reads the country of numbers without +: a code of ISO 3166, an English name or a calling code.
 *
 * @returns the two-letter code, or + and a calling code that several countries share; otherwise advice in `mistake`
 */
export function readCountry(text: string): { code: string; mistake?: string } {
	const written = signsOf(text);
	const [, plus, digits] = CALLING_CODE.exec(written) ?? [];
	if (digits !== undefined) {
		return readCallingCode(digits.replace(/\D/g, ''), plus !== undefined);
	}
	const upper = written.toUpperCase();
	const names = namesOfCountries();
	// The code of Andorra is AND.
	const code = countryCodes.includes(upper) ? upper : (names.get(plainName(written)) ?? names.get(upper.toLowerCase()));
	return code === undefined ? { code: '', mistake: ADVICE } : { code };
}

/**
 * @param digits a calling code, or the calling code of several countries with an area code of one of them, such as 1868
 * @param hasPlus whether it is certainly a calling code: three digits can also be the number of a country in ISO 3166
 */
function readCallingCode(digits: string, hasPlus: boolean): { code: string; mistake?: string } {
	const { callingCode = '', national: areaCode = '' } = splitCallingCode(digits) ?? {};
	const [country, another] = areaCode === '' ? countriesOf(callingCode) : countriesOfArea(callingCode, areaCode);
	if (country === undefined) {
		return { code: '', mistake: ADVICE };
	}
	if (areaCode !== '') {
		return { code: country };
	}
	const isoCountry = hasPlus || callingCode.length < 3 ? undefined : new Intl.Locale(`und-${callingCode}`).region;
	if (isoCountry !== undefined && isoCountry !== country && countryCodes.includes(isoCountry)) {
		const [one, other] = [country, isoCountry].map((code) => englishNames('long').of(code));
		const both = `${callingCode} can be +${callingCode} (${one}) or the ISO number of ${other}`;
		return { code: '', mistake: `${both}: enter +${callingCode} or ${isoCountry}` };
	}
	return { code: another === undefined ? country : `+${callingCode}` };
}

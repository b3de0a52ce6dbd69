import metadata from 'libphonenumber-js/metadata.max.json' with { type: 'json' };
import library from 'libphonenumber-js/package.json' with { type: 'json' };

/** What of a country's row in the metadata is of use here, by its place; the rest is how numbers are shown. */
type Row = Record<number, unknown>;
type Kind = 0 | [pattern: string, lengths?: number[]];

const CALLING_CODE = 0,
	ABROAD = 1,
	FORM = 2,
	LENGTHS = 3,
	TRUNK = 5,
	TRUNK_EXPRESSION = 7,
	REPLACEMENT = 8,
	KINDS = 11;

/** How many digits landlines and mobiles have. */
function lengthsOf(row: Row): string {
	const [landline, mobile] = (row[KINDS] ?? []) as Kind[];
	const lengths = [landline, mobile].flatMap((kind) => (kind ? (kind[1] ?? (row[LENGTHS] as number[])) : []));
	const ranges: number[][] = [];
	for (const length of [...new Set(lengths)].sort((left, right) => left - right)) {
		const last = ranges.at(-1);
		if (last?.at(-1) === length - 1) {
			last.push(length);
		} else {
			ranges.push([length]);
		}
	}
	return ranges.map((range) => [...new Set([range[0], range.at(-1)])].join('-')).join(',');
}

/** Digits are d, and groups need not say that they are not captured: the table is half as long and has no backslash. */
const short = (expression: string) => expression.replaceAll('(?:', '(').replaceAll('\\d', 'd');

/** The source of nodes/shared/phoneNumbers/numberingPlans.ts. */
export function numberingPlansSource(): string {
	const rows = Object.entries(metadata.countries as unknown as Record<string, Row>).map(([country, row]) => {
		// Where there is no trunk prefix the expression is about carriers and numbers inside a town.
		const trunk = row[TRUNK] ? String(row[TRUNK_EXPRESSION] || row[TRUNK]).replaceAll('\\d', 'd') : '-';
		const replacement = row[TRUNK] ? String(row[REPLACEMENT] || '') : '';
		const columns = [
			country,
			row[CALLING_CODE],
			lengthsOf(row),
			short(String(row[FORM])),
			trunk,
			short(String(row[ABROAD])),
			replacement,
		];
		return columns
			.join(' ')
			.trimEnd()
			.replace(/( -)? 00$/, '');
	});
	return `// Generated from libphonenumber-js ${library.version} (MIT) by npm run generate. Do not edit.

/**
 * How the phone numbers of each country are made up: country, calling code, how many digits follow for
 * landlines and mobiles, how all numbers look after the calling code, what is dialled before a number
 * of another town (- or left out: nothing), before one abroad (left out: 00), and what takes the place
 * of the former in the international form. In the expressions d stands for a digit.
 */
export const numberingPlans = \`
${rows.sort().join('\n')}
\`;
`;
}

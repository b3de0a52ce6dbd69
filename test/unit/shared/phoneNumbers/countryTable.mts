import metadata from 'libphonenumber-js/metadata.max.json' with { type: 'json' };
import library from 'libphonenumber-js/package.json' with { type: 'json' };

/** A country's row in the metadata. The indexes below are those used here; the other columns are about formatting. */
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

const rowsOf = (rows: unknown) => Object.entries(rows as Record<string, Row>);

/** The numbers of digits of landlines and mobiles, such as "6,8-9". */
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

/** Writes digits as d, and non-capturing groups as plain ones: the table is half as long and has no backslashes. */
const short = (expression: string) => expression.replaceAll('(?:', '(').replaceAll('\\d', 'd');

/** Generates the source of nodes/shared/phoneNumbers/numberingPlans.ts. */
export function numberingPlansSource(): string {
	const rows = rowsOf(metadata.countries).map(([country, row]) => {
		// Without a trunk prefix, the expression is about carrier codes and local numbers.
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
	const worldwide = rowsOf(metadata.nonGeographic).map(([code, row]) => `${code} ${short(String(row[FORM]))}`);
	return `// Generated from libphonenumber-js ${library.version} (MIT) by npm run generate. Do not edit.

/**
 * The numbering plan of each country, one per line. Columns: country, calling code, numbers of digits after it for
 * landlines and mobiles, pattern of all numbers after it, trunk prefix (- or omitted: none), international prefix
 * (omitted: 00), and the replacement of the trunk prefix in E.164. In the expressions, d stands for a digit.
 */
export const numberingPlans = \`
${rows.sort().join('\n')}
\`;

/** The calling codes that belong to no country, such as those of satellites: code, pattern of the numbers after it. */
export const worldwidePlans = \`
${worldwide.sort().join('\n')}
\`;
`;
}

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

/**
 * The calling codes whose numbers would look like too many national numbers of other countries, if only the pattern of
 * all their numbers were known. For these, the table also has the patterns of all types of numbers. For other calling
 * codes, these would save little or take much space.
 */
const EXACT = `20 238 239 254 27 297 31 32 36 39 40 43 45 46 47 48 49 501 51 53 55 595 60 61 62 64 65 66
	670 677 685 688 690 692 7 82 84 86 880 882 883 90 93 95 970 98`.split(/\s+/);

/** The patterns of the types of numbers that a calling code has, as in the metadata. */
function typesOf(code: string): string[] {
	const types = [...rowsOf(metadata.countries), ...rowsOf(metadata.nonGeographic)]
		.filter(([, row]) => row[CALLING_CODE] === code)
		.flatMap(([, row]) => (row[KINDS] ?? []) as Kind[])
		.map((kind) => (kind === 0 ? '' : kind[0]));
	return [...new Set(types)].filter((pattern) => pattern !== '');
}

/** Digits as an expression: 1, 2, 3 and 5 as [1-35]. */
function oneOf(digits: readonly number[]): string {
	const ranges = digits
		.filter((digit) => !digits.includes(digit - 1))
		.map((first) => {
			const last = digits.find((digit) => digit >= first && !digits.includes(digit + 1)) ?? first;
			return last - first > 1 ? `${first}-${last}` : [...new Set([first, last])].join('');
		});
	return digits.length === 1 ? ranges.join('') : `[${ranges.join('')}]`;
}

/** The pattern of the numbers of North America: their types, put together, would be ten times as long as their area codes. */
function northAmerica(): string {
	const form = new RegExp(`^(?:${typesOf('1').join('|')})$`);
	const upTo = (count: number) => Array.from({ length: count }, (_none, index) => index);
	const ends = ['0000', '1111', '5555', '9999'];
	/** The area codes in which numbers begin with these digits. */
	const areas = (first: readonly number[]) => {
		const starts = first.flatMap((digit) => upTo(100).map((more) => `${digit}${String(more).padStart(2, '0')}`));
		const isUsed = (area: string) => starts.some((start) => ends.some((end) => form.test(area + start + end)));
		return upTo(80)
			.map((index) => String(index + 20))
			.map((start) => ({ start, digits: upTo(10).filter((digit) => isUsed(`${start}${digit}`)) }))
			.filter(({ digits }) => digits.length > 0)
			.map(({ start, digits }) => start + oneOf(digits))
			.join('|');
	};
	return `(${areas([2, 3, 4, 5, 6, 7, 8, 9])})[2-9]d{6}|(${areas([0, 1])})[01]d{6}|310d{4}`;
}

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
	const exact = EXACT.map((code) => `${code} ${short(typesOf(code).join('|'))}`);
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

/** The exact patterns of the numbers after some calling codes. Those of the countries above match other digits, too. */
export const exactForms = \`
${[...exact, `1 ${northAmerica()}`].sort().join('\n')}
\`;
`;
}

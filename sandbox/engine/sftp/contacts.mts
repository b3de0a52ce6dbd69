import { parse } from 'csv-parse/sync';

/** A row of a contact file: the number as written, and all other columns. */
export interface Contact {
	to: string;
	payload: Record<string, string>;
}

const NUMBER_COLUMNS = ['to', 'phone_number', 'phone'];

/**
 * Parses a contact file: CSV, separated by commas, with the column names in the first row.
 * @throws if it is not such a file, or has no column for the numbers
 */
export function readContacts(content: string): Contact[] {
	let numbers: string | undefined;
	const rows: Array<Record<string, string>> = parse(content, {
		bom: true,
		columns: (header: string[]) => {
			const names = header.map((name) => name.trim());
			numbers = NUMBER_COLUMNS.map((wanted) => names.find((name) => name.toLowerCase() === wanted)).find(Boolean);
			return names;
		},
		relax_column_count: true,
		skip_empty_lines: true,
		trim: true,
	});
	const column = numbers;
	if (column === undefined) {
		throw new Error(`It has no column named ${NUMBER_COLUMNS.join(', ')}.`);
	}
	return rows.map(({ [column]: to = '', ...payload }) => ({ to, payload }));
}

import { parse } from 'csv-parse/sync';

/** A row of a contact file: the number as it is written, and all other columns. */
export interface Contact {
	to: string;
	payload: Record<string, string>;
}

const NUMBER_COLUMNS = ['to', 'phone_number', 'phone'];

/**
 * Reads a contact file: CSV in UTF-8, separated by commas, with the names of the columns in its first row.
 * @throws where it is no such file, or no column has the numbers
 */
export function readContacts(content: Buffer): Contact[] {
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

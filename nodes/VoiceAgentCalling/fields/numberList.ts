import { invalid } from '../../shared/errors/serviceError';
import { kindOf } from '../../shared/fields/field';
import { fromJson, isBlank, isRecord, REPEATED_NAME, repeatedNameIn } from '../../shared/lib/json';

/**
 * Returns an expression for the numbers of rows, as an example. A row without any is returned as it is: an error, but for
 * the empty row that n8n outputs without rows.
 *
 * @param fields of the rows with phone numbers
 */
export function expressionFor([name = 'phone', ...others]: readonly string[] = []): string {
	const value = (field: string) =>
		/^[a-z_]\w*$/i.test(field) ? `row.json.${field}` : `row.json[${JSON.stringify(field)}]`;
	const first = `${value(name)} ?? row`;
	const numbers = others.length > 0 ? `[${[first, ...others.map(value)].join(', ')}]` : first;
	return `{{ $('Get Rows').all().map(row => ${numbers}) }}`;
}

/**
 * Returns the entries of a list, or of a text that was typed. The text of an expression may be the number of a single
 * row, such as that of a dragged field: the other rows would then protect nobody.
 *
 * @param name of the field, in quotes
 * @param isTyped whether the field is free of expressions
 * @param example of an expression that returns a list
 * @returns undefined if empty
 * @throws ServiceError for anything else
 */
export function entriesOf(
	name: string,
	given: unknown,
	isTyped: boolean,
	example = expressionFor(),
): unknown[] | undefined {
	const value = typeof given === 'string' && given.trim().startsWith('[') ? fromJson(given) : given;
	const repeated = value === given ? undefined : repeatedNameIn(String(given));
	if (repeated !== undefined) {
		throw invalid(`${name} ${REPEATED_NAME.what}: ${repeated}`, `${REPEATED_NAME.advice}.`);
	}
	if (Array.isArray(value)) {
		return value;
	}
	if (typeof value === 'string' && (isTyped || isBlank(value))) {
		const entries = value.split(/[,;\r\n]+/).flatMap((entry) => entry.trim() || []);
		return entries.length > 0 ? entries : undefined;
	}
	if (isBlank(value)) {
		return undefined;
	}
	const what = isRecord(value) ? 'an object' : kindOf(value);
	const advice = `Use an expression that returns a list of all numbers, such as ${example}.`;
	throw invalid(`${name} is ${what}, not a list`, advice);
}

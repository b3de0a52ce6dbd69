import { type ServiceError, sentences } from '../../shared/errors/serviceError';
import type { Operation } from '../operation/operation';

/**
 * Adds the editor's names of the fields to an error about fields. The service names "Phone Numbers", for example,
 * `phone_number_ids`.
 */
export function inEditorsNames(error: ServiceError, operation: Operation): ServiceError {
	const { fields, updates, options, filters } = operation;
	const all = [...fields, ...updates, ...options, ...filters];
	const names = error.fieldNames.flatMap((fieldName) => {
		const label = all.find(({ key }) => key === fieldName)?.properties[0].displayName;
		const sameWords = label?.toLowerCase() === fieldName.replaceAll('_', ' ');
		return label === undefined || sameWords ? [] : [`${fieldName} is '${label}'`];
	});
	if (names.length === 0) {
		return error;
	}
	return error.with({ advice: sentences(error.advice, `In the editor ${names.join(', ')}.`) });
}

import { type ServiceError, sentences } from '../../shared/errors/serviceError';
import type { Operation } from '../operation/operation';

/** Adds the names that the editor shows to an error about fields: the service calls "Phone Numbers" `phone_number_ids`. */
export function inEditorsNames(error: ServiceError, operation: Operation): ServiceError {
	const { fields, updates, options, filters } = operation;
	const all = [...fields, ...updates, ...options, ...filters];
	const names = error.fieldNames.flatMap((named) => {
		const label = all.find(({ key }) => key === named)?.properties[0].displayName;
		const sameWords = label?.toLowerCase() === named.replaceAll('_', ' ');
		return label === undefined || sameWords ? [] : [`${named} is '${label}'`];
	});
	if (names.length === 0) {
		return error;
	}
	return error.with({ advice: sentences(error.advice, `In the editor ${names.join(', ')}.`) });
}

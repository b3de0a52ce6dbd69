import { ServiceError, sentences } from '../../shared/errors/serviceError';
import { valuesNamed } from '../../shared/service/refusals';
import type { Operation } from '../operation/defineOperation';

/**
 * The refusal of values with the names that the editor has for them: the service knows nothing of its
 * "Phone Numbers" and calls them `phone_number_ids`.
 */
export function inEditorsNames(error: ServiceError, operation: Operation): ServiceError {
	const { fields, updates, options, filters } = operation;
	const all = [...fields, ...updates, ...options, ...filters];
	const names = valuesNamed(error.body).flatMap((named) => {
		const label = all.find(({ key }) => key === named)?.properties[0].displayName;
		const sameWords = label?.toLowerCase() === named.replaceAll('_', ' ');
		return label === undefined || sameWords ? [] : [`${named} is '${label}'`];
	});
	if (names.length === 0) {
		return error;
	}
	const { code, httpStatus, taken, body } = error;
	const advice = sentences(error.advice, `In the editor ${names.join(', ')}.`);
	return new ServiceError(error.message, { code, advice, httpStatus, taken, body });
}

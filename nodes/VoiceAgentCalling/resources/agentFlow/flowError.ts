import { ServiceError, sentences } from '../../../shared/errors/serviceError';
import { asHtml, quantity } from '../../../shared/lib/text';
import type { CheckedFlow } from '../../agents/flows/checkFlow';

/** How many findings an error names. */
const MAX_NAMED = 5;

/**
 * Makes the error for a flow that the service rejects, or that has warnings. Nothing was saved.
 *
 * @param code `FLOW_INVALID` names what the service reports, `FLOW_WARNINGS` what the rules found
 */
export function flowError(
	code: 'FLOW_INVALID' | 'FLOW_WARNINGS',
	{ service, rules }: Pick<CheckedFlow, 'service' | 'rules'>,
): ServiceError {
	const isInvalid = code === 'FLOW_INVALID';
	const all = isInvalid
		? (service?.errors ?? []).map((text) => ({ message: sentences(text, ''), fix: '' }))
		: rules.map(({ message, path, fix }) => ({ message, fix: path === '' ? fix : `At ${path}: ${fix}` }));
	const named = all.slice(0, MAX_NAMED);
	const more = all.length - named.length;
	const message = [
		`The flow has ${all.length > 0 ? quantity(all.length, isInvalid ? 'error' : 'warning') : 'errors'}.`,
		...(isInvalid && all.length > 0 ? ['The service reports:'] : []),
		...named.map((each) => each.message),
		...(more > 0 ? [`And ${more} more: Agent Flow → Validate lists all of them.`] : []),
	];
	return new ServiceError(message.join(' '), {
		code,
		advice: isInvalid ? 'Correct the flow. Nothing was saved.' : named.map(({ fix }) => fix).join(' '),
		accepted: 'no',
	});
}

/** Returns the hint with the number of findings and the first one: "A flow has 1 error, 1 warning. The first: …". */
export function findingsInWords({ valid, service, rules }: CheckedFlow): string[] {
	const errors = service?.errors.length ?? 0;
	const counts = [
		...(valid === false ? [errors > 0 ? quantity(errors, 'error') : 'errors'] : []),
		...(rules.length > 0 ? [quantity(rules.length, 'warning')] : []),
	];
	const [first] = [...(service?.errors ?? []), ...rules.map(({ message }) => message)];
	const more = first === undefined ? '' : ` The first: ${first}`;
	return counts.length === 0 ? [] : [asHtml(`A flow has ${counts.join(', ')}.${more}`)];
}

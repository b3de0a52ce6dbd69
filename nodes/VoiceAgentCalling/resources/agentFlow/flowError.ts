import { ServiceError, sentences } from '../../../shared/errors/serviceError';
import { quantity } from '../../../shared/lib/text';
import type { CheckedFlow } from '../../agents/flows/checkFlow';

/** How many findings an error names. */
const MAX_NAMED = 5;

/** The rules that look for the same as the service run without an agent. */
const AS_SAID =
	'Correct the flow as the service says. With Flow Source at JSON, Agent Flow → Validate names each place and what to do.';

/**
 * The error for a flow that is not as it has to be. Nothing was saved.
 *
 * @param code `FLOW_INVALID` names what the service rejects or, without its answer, the errors that the rules found;
 * `FLOW_WARNINGS` names the warnings
 */
export function flowError(
	code: 'FLOW_INVALID' | 'FLOW_WARNINGS',
	{ service, rules }: Pick<CheckedFlow, 'service' | 'rules'>,
): ServiceError {
	const severity = code === 'FLOW_INVALID' ? 'error' : 'warning';
	const said =
		code === 'FLOW_INVALID' ? service?.errors.map((text) => ({ message: sentences(text, ''), fix: '' })) : undefined;
	const found = rules
		.filter((finding) => finding.severity === severity)
		.map(({ message, path, fix }) => ({ message, fix: path === '' ? fix : `At ${path}: ${fix}` }));
	const all = said ?? found;
	const named = all.slice(0, MAX_NAMED);
	const more = all.length - named.length;
	const message = [
		`The flow has ${all.length > 0 ? quantity(all.length, severity) : 'errors'}.`,
		...(said?.length ? ['The service reports:'] : []),
		...named.map((each) => each.message),
		...(more > 0 ? [`And ${more} more: Agent Flow → Validate lists all of them.`] : []),
	];
	const fixes = said?.length ? [AS_SAID] : named.map(({ fix }) => fix);
	return new ServiceError(message.join(' '), {
		code,
		advice: fixes.join(' ') || 'Use Agent Flow → Validate to find out more.',
		accepted: 'no',
	});
}

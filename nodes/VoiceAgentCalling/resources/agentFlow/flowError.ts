import { ServiceError } from '../../../shared/errors/serviceError';
import { quantity } from '../../../shared/lib/quantity';
import { countFindings, type FlowFinding } from '../../flows/flowFindings';

/** How many findings an error names. */
const MAX_NAMED = 5;

/**
 * The error for a flow that is not as it has to be. Nothing was saved.
 *
 * @param findings why; at least one, unless the service rejects the flow without a reason that is left
 */
export function flowError(code: 'FLOW_INVALID' | 'FLOW_WARNINGS', findings: readonly FlowFinding[]): ServiceError {
	const { errors, warnings } = countFindings(findings);
	const counted = [errors > 0 && quantity(errors, 'error'), warnings > 0 && quantity(warnings, 'warning')]
		.filter(Boolean)
		.join(' and ');
	const named = findings.slice(0, MAX_NAMED);
	const more = findings.length - named.length;
	const rest = more > 0 ? ` And ${more} more: Agent Flow → Lint lists all of them.` : '';
	return new ServiceError(
		`The flow has ${counted || 'errors'}. ${named.map(({ message }) => message).join(' ')}${rest}`.trim(),
		{
			code,
			advice:
				named.map(({ path, fix }) => (path === '' ? fix : `At ${path}: ${fix}`)).join(' ') ||
				'Use Agent Flow → Lint to find out more.',
			accepted: 'no',
		},
	);
}

import { OUTCOME_UNKNOWN } from '../../../shared/client/itemErrors';
import { ServiceError, sentences } from '../../../shared/errors/serviceError';
import { naming } from './matching';
import { type ApplyPlan, listed, type PlanProblem, type SentPlan, type Upserted } from './plan';

const WRONG_NODE_ID = 'WRONG_NODE_ID';

/** Makes the error for a plan with problems: nothing was sent. */
export function notApplicable(problems: readonly PlanProblem[]): ServiceError {
	const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
	const texts = problems.map(({ path, message, whatToDo }) => sentences(`${path}: ${message}`, whatToDo));
	return new ServiceError(`The document was not applied, because the plan has ${count}`, {
		code: 'NOT_APPLICABLE',
		advice: texts.join(' '),
		accepted: 'no',
	});
}

/** Makes the error for an upsert that overwrote another action or training. @param other its former name */
export function updatedByMistake({ section, name, nodeId }: Upserted, id: string, other: string): ServiceError {
	const { noun } = naming[section];
	return new ServiceError(
		`The node ID "${nodeId}" is that of the ${noun} "${other}", which was overwritten with "${name}"`,
		{
			code: WRONG_NODE_ID,
			advice: `Restore the ${noun} ${id} in the service, and give "${name}" another node_id in the document.`,
			accepted: 'no',
		},
	);
}

/**
 * Makes the error for an upsert that created an action or training by mistake.
 *
 * @param notDeleted the error if it could not be deleted again
 */
export function createdByMistake(
	{ section, name, nodeId }: Upserted,
	id: string,
	notDeleted: ServiceError | undefined,
): ServiceError {
	const { noun } = naming[section];
	const what = `The ${noun} "${name}" of the agent does not have the node ID "${nodeId}": the service created another ${noun}`;
	const remedy = `If you know the node ID of "${name}", add it to the document as node_id. Otherwise delete or rename this ${noun} of the agent, and run this again to create it anew.`;
	return new ServiceError(
		notDeleted
			? `${what}, with the ID ${id}, and it could not be deleted: ${notDeleted.message}`
			: `${what}, which was deleted again`,
		{
			code: WRONG_NODE_ID,
			advice: notDeleted ? sentences(`Delete the ${noun} ${id}`, remedy) : remedy,
			accepted: 'no',
		},
	);
}

/**
 * Makes the error for a plan that was sent in part. It names the requests that are done and those not tried.
 *
 * @param cause the error of the request that was not successful
 * @param published whether the agent was published before the first attempt, and before this one
 */
export function stoppedError(
	{ requests }: ApplyPlan,
	{ results, agentId }: SentPlan,
	cause: ServiceError,
	published: { before: boolean; now: boolean },
): ServiceError {
	const index = results.findIndex((result) => result === 'failed' || result === 'unknown');
	const isUnknown = results[index] === 'unknown';
	const step = `request ${index + 1} of ${requests.length} (${requests[index].what})`;
	const named = (wanted: string) => requests.filter((_, each) => results[each] === wanted).map(({ what }) => what);
	const [done, notTried] = [named('done'), named('notTried')];
	const mayHaveActed = (each: number) =>
		['done', 'unknown'].includes(results[each]) || (each === index && cause.code === WRONG_NODE_ID);
	const draftMakers = results.filter((_, each) => requests[each].makesDraft && mayHaveActed(each));
	const isDraft = published.now && draftMakers.every((result) => result === 'unknown') ? 'may be' : 'is';
	const advice = [
		cause.advice,
		done.length > 0 ? `Done: ${listed(done)}.` : '',
		notTried.length > 0 ? `Not tried: ${listed(notTried)}.` : '',
		agentId === undefined
			? 'Another run looks for an agent with this name first.'
			: 'Another run continues: it compares again, and sends only what still differs.',
		published.before && (!published.now || draftMakers.length > 0)
			? `The agent was published and ${isDraft} a draft now: set 'Publish Afterwards' to Always in the next run, or publish it.`
			: '',
	];
	return cause.with({
		message: sentences(isUnknown ? `It is unknown whether ${step} was done` : `Stopped at ${step}`, cause.message),
		...(isUnknown && { code: OUTCOME_UNKNOWN }),
		advice: advice.filter(Boolean).join(' '),
	});
}

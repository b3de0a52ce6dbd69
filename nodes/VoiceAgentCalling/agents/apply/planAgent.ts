import { publishRequest } from '../../operation/publishAfterwards';
import type { AgentSnapshot } from '../document/readAgentDocument';
import type { Environment } from './environment';
import { knownMembers, matched } from './matching';
import { type ApplyPlan, merged, type PlannedRequest, type PlanPart, type PlanTarget } from './plan';
import { planCreation } from './planCreation';
import { planFlow } from './planFlow';
import { planMembers, planOthers } from './planMembers';
import { planCalling, planFixedSettings, planKnowledge, planVoice } from './planSettings';

/** The input for a plan. */
interface PlanInput extends Pick<PlanTarget, 'document' | 'options'> {
	/** The agent as the service has it; undefined to create one. */
	agent: AgentSnapshot | undefined;
	/** Whether the agent was published before an earlier attempt changed it. */
	wasPublished: boolean;
	environment: Environment;
}

/**
 * Plans the requests that make an agent match a document. Only differences are sent. Values that the service does not
 * return cannot be compared.
 */
export function planAgent({ document, agent, wasPublished, environment, options }: PlanInput): ApplyPlan {
	const creation = agent ? undefined : planCreation(document, environment);
	const target: PlanTarget = { document, current: (agent ?? creation?.current) as AgentSnapshot, options };
	const settings = creation ? [creation] : [planFixedSettings(target), planKnowledge(target)];
	const actions = matched(target, 'actions');
	const trainings = matched(target, 'trainings');
	const plan = merged([
		...settings,
		planVoice(target, environment),
		...(creation ? [] : [planCalling(target, environment)]),
		planMembers(target, 'actions', actions),
		planMembers(target, 'trainings', trainings),
		planFlow(target, actions),
		...planWebhooks(target),
		// Deletions come last, when the updated flow no longer uses the actions.
		planOthers(target, 'actions', actions.others),
		planOthers(target, 'trainings', trainings.others),
	]);
	const known = new Map([...knownMembers(actions), ...knownMembers(trainings)]);
	const whole = merged([plan, planPublishing(target, plan.requests, wasPublished)]);
	// A new agent has nothing to compare with.
	return { ...whole, differences: creation ? [] : whole.differences, known };
}

function planWebhooks(target: PlanTarget): PlanPart[] {
	const webhooks = matched(target, 'webhooks');
	return [planMembers(target, 'webhooks', webhooks), planOthers(target, 'webhooks', webhooks.others)];
}

/** The note that an agent is a draft after the requests. */
export const AS_DRAFT = 'The agent is then a draft: it makes and takes no calls until it is published.';

/** Plans the publishing of an agent that is a draft, or becomes one. @param requests the earlier requests of the plan */
function planPublishing(
	{ current, options }: PlanTarget,
	requests: readonly PlannedRequest[],
	wasPublished: boolean,
): Partial<PlanPart> {
	const becomesDraft = requests.some(({ makesDraft }) => makesDraft);
	const isDraft = !current.isPublished || becomesDraft;
	const isWanted =
		options.publishAfterwards === 'always' ||
		(options.publishAfterwards === 'ifPublished' && (current.isPublished || wasPublished));
	if (isDraft && isWanted) {
		const why = current.isPublished ? 'the requests above make it a draft' : 'it is a draft';
		const what = 'Publish agent';
		return { requests: [{ ...publishRequest(current.agentId), method: 'POST', what, why, makesDraft: false }] };
	}
	return isDraft && requests.length > 0 ? { notes: [AS_DRAFT] } : {};
}

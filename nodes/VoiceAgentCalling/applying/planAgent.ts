import type { IDataObject } from 'n8n-workflow';

import type { AgentDocument } from '../agentDocument/document';
import type { DocumentedAgent } from '../agentDocument/readAgentDocument';
import { publishRequest } from '../operation/publishAfterwards';
import type { ApplyOptions, ApplyPlan, Planning } from './plan';
import { planActions } from './planActions';
import { planCreation } from './planCreation';
import { planFlow } from './planFlow';
import { planCalling, planFixedSettings, planKnowledge, planVoice } from './planSettings';
import { planTrainings } from './planTrainings';
import { planWebhooks } from './planWebhooks';
import { planDeletions } from './upserts';

/** What a plan is made from. */
export interface PlanInput {
	document: AgentDocument;
	/** The agent as the service has it; undefined to create one. */
	agent: DocumentedAgent | undefined;
	/** Whether the agent was published before an earlier try changed it. */
	wasPublished: boolean;
	/** The settings that the service requires for a new agent, where the document lacks them. */
	defaults: IDataObject;
	/** All voices of the environment. Empty if the agent has the voice of the document. */
	voices: readonly IDataObject[];
	/** All phone numbers of the environment. Empty if the agent has those of the document. */
	phoneNumbers: readonly IDataObject[];
	options: ApplyOptions;
}

/**
 * Plans the requests that make an agent match a document. Only what differs is sent; what the service does not return
 * cannot be compared.
 */
export function planAgent({
	document,
	agent,
	wasPublished,
	defaults,
	voices,
	phoneNumbers,
	options,
}: PlanInput): ApplyPlan {
	const creation = agent === undefined ? planCreation(document, defaults, phoneNumbers) : undefined;
	const current = (agent ?? creation?.current) as DocumentedAgent;
	const planning: Planning = {
		document,
		current,
		options,
		agentPath: ['agents', current.agentId],
		requests: creation ? [creation.request] : [],
		known: new Map(),
		problems: creation?.problems ?? [],
		notes: creation?.notes ?? [],
		replacedActionIds: [],
		notCompared: [],
	};
	planFixedSettings(planning);
	planKnowledge(planning);
	planVoice(planning, voices);
	planCalling(planning, phoneNumbers);
	const actions = planActions(planning);
	const otherTrainings = planTrainings(planning);
	const deleted = options.removeOthers ? actions.others.map(({ id }) => id) : [];
	planFlow(planning, actions.ids, deleted);
	planWebhooks(planning);
	// Only now the flow does not use these actions any more.
	planDeletions(planning, 'actions', actions.others);
	planDeletions(planning, 'trainings', otherTrainings);
	planPublishing(planning, wasPublished);
	const { requests, known, problems, replacedActionIds, notCompared, notes } = planning;
	return { requests, known, problems, replacedActionIds, notCompared, notes };
}

/** Plans the publishing of an agent that is, or becomes, a draft. */
function planPublishing({ current, options, requests, notes }: Planning, wasPublished: boolean): void {
	const becomesDraft = requests.some(({ makesDraft }) => makesDraft);
	const isDraft = !current.isPublished || becomesDraft;
	const isWanted =
		options.publishAfterwards === 'always' ||
		(options.publishAfterwards === 'ifPublished' && (current.isPublished || wasPublished));
	if (isDraft && isWanted) {
		requests.push({
			...publishRequest(current.agentId),
			method: 'POST',
			what: 'Publish agent',
			why: current.isPublished ? 'the requests above make it a draft' : 'it is a draft',
			makesDraft: false,
		});
	} else if (becomesDraft && current.isPublished) {
		notes.push('The agent becomes a draft: it makes and takes no calls until it is published.');
	}
}

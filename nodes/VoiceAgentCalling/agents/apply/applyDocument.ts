import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { NOT_TRIED } from '../../../shared/client/itemErrors';
import { ServiceError } from '../../../shared/errors/serviceError';
import { asHtml, quantity, quoted } from '../../../shared/lib/text';
import type { AgentDocument } from '../document/document';
import { readAgentDocument } from '../document/readAgentDocument';
import { readEnvironment } from './environment';
import { type ApplyOptions, type ApplyPlan, changeInTurn, merged, type PlanProblem } from './plan';
import { AS_DRAFT, planAgent } from './planAgent';
import { validateFlow } from './planFlow';
import { resultOfPlan, sendPlan } from './sendPlan';
import { notApplicable, stoppedError } from './stoppedError';

/** A document to apply, with the options of the user. */
interface Application {
	document: AgentDocument;
	/** Undefined to find the agent by the name in the document, and to create it if none is found. */
	agentId: string | undefined;
	/** Whether to return the plan without sending it. */
	dryRun: boolean;
	options: ApplyOptions;
}

/**
 * Makes an agent match a document, or creates it.
 *
 * @returns the plan, with the result of each request unless it is a dry run
 * @throws ServiceError `NOT_APPLICABLE` before anything is sent; or the error of a request, with a report of what was done
 */
export async function applyDocument(api: Api, application: Application): Promise<IDataObject> {
	// Two items may name the same agent, one by its ID and one by its name, so all agents share one queue.
	return await changeInTurn(api, 'any agent', () => applyNow(api, application));
}

async function applyNow(api: Api, application: Application): Promise<IDataObject> {
	const { document, dryRun, options } = application;
	const { name } = document.settings;
	const agentIds = application.agentId === undefined ? await agentsNamed(api, name) : [application.agentId];
	const [agentId] = agentIds;
	const agent = agentIds.length === 1 ? await readAgentDocument(api, agentId) : undefined;
	const mark = `published ${agentId}`;
	const wasPublished = agent !== undefined && (agent.isPublished || api.isMarked(mark));
	const planned =
		agentIds.length > 1
			? ambiguous(name, agentIds.length)
			: planAgent({
					document,
					agent,
					wasPublished,
					options,
					environment: await readEnvironment(api, document, agent),
				});
	const validated = agent === undefined ? {} : await validateFlow(api, planned, agent.agentId);
	const plan: ApplyPlan = { ...merged([planned, validated]), known: planned.known };
	const target = { agentId: agent?.agentId ?? null, name, creates: agentIds.length === 0 };
	const hidden = plan.notCompared.length;
	const aboutHidden = hidden > 0 ? ` ${quantity(hidden, 'value')} cannot be compared: see notCompared.` : '';
	if (dryRun) {
		const problems = plan.problems.map(({ message }) => message);
		const what =
			problems.length > 0
				? `The document cannot be applied: ${problems.join('; ')}.`
				: `${quantity(plan.requests.length, 'request')} would be sent.${aboutHidden}`;
		api.note(asHtml(`Dry run: nothing was changed. ${what}`));
		return resultOfPlan(target, plan);
	}
	if (plan.problems.length > 0) {
		throw notApplicable(plan.problems).with({ report: { agentId: target.agentId, problems: reported(plan.problems) } });
	}
	/** Names of agents that this run may have created: the outcome of the request is unknown. */
	const uncertain = await api.remember('uncertain names', async () => new Set<string>());
	if (agent === undefined && uncertain.has(name)) {
		throw creationUnknown(name);
	}
	if (agent?.isPublished && plan.requests.some(({ makesDraft }) => makesDraft)) {
		api.mark(mark);
	}
	const sent = await sendPlan(api, plan, agent?.agentId);
	const result = resultOfPlan(target, plan, sent);
	if (sent.error === undefined) {
		api.note(
			asHtml(
				plan.requests.length === 0
					? `No difference found in agent ${quoted(name)}.${aboutHidden}`
					: `Agent ${quoted(name)} ${agent === undefined ? 'created' : 'changed'}: ${quantity(plan.requests.length, 'request')} sent.`,
			),
		);
		if (plan.notes.includes(AS_DRAFT)) {
			api.note('The agent is a draft: it makes and takes no calls before Agent → Publish.');
		}
		return result;
	}
	if (sent.agentId === undefined && sent.error.accepted === 'unknown') {
		uncertain.add(name);
	}
	const published = { before: wasPublished, now: agent?.isPublished === true };
	throw stoppedError(plan, sent, sent.error, published).with({ report: result });
}

function reported(problems: readonly PlanProblem[]): IDataObject[] {
	return problems.map((problem) => ({ ...problem }));
}

/** Makes the error for an agent that another item of the run may have created. */
function creationUnknown(name: string): ServiceError {
	return new ServiceError(`Another item may have created the agent "${name}"`, {
		code: NOT_TRIED,
		advice: 'Check in the service whether it exists before you run this again.',
		accepted: 'no',
	});
}

/** Finds the IDs of the agents with a name. */
async function agentsNamed(api: Api, name: string): Promise<string[]> {
	const list = { method: 'GET', path: ['agents'] } as const;
	// The search of the service is not exact, and the documentation does not define what it omits.
	const hasName = (agent: IDataObject) => agent.name === name;
	const found = await api.whole(list, ({ data }) => data, hasName);
	return found.map(({ id }) => String(id));
}

/** Makes the plan for a name that several agents have: it consists of one problem. */
function ambiguous(name: string, count: number): ApplyPlan {
	const problem: PlanProblem = {
		path: 'settings.name',
		message: `${count} agents have the name "${name}"`,
		whatToDo: "Set 'Apply To' to Existing Agent and choose one of them.",
	};
	return { ...merged([{ problems: [problem] }]), known: new Map() };
}

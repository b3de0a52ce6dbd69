import { type IDataObject, sleep } from 'n8n-workflow';

import { ServiceError, toResult } from '../../shared/errors/serviceError';
import type { AgentDocument } from '../agentDocument/document';
import { readVoices } from '../agentDocument/names';
import { readAgentDocument } from '../agentDocument/readAgentDocument';
import type { Api } from '../sending/api';
import { NOT_TRIED } from '../sending/itemErrors';
import type { ApplyOptions, ApplyPlan, PlanProblem } from './plan';
import { planAgent } from './planAgent';
import { resultOfPlan } from './planResult';
import { needsPhoneNumbers, needsVoices } from './planSettings';
import { sendPlan } from './sendPlan';
import { notApplicable, stoppedError } from './stoppedError';

/** What to apply, and to which agent. */
export interface Application {
	document: AgentDocument;
	/** The agent; undefined for the one with the name in the document, or a new one if no agent has it. */
	agentId: string | undefined;
	/** Whether to return the plan only. */
	dryRun: boolean;
	options: ApplyOptions;
	/** The settings that the service requires for a new agent, where the document lacks them. */
	defaults: IDataObject;
}

/**
 * Runs the applications of a run one after the other: two of them may be about the same agent, and the later one has to
 * see what the earlier one has changed.
 */
async function inTurn<Value>(api: Api, apply: () => Promise<Value>): Promise<Value> {
	const queue = await api.remember('applications', async () => ({ last: Promise.resolve() }));
	const application = queue.last.then(apply);
	// An application that fails can end the run: the pause lets the next one know before it begins.
	queue.last = toResult(application).then(() => sleep(0));
	return await application;
}

/**
 * Makes an agent match a document, or creates it.
 *
 * @returns the plan, and for each request whether it was sent
 * @throws ServiceError `NOT_APPLICABLE` before anything is sent; or why a request was not successful, with what was done
 */
export async function applyDocument(api: Api, application: Application): Promise<IDataObject> {
	return await inTurn(api, () => applyNow(api, application));
}

async function applyNow(api: Api, application: Application): Promise<IDataObject> {
	const { document, dryRun, options, defaults } = application;
	const { name } = document.settings;
	const agentIds = application.agentId === undefined ? await agentsNamed(api, name) : [application.agentId];
	const [agentId] = agentIds;
	const agent = agentIds.length === 1 ? await readAgentDocument(api, agentId) : undefined;
	const mark = `published ${agentId}`;
	const wasPublished = agent !== undefined && (agent.isPublished || api.isMarked(mark));
	const plan =
		agentIds.length > 1
			? ambiguous(name, agentIds.length)
			: planAgent({
					document,
					agent,
					wasPublished,
					defaults,
					voices: needsVoices(document, agent) ? await readVoices(api) : [],
					phoneNumbers: needsPhoneNumbers(document, agent) ? await readPhoneNumbers(api) : [],
					options,
				});
	const target = { agentId: agent?.agentId ?? null, name, creates: agentIds.length === 0 };
	if (dryRun) {
		return resultOfPlan(target, plan);
	}
	if (plan.problems.length > 0) {
		throw notApplicable(plan.problems).with({ report: { agentId: target.agentId, problems: reported(plan.problems) } });
	}
	/** Names of agents of which it is unknown whether this run has created them. */
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
		return result;
	}
	if (sent.agentId === undefined && sent.error.accepted === 'unknown') {
		uncertain.add(name);
	}
	throw stoppedError(plan, sent, sent.error, wasPublished).with({ report: result });
}

function reported(problems: readonly PlanProblem[]): IDataObject[] {
	return problems.map((problem) => ({ ...problem }));
}

/** The error for an agent that another item of the run may have created. */
function creationUnknown(name: string): ServiceError {
	return new ServiceError(`Another item may have created the agent "${name}"`, {
		code: NOT_TRIED,
		advice: 'Check in the service whether it exists before you run this again.',
		accepted: 'no',
	});
}

/** The IDs of the agents with a name. */
async function agentsNamed(api: Api, name: string): Promise<string[]> {
	const list = { method: 'GET', path: ['agents'] } as const;
	// The service's search is not exact, and it is not documented what it leaves out.
	const hasName = (agent: IDataObject) => agent.name === name;
	const found = await api.whole(list, ({ data }) => data, hasName);
	return found.map(({ id }) => String(id));
}

/** The plan for a name that several agents have. */
function ambiguous(name: string, count: number): ApplyPlan {
	const problem: PlanProblem = {
		path: 'settings.name',
		message: `${count} agents have the name "${name}"`,
		whatToDo: "Set 'Apply To' to Existing Agent and choose one of them.",
	};
	return { requests: [], known: new Map(), problems: [problem], replacedActionIds: [], notCompared: [], notes: [] };
}

async function readPhoneNumbers(api: Api): Promise<IDataObject[]> {
	return await api.remember('phoneNumbers', () =>
		api.pages({ method: 'GET', path: ['phone-numbers'] }, ({ data }) => data, Number.POSITIVE_INFINITY),
	);
}

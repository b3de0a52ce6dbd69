import type { IDataObject, INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isGone, toResult } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import { readRawBody, respond } from '../../shared/lib/webhookResponse';
import { loadKeys } from '../../shared/nodeLink/keys';
import { MESSAGE_HEADER, proofFor, readMessage } from '../../shared/nodeLink/messages';
import type { ServiceRequest } from '../../shared/service/request';
import { connect, send } from '../../shared/service/transport';
import { outcomeOfEvent, withOutcome } from './callOutcome';
import { watchDeadline } from './deadline';
import { isListed, readCalls } from './readCalls';
import { endWait, isFor, progressOf, readState, type WaitProgress, type WaitState, waitIdOf } from './state';

/** Less than the timeout of the sender of a message. */
const TIMEOUT_SECONDS = 15;

/**
 * Receives the outcome of a call that an execution waits for. Resumes the execution when all outcomes have arrived, or
 * the time is up. Accepts only messages of a node with the same credential; never throws.
 *
 * A waiting node cannot store anything, so earlier outcomes are kept in the memory of this process. If some may be
 * missing there (after a restart, or with several processes), the service is asked for the other calls.
 */
export async function resumeWaiting(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await handle(caller);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		caller.logger.warn(`"${caller.getNode().name}" could not read what it waits for: ${reason}`);
		return respond(caller, 503, 'Try again');
	}
}

async function handle(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	const keys = await loadKeys(caller);
	const signature = caller.getRequestObject().headers[MESSAGE_HEADER];
	const message = readMessage(keys.messages, await readRawBody(caller), signature);
	if (message === undefined) {
		return respond(caller, 401, 'Unauthorized');
	}
	caller.getResponseObject().setHeader(MESSAGE_HEADER, proofFor(keys.messages, String(signature)));
	const state = readState(caller);
	if (state === undefined || !isFor(waitIdOf(caller, state.run), message)) {
		return respond(caller, 409, 'Nothing waits for this');
	}
	const progress = progressOf(caller, state.run);
	if (progress.resumed) {
		return respond(caller, 200, 'OK');
	}
	const timeIsUp = message.timeUp === true;
	if (isRecord(message.event)) {
		const event = message.event as IDataObject;
		if (await isOfAnotherCall(caller, state, Number(message.item), event)) {
			return respond(caller, 409, 'Another call is awaited');
		}
		progress.outcomes.set(Number(message.item), outcomeOfEvent(event));
	}
	const isIncomplete = () => missingCalls(state, progress).length > 0;
	if (isIncomplete() && !timeIsUp) {
		watchDeadline(caller, keys.messages, state);
	}
	if (isIncomplete() && (timeIsUp || !progress.complete)) {
		progress.asking ??= askService(caller, state, progress, timeIsUp).finally(() => (progress.asking = undefined));
		// The outcome is kept, but it may have been the last message: a 503 makes the sender repeat it.
		if (!(await progress.asking) && !timeIsUp) {
			return respond(caller, 503, 'Try again');
		}
	}
	// Another message may have resumed the execution during the request to the service.
	if (progress.resumed || (isIncomplete() && !timeIsUp)) {
		return respond(caller, 200, 'OK');
	}
	const items = placedItems(caller).map((item, index) => {
		const { result, sameNumberAsItem } = item.json;
		const callItem = result === 'sameNumber' ? Number(sameNumberAsItem) : index;
		return { ...item, json: withOutcome(item.json, progress.outcomes.get(callItem)) };
	});
	progress.resumed = true;
	const response = caller.getResponseObject();
	response.once('close', () => {
		// After an error of n8n the sender repeats the message.
		if (response.statusCode >= 500) {
			progress.resumed = false;
		} else {
			endWait(progress);
		}
	});
	return { workflowData: [items] };
}

/**
 * Whether an event belongs to another call, whose context was copied from the awaited one. What the ID in an event
 * identifies is not published; so another ID counts only if a call has it that is awaited, or listed for the agent or
 * campaign of the awaited call or of the event.
 *
 * @throws ServiceError if the service could not be asked
 */
async function isOfAnotherCall(
	caller: IWebhookFunctions,
	{ calls, calledBy, since }: WaitState,
	item: number,
	event: IDataObject,
): Promise<boolean> {
	const { call_id: id } = event;
	const awaited = calls.find((call) => call.item === item);
	if (awaited === undefined || typeof id !== 'string' || id === awaited.id) {
		return false;
	}
	if (calls.some((call) => call.id === id)) {
		return true;
	}
	const connection = await connect(caller);
	const sendRequest = (request: ServiceRequest) => send(caller, connection, request, TIMEOUT_SECONDS);
	const owners = [awaited.owner, event[calledBy === 'agentId' ? 'agent_id' : 'campaign_id']];
	for (const owner of new Set(owners.filter((one) => typeof one === 'string'))) {
		const { value, error } = await toResult(isListed(sendRequest, calledBy, { owner, id }, since));
		if (value === true) {
			return true;
		}
		if (error !== undefined && !isGone(error)) {
			throw error;
		}
	}
	return false;
}

function missingCalls({ calls }: WaitState, { outcomes }: WaitProgress) {
	return calls.filter(({ item }) => !outcomes.has(item));
}

/**
 * Adds the outcomes of calls that the service lists as over. Until the time is up, a completed call does not count if
 * its report, transcript or recording is awaited.
 *
 * @returns whether the service has responded
 */
async function askService(
	caller: IWebhookFunctions,
	state: WaitState,
	progress: WaitProgress,
	timeIsUp: boolean,
): Promise<boolean> {
	try {
		const connection = await connect(caller);
		const sendRequest = (request: ServiceRequest) => send(caller, connection, request, TIMEOUT_SECONDS);
		const over = await readCalls(sendRequest, state.calledBy, missingCalls(state, progress), state.since);
		for (const [item, outcome] of over) {
			if (timeIsUp || !state.forMore || outcome.outcome !== 'completed') {
				progress.outcomes.set(item, outcome);
			}
		}
		return true;
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		caller.logger.warn(`"${caller.getNode().name}" could not ask the service about its calls: ${reason}`);
		return false;
	}
}

/** The node's items with the placed calls, as they were stored with the execution. */
function placedItems(caller: IWebhookFunctions): INodeExecutionData[] {
	return caller.evaluateExpression('{{ $input.all() }}') as unknown as INodeExecutionData[];
}

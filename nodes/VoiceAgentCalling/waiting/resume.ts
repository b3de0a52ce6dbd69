import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isGone, toResult } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import { readRawBody, respond } from '../../shared/lib/webhookResponse';
import { loadKeys } from '../../shared/nodeLink/keys';
import { MESSAGE_HEADER, proofFor, readMessage } from '../../shared/nodeLink/messages';
import { CALLER_IDS } from '../operation/operation';
import { requestsOf } from './askService';
import { addEvent } from './callNews';
import { watchDeadline } from './deadline';
import { answerProcess } from './otherProcesses';
import { isListed } from './readCalls';
import { resumedItems } from './resumedItems';
import { type AwaitedCall, endWithResponse, isFor, progressOf, readState, type WaitState, waitIdOf } from './state';
import { askForMissing, isIncomplete, isVoicemailKnown, type RunningWait } from './whatIsMissing';

/**
 * Receives an event of a call that an execution waits for. Resumes the execution when everything has arrived, or the
 * time is up. Accepts only messages of a node with the same credential; never throws.
 *
 * A waiting node cannot store anything, so earlier events are kept in the memory of this process. If some may be missing
 * there (after a restart, or with several processes), the other processes and the service are asked.
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
	if (isRecord(message.exchange)) {
		return respond(caller, 200, answerProcess(keys, progress, message.exchange as IDataObject));
	}
	const timeIsUp = message.timeUp === true;
	const item = Number(message.item);
	if (isRecord(message.event)) {
		const event = message.event as IDataObject;
		const awaited = state.calls.find((call) => call.item === item);
		// The outcome of its item is given already, such as one that is unknown.
		if (awaited === undefined) {
			return respond(caller, 409, 'This call is not awaited');
		}
		if (await isOfAnotherCall(caller, state, awaited, event)) {
			return respond(caller, 409, 'Another call is awaited');
		}
		addEvent(progress, state.calledBy, item, event);
	}
	const wait: RunningWait = { caller, keys, state, progress, timeIsUp };
	if (isIncomplete(wait) && !timeIsUp) {
		watchDeadline(caller, keys.messages, state);
	}
	if (isIncomplete(wait) && (timeIsUp || !progress.complete)) {
		progress.asking ??= askForMissing(wait, item).finally(() => (progress.asking = undefined));
		// The event is kept, but it may have been the last message: a 503 makes the sender repeat it.
		const answered = await progress.asking;
		if (answered === 'elsewhere' && !timeIsUp) {
			return respond(caller, 200, 'OK');
		}
		if (!answered && !timeIsUp) {
			return respond(caller, 503, 'Try again');
		}
	}
	const isOver = timeIsUp || !isIncomplete(wait);
	if (isOver && !(await isVoicemailKnown(wait, Number(message.patienceMs ?? 0)))) {
		return respond(caller, 503, 'Try again');
	}
	// Another message may have resumed the execution in the meantime.
	if (progress.resumed || (isIncomplete(wait) && !timeIsUp)) {
		return respond(caller, 200, 'OK');
	}
	const items = resumedItems(wait);
	progress.resumed = true;
	endWithResponse(caller, progress);
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
	awaited: AwaitedCall,
	event: IDataObject,
): Promise<boolean> {
	const { call_id: id } = event;
	if (typeof id !== 'string' || id === awaited.id) {
		return false;
	}
	if (calls.some((call) => call.id === id)) {
		return true;
	}
	const sendRequest = await requestsOf(caller);
	const owners = [awaited.owner, event[CALLER_IDS[calledBy ?? 'campaignId']]];
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

import type { IDataObject, INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isRecord } from '../../shared/lib/isRecord';
import { answer, readRawBody } from '../../shared/lib/webhookResponse';
import { loadKeys } from '../../shared/nodeLink/keys';
import { MESSAGE_HEADER, proofFor, readMessage } from '../../shared/nodeLink/messages';
import type { ServiceRequest } from '../../shared/service/request';
import { connect, send } from '../../shared/service/transport';
import { outcomeOfEvent, withOutcome } from './callOutcome';
import { watchDeadline } from './deadline';
import { readCalls } from './readCalls';
import { endWait, type Known, knownOf, placeOf, readState, type WaitState } from './state';

/** Less than the sender of a message waits. */
const TIMEOUT_SECONDS = 15;

/**
 * Takes the outcome of a call that an execution waits for, and lets the execution go on when it has all that it waits
 * for, or when the time is up. Only messages of a node with the same credential count; nothing is thrown.
 *
 * A waiting node cannot store anything, so what comes before the last outcome is kept in this process alone. Where that
 * is not all there was (after a restart, or with several processes), the service is asked about the other calls.
 */
export async function resumeWaiting(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await handle(caller);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		caller.logger.warn(`What "${caller.getNode().name}" waits for could not be taken: ${reason}`);
		return answer(caller, 503, 'Try again');
	}
}

async function handle(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	const keys = await loadKeys(caller);
	const signature = caller.getRequestObject().headers[MESSAGE_HEADER];
	const message = readMessage(keys.messages, await readRawBody(caller), signature);
	if (message === undefined) {
		return answer(caller, 401, 'Unauthorized');
	}
	caller.getResponseObject().setHeader(MESSAGE_HEADER, proofFor(keys.messages, String(signature)));
	const state = readState(caller);
	if (state === undefined || !isMeantFor(placeOf(caller, state.run), message)) {
		return answer(caller, 409, 'Nothing waits for this');
	}
	const known = knownOf(caller, state.run);
	if (known.resumed) {
		return answer(caller, 200, 'OK');
	}
	const timeIsUp = message.timeUp === true;
	if (isRecord(message.event)) {
		known.outcomes.set(Number(message.item), outcomeOfEvent(message.event as IDataObject));
	}
	if (missing(state, known).length > 0 && !timeIsUp) {
		watchDeadline(caller, keys.messages, state);
	}
	if (missing(state, known).length > 0 && (timeIsUp || !known.complete)) {
		known.asking ??= askService(caller, state, known, timeIsUp).finally(() => (known.asking = undefined));
		// What is told here is kept, but it may have been the last there is: so it comes again.
		if (!(await known.asking) && !timeIsUp) {
			return answer(caller, 503, 'Try again');
		}
	}
	// While the service was asked, another message may have been faster.
	if (known.resumed || (missing(state, known).length > 0 && !timeIsUp)) {
		return answer(caller, 200, 'OK');
	}
	const json = placedItems(caller).map((item, index) => ({
		...item,
		json: withOutcome(item.json, index, known.outcomes),
	}));
	known.resumed = true;
	const response = caller.getResponseObject();
	response.once('close', () => {
		// If n8n could not store it, it comes again.
		if (response.statusCode >= 500) {
			known.resumed = false;
		} else {
			endWait(known);
		}
	});
	return { workflowData: [json] };
}

function isMeantFor(place: ReturnType<typeof placeOf>, { execution, node, run }: IDataObject): boolean {
	return execution === place.execution && node === place.node && run === place.run;
}

function missing({ calls }: WaitState, { outcomes }: Known) {
	return calls.filter(({ item }) => !outcomes.has(item));
}

/**
 * Adds what the service knows. A call that is to bring more than its end goes on being waited for until the time is up.
 *
 * @returns whether the service has answered
 */
async function askService(
	caller: IWebhookFunctions,
	state: WaitState,
	known: Known,
	timeIsUp: boolean,
): Promise<boolean> {
	try {
		const connection = await connect(caller);
		const request = (wanted: ServiceRequest) => send(caller, connection, wanted, TIMEOUT_SECONDS);
		const over = await readCalls(request, state.calledBy, missing(state, known), state.since);
		for (const [item, outcome] of over) {
			if (timeIsUp || !state.forMore || outcome.outcome !== 'completed') {
				known.outcomes.set(item, outcome);
			}
		}
		return true;
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		caller.logger.warn(`"${caller.getNode().name}" could not ask the service about its calls: ${reason}`);
		return false;
	}
}

/** What the node had placed, as it was stored with the execution. */
function placedItems(caller: IWebhookFunctions): INodeExecutionData[] {
	return caller.evaluateExpression('{{ $input.all() }}') as unknown as INodeExecutionData[];
}

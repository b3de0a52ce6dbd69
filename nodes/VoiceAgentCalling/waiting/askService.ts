import type { IWebhookFunctions } from 'n8n-workflow';

import { asServiceError, type ServiceError } from '../../shared/errors/serviceError';
import type { ServiceRequest } from '../../shared/service/request';
import { connect, send } from '../../shared/service/transport';
import { addEvent, addNews } from './callNews';
import { readDeliveries } from './deliveryLogs';
import { readCalls } from './readCalls';
import type { AwaitedCall, WaitProgress, WaitState } from './state';

/** Less than the timeout of the sender of a message. */
const TIMEOUT_SECONDS = 15;

/** Sends requests to the service with the node's credential. @throws ServiceError */
export async function requestsOf(caller: IWebhookFunctions) {
	const connection = await connect(caller);
	return async (request: ServiceRequest) => await send(caller, connection, request, TIMEOUT_SECONDS);
}

/**
 * Adds the outcomes of those calls that the service lists as over.
 *
 * @returns whether the service has responded
 */
export async function askForOutcomes(
	caller: IWebhookFunctions,
	{ calledBy, since }: WaitState,
	progress: WaitProgress,
	calls: readonly AwaitedCall[],
): Promise<boolean> {
	if (calls.length === 0) {
		return true;
	}
	try {
		const over = await readCalls(await requestsOf(caller), calledBy, calls, since);
		for (const [item, outcome] of over) {
			addNews(progress, { item, outcome });
		}
		return true;
	} catch (error) {
		warn(caller, 'about its calls', asServiceError(error));
		return false;
	}
}

/**
 * Adds the events of calls that another process has received, or this one before a restart, as far as the log of the
 * webhook shows them.
 *
 * @param isDone whether nothing is looked for any more
 * @returns whether the service has responded; a refusal counts, because it would refuse again
 */
export async function askForEvents(
	caller: IWebhookFunctions,
	{ calledBy, since }: WaitState,
	progress: WaitProgress,
	calls: readonly AwaitedCall[],
	isDone: () => boolean,
): Promise<boolean> {
	const logs = new Map(calls.flatMap(({ owner, webhook }) => (webhook === undefined ? [] : [[webhook, owner]])));
	for (const [webhook, owner] of logs) {
		try {
			await readDeliveries(
				await requestsOf(caller),
				calledBy,
				{ owner, webhook },
				{ calls: calls.filter((call) => call.webhook === webhook), since },
				{ isDone, onEvent: ({ item }, event) => addEvent(progress, calledBy, item, event) },
			);
		} catch (cause) {
			const error = asServiceError(cause);
			warn(caller, 'about what it has delivered', error);
			if (mayAnswerLater(error)) {
				return false;
			}
		}
	}
	return true;
}

function warn(caller: IWebhookFunctions, what: string, { message }: ServiceError): void {
	caller.logger.warn(`"${caller.getNode().name}" could not ask the service ${what}: ${message}`);
}

/** Whether the service may answer when it is asked again: it did not answer, had trouble, or had too many requests. */
function mayAnswerLater({ code, httpStatus = 500 }: ServiceError): boolean {
	return code !== 'UNREADABLE_ANSWER' && (httpStatus === 429 || httpStatus > 499);
}

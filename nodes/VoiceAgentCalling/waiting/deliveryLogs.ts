import type { IDataObject } from 'n8n-workflow';

import { PAGE_SIZE, readPage } from '../../shared/client/pagination';
import type { ServiceRequest } from '../../shared/client/request';
import { readEvent, type ServiceEvent } from '../../shared/events/event';
import { isRecord } from '../../shared/lib/json';
import { timeIn } from '../../shared/lib/time';
import type { CallerIdField } from '../operation/call';
import type { AwaitedCall } from './state';

/** How many pages of a log are read at most. */
const MAX_PAGES = 20;

/** The log is in whole seconds, and the clock of the service may differ. */
const MARGIN_MS = 60_000;

/** Sends one request and returns its body. @throws ServiceError */
type SendRequest = (request: ServiceRequest) => Promise<IDataObject>;

/**
 * Looks up events of calls in the log of a webhook, which keeps what was delivered to any process. Reads from the
 * newest entry on, and stops where the service does not show what was sent: it documents that for agent webhooks only.
 *
 * @param owner ID of the agent or campaign, and `webhook` that of its webhook
 * @param since a time before the first call was placed, in milliseconds since 1970
 * @param isDone whether nothing more is looked for; called after each page
 * @param onEvent called with each event of one of the calls
 * @throws ServiceError
 */
export async function readDeliveries(
	sendRequest: SendRequest,
	callerIdField: CallerIdField,
	{ owner, webhook }: { owner: string; webhook: string },
	{ calls, since }: { calls: readonly AwaitedCall[]; since: number },
	{ isDone, onEvent }: { isDone(): boolean; onEvent(call: AwaitedCall, event: ServiceEvent): void },
): Promise<void> {
	const byId = new Map(calls.map((call) => [call.id, call]));
	const path = [callerIdField === 'agentId' ? 'agents' : 'campaigns', owner, 'webhooks', webhook, 'logs'];
	let page: number | undefined = 1;
	while (page !== undefined && page <= MAX_PAGES && !isDone()) {
		const query: IDataObject = { page, per_page: PAGE_SIZE };
		const body = await sendRequest({ method: 'GET', path, query });
		const { items, next } = readPage(body, ({ data }) => data, page);
		const shown = items.filter(({ request_payload: sent }) => isRecord(sent));
		for (const { request_payload: sent, event: type } of shown) {
			const event = readEvent(sent as IDataObject, type);
			const call = byId.get(event.callId ?? '');
			if (call !== undefined) {
				onEvent(call, event);
			}
		}
		const isOld = items.some(({ created_at: at }) => (timeIn(at) ?? Number.POSITIVE_INFINITY) < since - MARGIN_MS);
		page = isOld || shown.length === 0 ? undefined : next;
	}
}

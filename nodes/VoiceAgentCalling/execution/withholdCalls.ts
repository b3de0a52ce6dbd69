import { sleep } from 'n8n-workflow';

import { type ServiceError, toResult } from '../../shared/errors/serviceError';
import type { Item } from '../operation/items';
import { type OperationRun, refuseItem, throwIfCanceled } from '../operation/operationRun';
import { Withheld } from '../operation/withheld';
import { callRules, frequency } from '../readiness/load';
import type { CallRules } from '../readiness/mayCall';
import { type Api, createSharedApi } from '../sending/api';
import { SentRequests } from '../sending/sentRequests';
import { withheldOutcome } from './outcomes';

/** How many items are checked before other work of the event loop runs. */
const CHUNK = 200;

/**
 * Takes out the calls that the user's rules do not allow, before anything else is read or checked for them. What passes
 * is checked again when it is sent. Items that an earlier try has called stay: that call is their result.
 */
export async function withholdCalls(operationRun: OperationRun): Promise<void> {
	const { run, operation, items, isCanceled } = operationRun;
	const { callerIdField } = operation;
	const { hasRules, mayCall } = await callRules();
	const restricted = [...items.entries()].flatMap(([itemIndex, item]) =>
		item.input && hasRules(item.input.local) && !run.sent.earlierItems.has(itemIndex) ? [{ item, ...item.input }] : [],
	);
	if (restricted.length === 0) {
		return;
	}
	const api = createSharedApi(run, () => throwIfCanceled(operationRun));
	const notCounted = await countCalls(operationRun, api, restricted);
	/** Campaigns that could not be read. Their items fail with the reason when they are to be sent. */
	const unread = new Set<unknown>();
	for (const [count, { item, values, local }] of restricted.entries()) {
		if (count % CHUNK === CHUNK - 1) {
			await sleep(0);
		}
		if (isCanceled()) {
			return;
		}
		if (notCounted && isCapped(local)) {
			refuseItem(item, notCounted);
			continue;
		}
		// A check of calls says of each what the rules say.
		if (callerIdField === undefined || unread.has(values.campaignId)) {
			continue;
		}
		const { error } = await toResult(mayCall(api, callerIdField, values as never, local));
		if (error instanceof Withheld) {
			refuseItem(item, error, withheldOutcome(error));
		} else if (error && callerIdField === 'campaignId') {
			unread.add(values.campaignId);
		}
	}
}

const isCapped = ({ frequencyCap }: CallRules) => frequencyCap !== undefined;

/**
 * Reads the last calls for all items with a frequency cap, and counts what an earlier try has queued.
 *
 * @returns why they cannot be counted
 */
async function countCalls(
	{ run, operation, items }: OperationRun,
	api: Api,
	restricted: ReadonlyArray<{ item: Item; local: CallRules }>,
): Promise<ServiceError | undefined> {
	const days = restricted.flatMap(({ local: { frequencyCap } }) => frequencyCap?.days ?? []);
	if (days.length === 0) {
		return undefined;
	}
	const { lastCalls, countQueued } = await frequency();
	const longest = days.reduce((most, one) => Math.max(most, one));
	const read = async () => {
		await lastCalls(api, longest);
		for (const itemIndex of run.sent.earlierItems) {
			const { input } = items[itemIndex] ?? {};
			const call = input && operation.callIn(input.values);
			const identity = run.sent.callSentEarlier(itemIndex, true)?.identity;
			if (call?.callerIdField === 'campaignId' && SentRequests.identityOf(call) === identity) {
				await countQueued(api, longest, call.to, String(call.callerId));
			}
		}
	};
	const { error } = await toResult(read());
	return error?.with({ accepted: 'no' });
}

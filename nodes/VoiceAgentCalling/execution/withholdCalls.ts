import { sleep } from 'n8n-workflow';

import { toResult } from '../../shared/errors/serviceError';
import { type OperationRun, refuseItem, throwIfCanceled } from '../operation/operationRun';
import { Withheld } from '../operation/withheld';
import { callRules } from '../readiness/load';
import { createSharedApi } from '../sending/api';
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
		item.input && hasRules(item.input.local) ? [{ itemIndex, item, ...item.input }] : [],
	);
	if (callerIdField === undefined || restricted.length === 0) {
		return;
	}
	const api = createSharedApi(run, () => throwIfCanceled(operationRun));
	/** Campaigns that could not be read. Their items fail with the reason when they are to be sent. */
	const unread = new Set<unknown>();
	for (const [count, { itemIndex, item, values, local }] of restricted.entries()) {
		if (count % CHUNK === CHUNK - 1) {
			await sleep(0);
		}
		if (isCanceled() || run.sent.earlierItems.has(itemIndex) || unread.has(values.campaignId)) {
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

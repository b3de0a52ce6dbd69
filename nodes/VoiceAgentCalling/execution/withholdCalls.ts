import { sleep } from 'n8n-workflow';

import { ServiceError, toResult } from '../../shared/errors/serviceError';
import type { ItemInput } from '../operation/items';
import { type OperationRun, throwIfCanceled } from '../operation/operationRun';
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
	const { run, operation, inputs, outcomes, isCanceled } = operationRun;
	const { calledBy } = operation;
	const { hasRules, mayCall } = await callRules();
	const restricted = [...inputs.entries()].filter(
		(entry): entry is [number, ItemInput] => !(entry[1] instanceof ServiceError) && hasRules(entry[1].local),
	);
	if (calledBy === undefined || restricted.length === 0) {
		return;
	}
	const api = createSharedApi(run, () => throwIfCanceled(operationRun));
	/** Campaigns that could not be read. Their items fail with the reason when they are to be sent. */
	const unread = new Set<unknown>();
	for (const [count, [itemIndex, { values, local }]] of restricted.entries()) {
		if (count % CHUNK === CHUNK - 1) {
			await sleep(0);
		}
		if (isCanceled() || run.sent.earlierItems.has(itemIndex) || unread.has(values.campaignId)) {
			continue;
		}
		const { error } = await toResult(mayCall(api, calledBy, values as never, local));
		if (error instanceof Withheld) {
			inputs[itemIndex] = error;
			outcomes[itemIndex] = withheldOutcome(error);
		} else if (error && calledBy === 'campaignId') {
			unread.add(values.campaignId);
		}
	}
}

import type { INodeExecutionData } from 'n8n-workflow';

import { storedInput } from '../../shared/lib/n8nInternals';
import { awaitedOutcome } from './callNews';
import { withOutcome } from './callOutcome';
import type { RunningWait } from './whatIsMissing';

/** The node's items with the placed calls, as they were stored with the execution, and what became of the calls. */
export function resumedItems({ caller, state, progress }: RunningWait): INodeExecutionData[] {
	const outcomes = new Map(state.calls.map((call) => [call.item, awaitedOutcome(call, progress)]));
	return storedInput(caller).map((stored, index) => {
		const { result, sameNumberAsItem } = stored.json;
		const item = result === 'sameNumber' ? Number(sameNumberAsItem) : index;
		return outcomes.has(item) ? { ...stored, json: withOutcome(stored.json, outcomes.get(item)) } : stored;
	});
}

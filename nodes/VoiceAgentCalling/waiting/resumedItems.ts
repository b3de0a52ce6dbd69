import type { INodeExecutionData } from 'n8n-workflow';

import { awaitedOutcome } from './callNews';
import { withOutcome } from './callOutcome';
import { downloadRecordings } from './recordings';
import type { RunningWait } from './whatIsMissing';

/** The node's items with the placed calls, as they were stored with the execution, and what became of the calls. */
export async function resumedItems({ caller, state, progress }: RunningWait): Promise<INodeExecutionData[]> {
	const placed = caller.evaluateExpression('{{ $input.all() }}') as unknown as INodeExecutionData[];
	const calls = new Map(state.calls.map((call) => [call.item, call]));
	const outcomes = new Map(state.calls.map((call) => [call.item, awaitedOutcome(call, progress)]));
	const wanted = state.calls.filter(({ item, download }) => download && outcomes.get(item)?.recording);
	const recordings = new Map(
		wanted.map(({ item, id }) => [item, { callId: id, recording: outcomes.get(item)?.recording }]),
	);
	const files = await downloadRecordings(caller, recordings);
	return placed.map((stored, index) => {
		const { result, sameNumberAsItem } = stored.json;
		const item = result === 'sameNumber' ? Number(sameNumberAsItem) : index;
		const file = files.get(item);
		const { id } = calls.get(item) ?? {};
		if (id === undefined) {
			return stored;
		}
		const json = withOutcome(stored.json, outcomes.get(item));
		if (file === undefined) {
			return { ...stored, json };
		}
		return 'file' in file
			? { ...stored, json, binary: { recording: file.file } }
			: { ...stored, json: { ...json, recordingError: file.error } };
	});
}

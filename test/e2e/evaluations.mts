import { comes } from './eventually.mts';
import type { Instance } from './instance.mts';

interface Result {
	status: string;
	metrics: Record<string, number> | null;
}

/** Evaluates a workflow; gives the run, and its cases. */
export async function evaluate(n8n: Instance, workflowId: string): Promise<{ run: Result; cases: Result[] }> {
	const runs = `/rest/workflows/${workflowId}/test-runs`;
	await n8n.editor.request('POST', `${runs}/new`, {});
	const run = await comes(async () => {
		const [newest] = await n8n.editor.request<Array<Result & { id: string }>>('GET', runs);
		return newest && !['new', 'running'].includes(newest.status) && newest;
	}, 'the end of the evaluation');
	return { run, cases: await n8n.editor.request<Result[]>('GET', `${runs}/${run.id}/test-cases`) };
}

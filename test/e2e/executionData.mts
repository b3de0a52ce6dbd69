import type { Editor } from '../../scripts/n8n/editor.mts';

/**
 * Reads what n8n stores of an execution: a list of values in which each text inside an object or a list
 * stands for a place in that list.
 */
export function unpack(stored: string): unknown {
	const list = JSON.parse(stored) as unknown[];
	const done = new Map<string, unknown>();
	const resolve = (value: unknown): unknown => {
		if (typeof value !== 'string') {
			return value;
		}
		if (done.has(value)) {
			return done.get(value);
		}
		const entry = list[Number(value)];
		if (typeof entry !== 'object' || entry === null) {
			return entry;
		}
		const copy: Record<string, unknown> | unknown[] = Array.isArray(entry) ? [] : {};
		done.set(value, copy);
		for (const [key, inner] of Object.entries(entry)) {
			Object.assign(copy, { [key]: resolve(inner) });
		}
		return copy;
	};
	return resolve('0');
}

/** A file of an execution, where n8n keeps files in its database. */
interface StoredFile {
	/** In base64. */
	data: string;
}

interface NodeData {
	data?: { main: Array<Array<{ json: Record<string, unknown>; binary?: Record<string, StoredFile> }> | null> };
}

interface ExecutionData {
	resultData: { runData: Record<string, NodeData[]>; error?: { message: string; description?: string | null } };
	executionData?: { nodeExecutionStack: NodeData[] };
}

function items(of: NodeData | undefined): Array<Record<string, unknown>> | undefined {
	return of?.data?.main[0]?.map(({ json }) => json);
}

/** The items that a node put out in an execution, at its first output. */
export async function outputOf(
	editor: Editor,
	executionId: string,
	node: string,
): Promise<Array<Record<string, unknown>>> {
	const { resultData } = unpack((await editor.execution(executionId)).data) as ExecutionData;
	return items(resultData.runData[node]?.[0]) ?? [];
}

/** What an execution says about its failure, for the message of a test; empty if it has not failed. */
export async function failureOf(editor: Editor, executionId: string): Promise<string> {
	const { error } = (unpack((await editor.execution(executionId)).data) as ExecutionData).resultData;
	return error ? `${error.message} ${error.description ?? ''}` : '';
}

/** The items of each of a node's outputs in an execution, and the names of the nodes that it ran. */
export async function outputsOf(
	editor: Editor,
	executionId: string,
	node: string,
): Promise<{ outputs: Array<Array<Record<string, unknown>>>; nodes: string[] }> {
	const { resultData } = unpack((await editor.execution(executionId)).data) as ExecutionData;
	const main = resultData.runData[node]?.[0]?.data?.main ?? [];
	return {
		outputs: main.map((output) => (output ?? []).map(({ json }) => json)),
		nodes: Object.keys(resultData.runData),
	};
}

/** The files that a node put out in an execution, at its first output. */
export async function filesOf(editor: Editor, executionId: string, node: string): Promise<StoredFile[]> {
	const { resultData } = unpack((await editor.execution(executionId)).data) as ExecutionData;
	const [run] = resultData.runData[node] ?? [];
	return run?.data?.main[0]?.flatMap(({ binary }) => Object.values(binary ?? {})) ?? [];
}

/** The names of the nodes that an execution ran, in order. */
export async function nodesRun(editor: Editor, executionId: string): Promise<string[]> {
	const { resultData } = unpack((await editor.execution(executionId)).data) as ExecutionData;
	return Object.keys(resultData.runData);
}

/**
 * The event that started an execution, also where n8n ended before the first node was done; undefined where n8n has
 * stored none.
 */
export async function storedEvent(
	editor: Editor,
	executionId: string,
	trigger: string,
): Promise<Record<string, unknown> | undefined> {
	const { resultData, executionData } = unpack((await editor.execution(executionId)).data) as ExecutionData;
	const [event] = items(resultData.runData[trigger]?.[0]) ?? items(executionData?.nodeExecutionStack[0]) ?? [];
	return event;
}

/** The same where there has to be one. */
export async function eventOf(editor: Editor, executionId: string, trigger: string): Promise<Record<string, unknown>> {
	const event = await storedEvent(editor, executionId, trigger);
	if (event === undefined) {
		throw new Error(`Execution ${executionId} holds no event`);
	}
	return event;
}

import type { Editor } from '../../scripts/lib/editor.mts';

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

type Json = Record<string, unknown>;

interface NodeData {
	/** A file has its data in base64, where n8n keeps files in its database. */
	data?: { main: Array<Array<{ json: Json; binary?: Record<string, { data: string }> }> | null> };
	executionStatus?: string;
	hints?: Array<{ message: string }>;
}

interface ExecutionData {
	resultData: { runData: Record<string, NodeData[]>; error?: { message: string; description?: string | null } };
	executionData?: { nodeExecutionStack: NodeData[] };
}

const read = async (editor: Editor, executionId: string) =>
	unpack((await editor.execution(executionId)).data) as ExecutionData;

const itemsOf = (of: NodeData | undefined) => (of?.data?.main ?? []).map((output) => output ?? []);

/** The items of each of a node's outputs in an execution, its files, and the names of the nodes that were run, in order. */
export async function outputsOf(editor: Editor, executionId: string, node: string) {
	const { runData } = (await read(editor, executionId)).resultData;
	const items = itemsOf(runData[node]?.[0]);
	return {
		outputs: items.map((output) => output.map(({ json }) => json)),
		files: items.flat().flatMap(({ binary }) => Object.values(binary ?? {})),
		nodes: Object.keys(runData),
	};
}

/** What the editor shows of the first run of a node in an execution: its status, and the hints above its output. */
export async function shownOf(editor: Editor, executionId: string, node: string) {
	const [run] = (await read(editor, executionId)).resultData.runData[node] ?? [];
	return { status: run?.executionStatus, hints: (run?.hints ?? []).map(({ message }) => message) };
}

/** What an execution says about its failure, for the message of a test; empty if it has not failed. */
export async function failureOf(editor: Editor, executionId: string): Promise<string> {
	const { error } = (await read(editor, executionId)).resultData;
	return error ? `${error.message} ${error.description ?? ''}` : '';
}

/**
 * The event that started an execution, also where n8n ended before the first node was done; undefined where n8n has
 * stored none.
 */
export async function storedEvent(editor: Editor, executionId: string, trigger: string): Promise<Json | undefined> {
	const { resultData, executionData } = await read(editor, executionId);
	const [items] = itemsOf(resultData.runData[trigger]?.[0] ?? executionData?.nodeExecutionStack[0]);
	return items?.[0]?.json;
}

/** The same where there has to be one. */
export async function eventOf(editor: Editor, executionId: string, trigger: string): Promise<Json> {
	const event = await storedEvent(editor, executionId, trigger);
	if (event === undefined) {
		throw new Error(`Execution ${executionId} holds no event`);
	}
	return event;
}

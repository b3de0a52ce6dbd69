import type { Editor } from '../../scripts/n8n/editor.mts';

/**
 * Reads what n8n stores of an execution: a list of values in which each text inside an object or a list
 * stands for a place in that list.
 */
export function unpack(stored: string): unknown {
	const list = JSON.parse(stored) as unknown[];
	const done = new Map<string, unknown>();
	const resolve = (value: unknown): unknown => {
		if (typeof value !== 'string') return value;
		if (done.has(value)) return done.get(value);
		const entry = list[Number(value)];
		if (typeof entry !== 'object' || entry === null) return entry;
		const copy: Record<string, unknown> | unknown[] = Array.isArray(entry) ? [] : {};
		done.set(value, copy);
		for (const [key, inner] of Object.entries(entry)) Object.assign(copy, { [key]: resolve(inner) });
		return copy;
	};
	return resolve('0');
}

interface RunData {
	resultData: {
		runData: Record<string, Array<{ data?: { main: Array<Array<{ json: Record<string, unknown> }> | null> } }>>;
	};
}

/** The items that a node put out in an execution, at its first output. */
export async function outputOf(
	editor: Editor,
	executionId: string,
	node: string,
): Promise<Array<Record<string, unknown>>> {
	const { resultData } = unpack((await editor.execution(executionId)).data) as RunData;
	const [items] = resultData.runData[node]?.[0]?.data?.main ?? [];
	return (items ?? []).map(({ json }) => json);
}

import { isRecord } from '../../shared/lib/isRecord';

/** `{{ name }}`: the form that the service's templates have. That of prompts is not published. */
const PLACEHOLDER = /\{\{\s*([\p{L}\p{N}_](?:[\p{L}\p{N}_. -]*[\p{L}\p{N}_])?)\s*\}\}/gu;

/** The names of the placeholders in some texts, each once. */
export function placeholdersIn(texts: readonly unknown[]): string[] {
	const found = texts.flatMap((text) => [...String(text ?? '').matchAll(PLACEHOLDER)].map(([, name]) => name));
	return [...new Set(found)];
}

/** The texts of an agent that the service shows and that a placeholder may be in. */
export function promptTexts(agent: Record<string, unknown>, flow: unknown): unknown[] {
	const trainings = Array.isArray(agent.trainings) ? agent.trainings.filter(isRecord) : [];
	const taught = trainings
		.filter(({ current_status }) => current_status !== 'inactive')
		.flatMap(({ subject, instructions }) => [subject, instructions]);
	return [agent.initial_message, agent.description, ...taught, flow && JSON.stringify(flow)];
}

/** Which of some placeholders a payload has no value for: by its whole name, or for `a.b` inside of `a`. */
export function missingFrom(payload: unknown, names: readonly string[]): string[] {
	const inside = (value: unknown, key: string) =>
		isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
	return names.filter((name) => {
		const value = inside(payload, name) ?? name.split('.').reduce(inside, payload);
		return value === undefined || value === null;
	});
}

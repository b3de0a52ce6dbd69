import { isRecord } from '../../shared/lib/isRecord';

/** `{{ name }}`: the syntax of the service's templates. That of prompts is not documented; this assumes the same. */
const PLACEHOLDER = /\{\{\s*([\p{L}\p{N}_](?:[\p{L}\p{N}_. -]*[\p{L}\p{N}_])?)\s*\}\}/gu;

/** Returns the unique names of the placeholders in some texts. */
export function placeholdersIn(texts: readonly unknown[]): string[] {
	const names = texts.flatMap((text) => [...String(text ?? '').matchAll(PLACEHOLDER)].map(([, name]) => name));
	return [...new Set(names)];
}

/** Returns the texts of an agent that can contain placeholders, as far as the API returns them. */
export function promptTexts(agent: Record<string, unknown>, flow: unknown): unknown[] {
	const trainings = Array.isArray(agent.trainings) ? agent.trainings.filter(isRecord) : [];
	const trainingTexts = trainings
		.filter(({ current_status }) => current_status !== 'inactive')
		.flatMap(({ subject, instructions }) => [subject, instructions]);
	return [agent.initial_message, agent.description, ...trainingTexts, flow && JSON.stringify(flow)];
}

/** Returns the placeholders without a value in a payload. `a.b` is either a key of the payload, or `b` within `a`. */
export function missingFrom(payload: unknown, names: readonly string[]): string[] {
	const property = (value: unknown, key: string) =>
		isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
	return names.filter((name) => {
		const value = property(payload, name) ?? name.split('.').reduce(property, payload);
		return value === undefined || value === null;
	});
}

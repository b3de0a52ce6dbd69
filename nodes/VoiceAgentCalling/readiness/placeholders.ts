import { isBlank } from '../../shared/lib/isBlank';
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

/** A name that a user's value can have. Others, such as `{{call.id}}`, may be those of the service's own values. */
const PLAIN_NAME = /^[\p{L}\p{N}_]+$/u;

/**
 * Returns the placeholders with a plain name that have no value in a payload; an empty text is no value, nor is NaN,
 * which JSON has as null.
 */
export function missingFrom(payload: unknown, names: readonly string[]): string[] {
	return names.filter((name) => {
		const value = property(payload, name);
		return PLAIN_NAME.test(name) && (isBlank(value) || (typeof value === 'number' && !Number.isFinite(value)));
	});
}

/** The value of an object's own property. */
function property(value: unknown, key: string): unknown {
	return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Takes the values of placeholders from an input item, and nothing else. `a.b` is either a field of the item, or `b`
 * within `a`: then only that part of `a` is taken.
 */
export function valuesFor(names: readonly string[], item: Record<string, unknown>): Record<string, unknown> {
	const isGiven = (value: unknown) => value !== undefined && value !== null;
	const direct = names.filter((name) => isGiven(property(item, name)));
	const nested = names.filter((name) => !direct.includes(name) && name.includes('.'));
	const values = Object.fromEntries(direct.map((name) => [name, item[name]]));
	return nested.reduce((payload, name) => {
		const path = name.split('.');
		// A field that is a placeholder itself is taken whole.
		const value = direct.includes(path[0]) ? undefined : path.reduce(property, item as unknown);
		return isGiven(value) ? withValue(payload, path, value) : payload;
	}, values);
}

/** A copy of an object with a value at a path. */
function withValue(target: unknown, [key, ...rest]: readonly string[], value: unknown): Record<string, unknown> {
	const copy = isRecord(target) ? { ...target } : {};
	return { ...copy, [key]: rest.length > 0 ? withValue(property(copy, key), rest, value) : value };
}

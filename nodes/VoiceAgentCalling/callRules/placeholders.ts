import { isBlank, isJsonObject, isRecord } from '../../shared/lib/json';

/**
 * `{{ name }}`: the syntax of the service's templates. The syntax of prompts is not documented, but probably the same.
 */
const PLACEHOLDER = /\{\{\s*([\p{L}\p{N}_](?:[\p{L}\p{N}_. -]*[\p{L}\p{N}_])?)\s*\}\}/gu;

/** Returns the unique names of the placeholders in some texts. */
export function placeholdersIn(texts: readonly unknown[]): string[] {
	const names = texts.flatMap((text) => [...String(text ?? '').matchAll(PLACEHOLDER)].map(([, name]) => name));
	return [...new Set(names)];
}

/** A text that an agent speaks or that instructs it. */
export interface PromptText {
	/** The name of the field, for a message. */
	field: string;
	text: unknown;
}

/** Returns the texts of an agent that can contain placeholders, as far as the API returns them, without its flow. */
export function promptTexts({ initial_message, description, trainings }: Record<string, unknown>): PromptText[] {
	const active = (Array.isArray(trainings) ? trainings.filter(isRecord) : []).filter(
		({ current_status }) => current_status !== 'inactive',
	);
	return [
		{ field: 'first message', text: initial_message },
		{ field: 'prompt', text: description },
		...active.flatMap(({ subject, instructions }) => [
			{ field: 'subject of a training', text: subject },
			{ field: `training ${JSON.stringify(subject ?? '')}`, text: instructions },
		]),
	];
}

/** A placeholder without a value that the agent could say. */
export interface MissingValue {
	name: string;
	/** The kind of value that was given instead, such as a list; undefined if nothing was given. */
	instead?: string;
}

/** The texts that programs and spreadsheets make of an object, of an error, or of no value, and placeholders. */
const NO_TEXT =
	/\[object [A-Z]\w*\]|Invalid DateTime|^Invalid [Dd]ate$|^#(?:N\/A|(?:DIV\/0|ERROR|NULL|NUM|REF|VALUE)!|NAME\?)$|^(?:undefined|Loading\.\.\.)$|\{\{.*\}\}/;

/**
 * Returns the placeholders without a speakable value in a payload. Blanks do not count as values, nor does NaN, which
 * becomes null in JSON, nor an object or a list, unless other placeholders are a path into it. A name with a dot, such
 * as `{{call.id}}`, may belong to the service: it is reported only if the payload has an unspeakable value for it.
 */
export function missingFrom(payload: unknown, names: readonly string[]): MissingValue[] {
	return names.flatMap((name) => {
		const direct = property(payload, name);
		const value = direct === undefined ? name.split('.').reduce(property, payload) : direct;
		if (value === undefined || value === null) {
			return name.includes('.') ? [] : [{ name }];
		}
		if (isBlank(value) || (typeof value === 'number' && !Number.isFinite(value))) {
			return [{ name }];
		}
		const isPath = names.some((other) => other.startsWith(`${name}.`));
		if (!isPath && (Array.isArray(value) || isJsonObject(value))) {
			return [{ name, instead: Array.isArray(value) ? 'a list' : 'an object' }];
		}
		const instead = typeof value === 'string' ? NO_TEXT.exec(value)?.[0] : undefined;
		return instead === undefined ? [] : [{ name, instead }];
	});
}

/** Returns the value of an object's own property. */
function property(value: unknown, key: string): unknown {
	return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Returns the values of placeholders from an input item, and nothing else. `a.b` is either a field of the item, or `b`
 * within `a`; then only that part of `a` is taken.
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

/** Returns a copy of an object with a value at a path. */
function withValue(target: unknown, [key, ...rest]: readonly string[], value: unknown): Record<string, unknown> {
	const copy = isRecord(target) ? { ...target } : {};
	return { ...copy, [key]: rest.length > 0 ? withValue(property(copy, key), rest, value) : value };
}

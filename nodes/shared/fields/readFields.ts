import type { INodeProperties } from 'n8n-workflow';
import type { ZodErrorMap as ErrorMap, ZodIssue } from 'zod/v3';

import { mayHoldSecret } from '../client/secrets';
import { notForTools, onlyByPerson } from '../errors/nodeError';
import { invalid, ServiceError } from '../errors/serviceError';
import { isBlank, isJsonObject, isRecord, isTooDeep, REDUCE_NESTING_ADVICE, TOO_DEEP } from '../lib/json';
import {
	type Field,
	type FieldSource,
	type InputOf,
	type IssueParams,
	kindOf,
	type LocalOf,
	notOffered,
	parametersOf,
	type Zod,
} from './field';

const MAX_SHOWN_LENGTH = 60;

/** The name of the collection with the fields to update. */
export const UPDATE_FIELDS = 'updateFields';

/** The name of the collection with the filters of a list. */
const FILTERS = 'filters';

/**
 * Loads n8n's zod, because the package must not have dependencies.
 *
 * @throws ServiceError `N8N_TOO_OLD`
 */
export async function loadZod(): Promise<Zod> {
	const loaded = await import('zod/v3').catch(() => undefined);
	if (loaded !== undefined) {
		return loaded.z;
	}
	throw new ServiceError('This n8n is too old for these nodes: the library zod that it brings lacks a part', {
		code: 'N8N_TOO_OLD',
		advice: 'Use n8n 1.123 or newer.',
		accepted: 'no',
	});
}

/** Whether a property or one of its nested properties is masked in the editor. */
function isSecret(property: INodeProperties): boolean {
	return JSON.stringify(property).includes('"password":true');
}

/** Formats a value for a message; for a picker, its ID. */
function shown(value: unknown): string {
	const json = JSON.stringify(isRecord(value) && value.__rl === true ? value.value : value) ?? 'not set';
	return json.length > MAX_SHOWN_LENGTH ? `${json.slice(0, MAX_SHOWN_LENGTH)}...` : json;
}

/** Replaces zod's own messages. Messages that a field's check defines are kept. */
export const fieldErrorMap: ErrorMap = (issue, { defaultError }) => {
	const message = () => {
		switch (issue.code) {
			case 'invalid_type': {
				// `defaultError` is the message that the check defines for a wrong type, if any.
				if (!/^(Required$|Expected )/.test(defaultError)) {
					return defaultError;
				}
				if (issue.received === 'undefined') {
					return 'Fill it in, or check the expression';
				}
				const names: Record<string, string> = {
					array: 'a list',
					boolean: 'true or false',
					number: 'a number',
					integer: 'a whole number',
					string: 'text',
					object: 'an object',
				};
				return `Enter ${names[issue.expected] ?? issue.expected}`;
			}
			case 'invalid_enum_value':
				return `Use one of ${issue.options.join(', ')}`;
			case 'too_small':
				return issue.type === 'number' ? `Use ${issue.minimum} or more` : 'Fill it in';
			case 'unrecognized_keys':
				return `Take out ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
			case 'too_big':
				return issue.type === 'number' ? `Use ${issue.maximum} or less` : `Use ${issue.maximum} characters at most`;
			default:
				return defaultError;
		}
	};
	return { message: message() };
};

/** The checks, created on first use. */
const checks = new WeakMap<Field, ReturnType<Field['check']>>();

function checkOf(zod: Zod, field: Field): ReturnType<Field['check']> {
	const check = checks.get(field) ?? field.check(zod);
	checks.set(field, check);
	return check;
}

/**
 * Reads and checks the value of a field. A value that is the same for all items is read once.
 *
 * @throws ServiceError `INVALID_INPUT`
 */
function readField(zod: Zod, field: Field, source: FieldSource): unknown {
	const { constants } = source;
	if (constants?.has(field)) {
		return constants.get(field);
	}
	const { value, isConstant } = computeValue(zod, field, source);
	assertMayBe(value, field, source);
	if (isConstant || isReadOnce(field, source)) {
		constants?.set(field, value);
	}
	return value;
}

/** Whether a field is read only for the first item. */
export function isReadOnce({ once, properties }: Field, source: Pick<FieldSource, 'dependsOnItem'>): boolean {
	return once === true && !properties.some(({ name }) => source.dependsOnItem?.(name));
}

/** Whether the value may come from a model: in a tool, this applies to every expression. */
function mayBeFromModel({ properties }: Field, { asTool, isConstant }: FieldSource): boolean {
	return asTool && !properties.every(({ name }) => isConstant(name));
}

/** Refuses a field that only a person may set. @throws ServiceError `NOT_FOR_TOOLS` */
function assertMayBeSet(field: Field, source: FieldSource): void {
	if (field.ai === 'fixed' && mayBeFromModel(field, source)) {
		throw onlyByPerson(`'${field.properties[0].displayName}'`);
	}
}

/** Refuses a value that only a person may choose. @throws ServiceError `NOT_FOR_TOOLS` */
function assertMayBe(value: unknown, field: Field, source: FieldSource): void {
	if (typeof field.ai === 'object' && field.ai.not.includes(value) && mayBeFromModel(field, source)) {
		throw onlyByPerson(`'${field.properties[0].displayName}' ${shown(value)}`);
	}
}

/** Reads and checks a field. `isConstant`: no parameter that was read for it depends on the item. */
function computeValue(zod: Zod, field: Field, itemSource: FieldSource): { value: unknown; isConstant: boolean } {
	// The message names the property that was read last, because it contains the value.
	let [property] = field.properties;
	let entered: unknown;
	let isConstant = true;
	const source: FieldSource = {
		...itemSource,
		get: (parameter) => {
			isConstant &&= itemSource.isConstant(parameter);
			property = field.properties.find(({ name }) => name === parameter) ?? property;
			entered = itemSource.get(parameter);
			return entered;
		},
	};
	const raw = field.read ? field.read(source) : source.get(property.name);
	if (isTooDeep(raw)) {
		throw invalid(`'${property.displayName}' ${TOO_DEEP}`, `${REDUCE_NESTING_ADVICE}.`);
	}
	const present = isEmpty(raw) ? undefined : raw;
	if (present === undefined && (property.required || isRequiredWhenAdded(field) || isOnlyBlanks(raw))) {
		const advice = isRequiredWhenAdded(field) ? field.empty.error : 'Fill it in, or check the expression.';
		throw invalid(`'${property.displayName}' is empty`, advice, field.codes?.empty);
	}
	if (itemSource.asTool && notOffered(field).includes(present)) {
		throw notForTools(`'${property.displayName}' ${shown(present)}`);
	}
	const checked = checkOf(zod, field).safeParse(present, { errorMap: fieldErrorMap });
	if (checked.success) {
		return { value: checked.data, isConstant };
	}
	const [issue] = checked.error.issues;
	if (issue.code === 'too_small' && issue.type === 'array') {
		throw invalid(`${issue.message} in '${property.displayName}'`, 'Fill it in, or check the expression.');
	}
	const hidden = isSecret(property) || mayHoldSecret(shown(entered));
	const what = whatIsWrong(issue, property, { present, entered, hidden });
	throw invalid(what, `${issue.message}.`, field.codes?.wrong);
}

/** Describes an issue: the field, the place in it, the value there, and the problem. */
function whatIsWrong(
	issue: ZodIssue,
	property: INodeProperties,
	{ present, entered, hidden }: { present: unknown; entered: unknown; hidden: boolean },
): string {
	const place = placeIn(property, issue.path);
	const { ofField, ofValue }: IssueParams = (issue.code === 'custom' && issue.params) || {};
	if (ofField !== undefined) {
		return `${place} ${ofField}`;
	}
	if (hidden) {
		return `${place} has a value that cannot be used`;
	}
	const value = shown(issue.path.length === 0 ? entered : valueAt(present, issue.path));
	return ofValue === undefined ? `${place} cannot be ${value}` : `${place}: ${value} ${ofValue}`;
}

/** Returns the name of a field, with the row and its field in a list. @param path the keys of the value in the field */
function placeIn({ displayName, options = [] }: INodeProperties, [row, key]: ZodIssue['path']): string {
	const [group] = options;
	if (typeof row !== 'number' || group === undefined || !('values' in group)) {
		return `'${displayName}'`;
	}
	const part = group.values.find(({ name }) => name === key)?.displayName;
	return [`'${displayName}'`, `${group.displayName} ${row + 1}`, ...(part === undefined ? [] : [part])].join(', ');
}

function valueAt(value: unknown, path: ZodIssue['path']): unknown {
	return path.reduce<unknown>((inner, key) => (Object(inner) as Record<string, unknown>)[key], value);
}

/** Whether a field is shown. Hidden fields are not read. */
function isShown({ only }: Field, get: FieldSource['get']): boolean {
	return only === undefined || only.values.includes(get(only.parameter) as string | boolean);
}

/** Whether a value is empty; a resource locator is empty if its value is. */
function isEmpty(value: unknown): boolean {
	if (isRecord(value) && value.__rl === true) {
		return isEmpty(value.value);
	}
	return isBlank(value);
}

/** Whether a field contains only invisible characters: somebody who clears a field leaves none. */
function isOnlyBlanks(value: unknown): boolean {
	const text = isRecord(value) && value.__rl === true ? value.value : value;
	return typeof text === 'string' && text !== '' && isBlank(text);
}

/** The validated values of fields, by the service's names. */
interface FieldValues<Fields extends readonly Field[]> {
	/** The values to send. */
	input: InputOf<Fields> & Record<string, unknown>;
	/** The values of each {@link LocalField}. */
	local: LocalOf<Fields> & Record<string, unknown>;
}

/**
 * Reads and validates fields. Sends nothing.
 *
 * @param collections the fields of each collection, by its name; fields that the user did not add are left out
 * @throws ServiceError `INVALID_INPUT` with the name of the field and its value; `NOT_FOR_TOOLS` for a value that an AI
 * agent must not use
 */
export function readFields<const Fields extends readonly Field[]>(
	zod: Zod,
	fields: Fields,
	collections: Readonly<Record<string, readonly Field[]>>,
	itemSource: FieldSource,
): FieldValues<Fields> {
	const { get } = itemSource;
	const input: Record<string, unknown> = {};
	const local: Record<string, unknown> = {};
	const assign = (field: Field, value: unknown) => {
		(field.local ? local : input)[field.key] = value;
	};
	for (const field of fields) {
		if (isShown(field, get)) {
			assertMayBeSet(field, itemSource);
			assign(field, readField(zod, field, itemSource));
		}
	}
	for (const [name, members] of Object.entries(collections)) {
		const collection = members.length > 0 ? get(name) : undefined;
		if (isEmpty(collection) && (members.length === 0 || itemSource.isConstant(name))) {
			continue;
		}
		if (!isJsonObject(collection)) {
			throw invalid(
				`The fields in '${name}' are ${kindOf(collection)}, not an object`,
				'Remove the expression, and add the fields one by one.',
			);
		}
		const isConstant = (parameter: string) => itemSource.isConstant(name, parameter);
		const dependsOnItem = (parameter: string) => itemSource.dependsOnItem?.(name, parameter) === true;
		const source = { ...itemSource, get: (parameter: string) => collection[parameter], isConstant, dependsOnItem };
		const getSibling = (parameter: string) =>
			parametersOf(members).has(parameter) ? collection[parameter] : get(parameter);
		for (const field of members) {
			const added = field.properties.filter((property) => property.name in collection);
			if (added.length === 0 || !isShown(field, getSibling)) {
				continue;
			}
			// This precedes the check for emptiness, because a model must not leave out a value that the workflow sends.
			assertMayBeSet(field, source);
			const missing = added.find(({ name: parameter }) => {
				const value = collection[parameter];
				return isEmpty(value) && (isOnlyBlanks(value) || !isConstant(parameter));
			});
			// A model can leave out a filter only by an empty value.
			const mayBeMissing = field.empty === 'optional' || (itemSource.asTool && name === FILTERS);
			if (missing !== undefined && !mayBeMissing) {
				throw withoutValue(missing, name, { field, isOnlyBlanks: isOnlyBlanks(collection[missing.name]) });
			}
			if (isRequiredWhenAdded(field) || !added.every((property) => isEmpty(collection[property.name]))) {
				assign(field, readField(zod, field, source));
			} else if (name === UPDATE_FIELDS) {
				assign(field, cleared(field));
			}
		}
	}
	return { input, local } as FieldValues<Fields>;
}

/**
 * Creates the error for a field of a collection whose expression returns nothing, or that contains only blanks. If the
 * field counted as not added, its protection or limit would silently be missing.
 */
function withoutValue(
	{ displayName }: INodeProperties,
	collection: string,
	{ field, isOnlyBlanks: hasBlanks }: { field: Field; isOnlyBlanks: boolean },
) {
	const advice = [
		`Correct the expression, or send items without a value to a node that does not have '${displayName}'.`,
		...(collection === UPDATE_FIELDS && field.empty === 'null'
			? ['To remove the current value, empty the field by hand.']
			: []),
		...(isRequiredWhenAdded(field) ? [field.empty.error] : []),
	];
	const why = hasBlanks ? 'it has only blanks' : 'its expression has no value';
	return invalid(`'${displayName}' is empty: ${why}`, advice.join(' '));
}

/** Returns the value to send for an empty field in Update Fields. @throws ServiceError if it cannot be cleared */
function cleared({ empty, properties: [{ displayName }] }: Field): null {
	if (empty === 'null') {
		return null;
	}
	throw invalid(
		`'${displayName}' is empty`,
		"Fill it in, check the expression, or take it out of 'Update Fields'. It cannot be cleared.",
	);
}

/** Whether an empty field is an error in every collection. */
function isRequiredWhenAdded(field: Field): field is Field & { empty: { error: string } } {
	return typeof field.empty === 'object';
}

/** @throws ServiceError `INVALID_INPUT` if an operation has update fields and the user added none */
export function assertSomethingToUpdate(updates: readonly Field[], input: Record<string, unknown>): void {
	if (updates.length === 0 || updates.some(({ key }) => input[key] !== undefined)) {
		return;
	}
	throw invalid('There is nothing to update', "Add what is to be changed to 'Update Fields'.");
}

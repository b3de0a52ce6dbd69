import type { INodeProperties } from 'n8n-workflow';
import type { ZodErrorMap as ErrorMap } from 'zod/v3';

import { notForTools } from '../errors/aiTool';
import { invalid, ServiceError } from '../errors/serviceError';
import { isRecord } from '../lib/isRecord';
import { mayHoldSecret } from '../service/secrets';
import { type Field, type FieldSource, type InputOf, type LocalOf, parametersOf, type Zod } from './field';

const LONGEST_SHOWN_VALUE = 60;

/** The collection with what an update is to change. */
export const UPDATE_FIELDS = 'updateFields';

/**
 * Loads n8n's own zod: the package has no library of its own.
 *
 * @throws ServiceError where n8n is too old to have it
 */
export async function loadZod(): Promise<Zod> {
	const loaded = await import('zod/v3').catch(() => undefined);
	if (loaded !== undefined) {
		return loaded.z;
	}
	throw new ServiceError('This n8n is too old for these nodes: the library zod that it brings lacks a part', {
		code: 'N8N_TOO_OLD',
		advice: 'Use n8n 1.100 or newer.',
		accepted: 'no',
	});
}

/** Whether a property, or one inside it, is masked in the editor. */
function isSecret(property: INodeProperties): boolean {
	return JSON.stringify(property).includes('"password":true');
}

function shown(value: unknown): string {
	const json = JSON.stringify(value) ?? 'not set';
	return json.length > LONGEST_SHOWN_VALUE ? `${json.slice(0, LONGEST_SHOWN_VALUE)}...` : json;
}

/** Says in plain words what zod has found, where a check brings no words of its own. */
const inPlainWords: ErrorMap = (issue, { defaultError }) => {
	const message = () => {
		switch (issue.code) {
			case 'invalid_type': {
				// Words that the check itself brings for a wrong type stand here in the place of zod's own.
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
				};
				return `Enter ${names[issue.expected] ?? issue.expected}`;
			}
			case 'invalid_enum_value':
				return `Use one of ${issue.options.join(', ')}`;
			case 'too_small':
				return issue.type === 'number' ? `Use ${issue.minimum} or more` : 'Fill it in';
			case 'too_big':
				return issue.type === 'number' ? `Use ${issue.maximum} or less` : `Use ${issue.maximum} characters at most`;
			default:
				return defaultError;
		}
	};
	return { message: message() };
};

/** The check of each field, as it was made on its first use. */
const checks = new WeakMap<Field, ReturnType<Field['check']>>();

function checkOf(zod: Zod, field: Field): ReturnType<Field['check']> {
	const check = checks.get(field) ?? field.check(zod);
	checks.set(field, check);
	return check;
}

/**
 * Reads the value of one field and checks it; one that is the same for all items, once.
 *
 * @throws ServiceError `INVALID_INPUT`
 */
function readField(zod: Zod, field: Field, source: FieldSource): unknown {
	const { constants, isConstant } = source;
	if (constants?.has(field)) {
		return constants.get(field);
	}
	let constant = true;
	const value = readAnew(zod, field, {
		...source,
		get: (parameter) => {
			constant &&= isConstant?.(parameter) ?? false;
			return source.get(parameter);
		},
	});
	if (constant) {
		constants?.set(field, value);
	}
	return value;
}

function readAnew(zod: Zod, field: Field, { get, ...run }: FieldSource): unknown {
	// A field with several properties is named after the one that it takes its value from: the last.
	let [property] = field.properties;
	let entered: unknown;
	const source: FieldSource = {
		...run,
		get: (parameter) => {
			property = field.properties.find(({ name }) => name === parameter) ?? property;
			entered = get(parameter);
			return entered;
		},
	};
	const raw = field.read ? field.read(source) : source.get(property.name);
	const present = isEmpty(raw) ? undefined : raw;
	if (present === undefined && property.required) {
		throw invalid(`'${property.displayName}' is empty`, 'Fill it in, or check the expression.');
	}
	if (run.asTool && field.notForTools?.includes(String(present))) {
		throw notForTools(`'${property.displayName}' ${shown(present)}`);
	}
	const checked = checkOf(zod, field).safeParse(present, { errorMap: inPlainWords });
	if (checked.success) {
		return checked.data;
	}
	const [issue] = checked.error.issues;
	const place = issue.path.length > 0 ? ` (at ${issue.path.join('.')})` : '';
	const hidden = isSecret(property) || mayHoldSecret(shown(entered));
	const value = hidden ? 'has a value that cannot be used' : `cannot be ${shown(entered)}`;
	throw invalid(`'${property.displayName}' ${value}${place}`, `${issue.message}.`);
}

/** Whether the fields that it depends on let a field be shown; what is hidden counts for nothing. */
function isShown({ only }: Field, get: FieldSource['get']): boolean {
	return only === undefined || only.values.includes(get(only.parameter) as string | boolean);
}

/** What nobody has filled in; a picker in which nothing is chosen, too. */
function isEmpty(value: unknown): boolean {
	if (isRecord(value) && value.__rl === true) {
		return isEmpty(value.value);
	}
	return value === undefined || value === null || value === '';
}

/** The checked values of some fields, by the service's names. */
export interface FieldValues<Fields extends readonly Field[]> {
	/** For requests. */
	input: InputOf<Fields> & Record<string, unknown>;
	/** Of fields that are marked as {@link LocalField}. */
	local: LocalOf<Fields> & Record<string, unknown>;
}

/**
 * Reads and checks fields. Sends nothing.
 *
 * @param collections the fields of each collection, by the collection's name; those that the user did not add are absent
 * @throws ServiceError `INVALID_INPUT`, which names the field and its value
 */
export function readFields<const Fields extends readonly Field[]>(
	zod: Zod,
	fields: Fields,
	collections: Readonly<Record<string, readonly Field[]>>,
	{ get, ...run }: FieldSource,
): FieldValues<Fields> {
	const input: Record<string, unknown> = {};
	const local: Record<string, unknown> = {};
	const keep = (field: Field, value: unknown) => {
		(field.local ? local : input)[field.key] = value;
	};
	for (const field of fields) {
		if (isShown(field, get)) {
			keep(field, readField(zod, field, { get, ...run }));
		}
	}
	for (const [name, members] of Object.entries(collections)) {
		const collection = members.length > 0 ? get(name) : undefined;
		if (!isRecord(collection)) {
			continue;
		}
		const isConstant = () => run.isConstant?.(name) ?? false;
		const source = { ...run, get: (parameter: string) => collection[parameter], isConstant };
		const near = (parameter: string) => (parametersOf(members).has(parameter) ? collection[parameter] : get(parameter));
		for (const field of members) {
			const added = field.properties.filter((property) => property.name in collection);
			if (added.length === 0 || !isShown(field, near)) {
				continue;
			}
			if (!added.every((property) => isEmpty(collection[property.name]))) {
				keep(field, readField(zod, field, source));
			} else if (name === UPDATE_FIELDS) {
				keep(field, cleared(field));
			}
		}
	}
	return { input, local } as FieldValues<Fields>;
}

/** What to send for a field that was added to an update and left empty. @throws ServiceError */
function cleared({ clearable, properties: [{ displayName }] }: Field): null {
	if (clearable) {
		return null;
	}
	throw invalid(
		`'${displayName}' is empty`,
		"Fill it in, check the expression, or take it out of 'Update Fields'. It cannot be cleared.",
	);
}

/** @throws ServiceError when an update would change nothing */
export function assertSomethingToUpdate(updates: readonly Field[], input: Record<string, unknown>): void {
	if (updates.length === 0 || updates.some(({ key }) => input[key] !== undefined)) {
		return;
	}
	throw invalid('There is nothing to update', "Add what is to be changed to 'Update Fields'.");
}

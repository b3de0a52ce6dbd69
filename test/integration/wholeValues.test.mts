import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';

import type { Field } from '../../nodes/shared/fields/field.ts';
import { readFields } from '../../nodes/shared/fields/readFields.ts';
import { isRecord } from '../../nodes/shared/lib/json.ts';
import { loadCountries } from '../../nodes/shared/phoneNumbers/e164.ts';
import { toolFields } from '../../nodes/VoiceAgentCalling/fields/toolLimits.ts';
import type { Operation } from '../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import {
	fields as triggerFields,
	options as triggerOptions,
} from '../../nodes/VoiceAgentCallingTrigger/parameters/settings.ts';
import fc from '../fastCheck.mts';
import { readField, sourceOf } from '../readField.mts';
import { valuesOf } from './everyField/values.mts';
import { byId } from './service.mts';

beforeAll(loadCountries);

/** What a user can enter, and how the nodes read it. */
interface Entered {
	name: string;
	values: unknown[];
	/** @throws Error with a sentence for the user, for a value that cannot be used */
	read(value: unknown): unknown;
}

const MARK = 'qz';

const SEPARATORS = ['', 'T', '/', '..', '–', '|', ' - ', ', ', ';', ' ', '\n', '\t', ' to ', ':', '&', '?', '#', ')('];

/** What may look like a part of a time, a number or an address. */
const ENDINGS = [':59', '.59', '59Z', '/P59D', '+59', ' 59', 'x59', '@59', '[59', ' (59)'];

const BLANKS = [' ', '\n', '\t', '\u00a0', '  '];

/** Members of an object that belong to n8n. */
const OF_N8N = ['__rl', 'mode', 'mappingMode'];

interface Leaf {
	path: string[];
	value: string | number | boolean;
}

/** The texts, numbers and truth values in a value. */
function leavesOf(value: unknown, path: string[] = []): Leaf[] {
	if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
		return [{ path, value }];
	}
	if (value instanceof Date) {
		return [{ path, value: value.toISOString() }];
	}
	const members = value instanceof Set ? [...(value as Set<unknown>)] : value;
	return Object.entries(Object(members)).flatMap(([name, member]) =>
		OF_N8N.includes(name) ? [] : leavesOf(member, [...path, name]),
	);
}

/** Everything in a value as one text, without whitespace. */
const contentOf = (value: unknown) =>
	leavesOf(value)
		.map(({ path, value: leaf }) => `${path.join('.')}=${leaf}`)
		.join(';')
		.toLowerCase()
		.replace(/\s/g, '');

function replaced(value: unknown, [name, ...rest]: string[], by: unknown): unknown {
	if (name === undefined) {
		return by;
	}
	const changed = replaced((value as Record<string, unknown>)[name], rest, by);
	return Array.isArray(value) ? value.with(Number(name), changed) : { ...Object(value), [name]: changed };
}

interface Spoiled {
	value: unknown;
	/** What the result has to contain if the value is not refused. */
	must: string[];
	/** The result has to be that of this value. */
	same?: unknown;
}

/** The value with something before or behind one of its texts or numbers, or with blanks, which mean nothing. */
function withMore(value: unknown, { path, value: leaf }: Leaf): Spoiled[] {
	const put = (by: unknown) => replaced(value, path, by);
	return [
		...SEPARATORS.flatMap((separator) =>
			[`${leaf}${separator}${MARK}`, `${MARK}${separator}${leaf}`].map((by) => ({ value: put(by), must: [MARK] })),
		),
		...(typeof leaf === 'string' ? ENDINGS : [':59', ' 59', 'x59', ' (59)']).map((ending) => ({
			value: put(`${leaf}${ending}`),
			must: ['59'],
		})),
		...BLANKS.flatMap((blank) => [blank + leaf, leaf + blank]).map((by) => ({ value: put(by), must: [], same: value })),
	];
}

/** The value with something of another kind in the place of one of its texts or numbers. */
function ofOtherKind(value: unknown, { path, value: leaf }: Leaf): Spoiled[] {
	const put = (must: string) => (by: unknown) => ({ value: replaced(value, path, by), must: [must] });
	const marked = [[leaf, MARK], [MARK, leaf], { value: leaf, other: MARK }, { [MARK]: leaf }];
	return [...marked.map(put(MARK)), put('2031-08-09')(new Date('2031-08-09T10:11:12Z'))];
}

/** The value with more members or rows, as a text, or replaced by something else. */
function ofOtherShape(value: unknown): Spoiled[] {
	const asJson = JSON.stringify(value);
	const marked: unknown[] = [
		MARK,
		[MARK],
		{ [MARK]: MARK },
		new Map([[MARK, MARK]]),
		[value, MARK],
		`${asJson}${MARK}`,
	];
	if (isRecord(value) && !('mappingMode' in value)) {
		const { values } = value;
		marked.push({ ...value, more: MARK }, ...(isRecord(values) ? [{ values: { ...values, more: MARK } }] : []));
		if (Array.isArray(values)) {
			const [row] = values as object[];
			marked.push({ values: [...values, MARK] }, { values: [{ ...row, more: MARK }] }, { values: MARK });
		}
	}
	const asText = typeof value === 'object' ? [{ value: asJson, must: [], same: value }] : [];
	return [...marked.map((other) => ({ value: other, must: [MARK] })), ...asText];
}

/** Two values in one text. @param read gives the result of each */
function inOneText(values: readonly unknown[], read: (value: unknown) => unknown): Spoiled[] {
	const single = values.flatMap((value) => {
		const [leaf, ...others] = leavesOf(value);
		return leaf && others.length === 0 ? [{ value, leaf }] : [];
	});
	const [one, two] = single;
	if (one === undefined || two === undefined) {
		return [];
	}
	const must = [one, two].flatMap(({ value }) => leavesOf(read(value)).map(({ value: leaf }) => String(leaf)));
	return SEPARATORS.filter((separator) => separator !== '').map((separator) => ({
		value: replaced(one.value, one.leaf.path, `${one.leaf.value}${separator}${two.leaf.value}`),
		must,
	}));
}

/** What a value is read as; undefined if it is refused. */
function resultOf({ read }: Entered, value: unknown): { result: unknown } | undefined {
	try {
		const result = read(value);
		// An operation that reports on a number has the reason in its output.
		const isReported = isRecord(result) && 'given' in result && result.number === undefined;
		// An unusable date is no consent: nothing is sent.
		const isNoConsent = isRecord(result) && result.mistake !== undefined;
		return isReported || isNoConsent ? undefined : { result };
	} catch (error) {
		expect(error).toBeInstanceOf(Error);
		expect(error).not.toBeInstanceOf(TypeError);
		return undefined;
	}
}

/** The spoiled values that are read in part: at most one of each field. */
function readInPart(entered: Entered): string[] {
	const valid = entered.values.filter((value) => leavesOf(value).length > 0 && resultOf(entered, value) !== undefined);
	if (valid.length === 0) {
		return [`${entered.name}: none of its values is valid`];
	}
	const spoiled = [
		...valid.flatMap((value) => [
			...leavesOf(value).flatMap((leaf) => [...withMore(value, leaf), ...ofOtherKind(value, leaf)]),
			...ofOtherShape(value),
		]),
		...inOneText(valid, (value) => resultOf(entered, value)?.result),
	];
	const isWhole = ({ value, must, same }: Spoiled) => {
		const outcome = resultOf(entered, value);
		if (outcome === undefined) {
			return true;
		}
		const content = contentOf(outcome.result);
		return same === undefined
			? must.every((part) => content.includes(part.toLowerCase().replace(/\s/g, '')))
			: content === contentOf(resultOf(entered, same)?.result);
	};
	const { counterexample } = fc.check(fc.property(fc.constantFrom(...spoiled), isWhole), { numRuns: 80 });
	return (counterexample ?? []).map(
		({ value }) => `${entered.name}: ${contentOf(value)} is read as ${contentOf(resultOf(entered, value)?.result)}`,
	);
}

function beside({ displayOptions }: INodeProperties): Record<string, unknown> {
	const shown = Object.entries(displayOptions?.show ?? {}).filter(([name]) => !name.startsWith('@'));
	return Object.fromEntries(shown.map(([name, values]) => [name.replace('/', ''), values?.[0]]));
}

function parametersOf(fields: Iterable<Field>): Entered[] {
	return [...fields].flatMap((field) =>
		field.properties
			.filter(({ type }) => type !== 'notice')
			.map((property) => ({
				name: property.name,
				values: valuesOf(property),
				read(value) {
					const given: Record<string, unknown> = { ...beside(property), [property.name]: value };
					// A text is typed, and everything else comes from an expression.
					const isConstant = () => typeof value === 'string';
					return readField(field, given, { isConstant, timezone: 'Europe/Berlin' });
				},
			})),
	);
}

/** The fields of an operation, by their collection; '' for those outside. */
const collectionsOf = ({ fields, updates, options, filters, sending }: Operation) => ({
	'': fields,
	updateFields: updates,
	options,
	filters,
	sending,
});

describe('A value with something added is read as a whole, or refused', () => {
	test.each(resources.map(({ value, operations }) => [value, operations] as const))('%s', (_resource, operations) => {
		const fields = new Set(operations.flatMap((operation) => Object.values(collectionsOf(operation)).flat()));
		expect(parametersOf(fields).flatMap(readInPart)).toEqual([]);
	});

	test('the trigger, and the limits of a tool', () => {
		expect(parametersOf([...triggerFields, ...triggerOptions, ...toolFields]).flatMap(readInPart)).toEqual([]);
	});

	const collections = resources.flatMap(({ value, operations }) =>
		operations.flatMap((operation) =>
			Object.entries(collectionsOf(operation))
				.filter(([name, members]) => name !== '' && members.length > 0)
				.map(([name, members]) => ({ name, members, operation: `${value} ${operation.value}` })),
		),
	);

	test.each(['updateFields', 'options', 'filters', 'sending'])('the collection %s of each operation', (name) => {
		const members = collections.filter((one) => one.name === name);
		expect(members.length).toBeGreaterThan(0);
		for (const given of [MARK, '{"blockedNumbers": "+12025550111"}', [MARK], 7, true, new Map()]) {
			for (const { members: fields } of members) {
				expect(() => readFields(z, [], { [name]: fields }, sourceOf({ [name]: given }))).toThrow(`in '${name}' are`);
			}
		}
	});

	test.each(['   ', '\t\r\n', '\u00a0\u200b\ufeff'])(
		'no field takes only blanks for a value, nor for nothing: %j',
		(blank) => {
			const fields = resources.flatMap(({ operations }) => operations.flatMap((operation) => operation.fields));
			// A check reports a missing number in its output.
			const others = fields.filter(({ key, codes }) => key !== 'to' || codes !== undefined);
			const outside = [...others, ...triggerFields, ...toolFields].map((field) => ({ name: '', field }));
			const inside = [...collections, { name: 'options', members: triggerOptions }].flatMap(({ name, members }) =>
				members.map((field) => ({ name, field })),
			);
			const refusing = [...outside, ...inside].filter(({ field }) => field.empty !== 'optional');
			const taken = refusing.flatMap(({ name, field }) => {
				// Rows and choices are no text: blanks are refused there, or are as an empty text.
				const texts = field.properties.filter(({ type }) => !['multiOptions', 'fixedCollection'].includes(type));
				return texts.flatMap((property) => {
					const value = property.type === 'resourceLocator' ? byId(blank) : blank;
					const isConstant = () => true;
					try {
						return [
							[name, property.name, readField(field, { [property.name]: value }, { collection: name, isConstant })],
						];
					} catch {
						return [];
					}
				});
			});
			expect(taken).toEqual([]);
		},
	);

	test('the only member of a collection that an item may lack is the country of its number', () => {
		const optional = collections.flatMap(({ members }) => members.filter(({ empty }) => empty === 'optional'));
		expect(new Set(optional.map(({ key }) => key))).toEqual(new Set(['defaultCountry']));
	});

	test('a member of a collection whose expression gives nothing is refused, and one that a person left empty is not read', () => {
		const all = [...collections, { name: 'options', members: triggerOptions, operation: 'trigger' }];
		const members = all.flatMap(({ name, members: fields }) => fields.map((field) => ({ name, field })));
		for (const { name, field } of members) {
			for (const property of field.properties) {
				for (const blank of [undefined, null, '', ...(property.type === 'resourceLocator' ? [byId('')] : [])]) {
					const resultFor = (typed: boolean, asTool = false) =>
						readField(field, { [property.name]: blank }, { collection: name, asTool, isConstant: () => typed });
					if (field.empty === 'optional') {
						expect(resultFor(false)).toBeUndefined();
						continue;
					}
					expect(() => resultFor(false)).toThrow(`'${property.displayName}' is empty: its expression has no value`);
					if (name !== 'updateFields' && typeof field.empty !== 'object') {
						expect(resultFor(true)).toBeUndefined();
					}
					// A model leaves a filter out in this way.
					if (name === 'filters' && typeof field.empty !== 'object') {
						expect(resultFor(false, true)).toBeUndefined();
					}
				}
			}
		}
	});
});

import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';

import type { SecretField } from '../client/secrets';
import { type ParsedNumber, parsePhoneNumber } from '../phoneNumbers/e164';
import { booleanSchema, defineField, type Field, issueOf, jsonObject, numeric, textual } from './field';

/** An n8n property without the members that the kind of field defines. */
export type Property = Omit<INodeProperties, 'type' | 'default'> & Partial<Pick<INodeProperties, 'default'>>;

/** Completes a property. @param defaults the members of the kind of field; `property` overrides them */
export function literal(
	property: Property,
	type: INodeProperties['type'],
	defaults: Pick<INodeProperties, 'default'> & Partial<INodeProperties>,
): INodeProperties {
	return { ...property, ...defaults, ...property, type };
}

/** Declares a text field. @param limits the number of characters; `multiline` shows several lines in the editor */
export function text<const Key extends string>(
	key: Key,
	property: Property,
	{ min, max, multiline }: { min?: number; max?: number; multiline?: true } = {},
): Field<Key, string> {
	const typeOptions = multiline && { typeOptions: { rows: 4 } };
	return defineField({
		key,
		properties: [literal(property, 'string', { default: '', ...typeOptions })],
		check: (zod) => {
			const atLeast = min === undefined ? zod.string() : zod.string().min(min, `Use ${min} characters or more`);
			return textual(zod, max === undefined ? atLeast : atLeast.max(max));
		},
	});
}

/** Declares a text field that is masked in the editor, and hidden in outputs, errors and logs. */
export function secret<const Key extends SecretField>(
	key: Key,
	property: Property,
	limits: { max?: number; multiline?: true } = {},
): Field<Key, string> {
	const rows = limits.multiline && { rows: 4 };
	return text(key, { ...property, typeOptions: { password: true, ...rows } }, { max: limits.max });
}

/** Inclusive limits. */
interface Range {
	min?: number;
	max?: number;
}

function inRange(zod: typeof z, { min, max }: Range): z.ZodNumber {
	const atLeast = min === undefined ? zod.number() : zod.number().min(min);
	return max === undefined ? atLeast : atLeast.max(max);
}

function numberProperty(property: Property, { min, max }: Range, decimals: number): INodeProperties {
	const typeOptions = {
		...(min !== undefined && { minValue: min }),
		...(max !== undefined && { maxValue: max }),
		...(decimals > 0 && { numberPrecision: decimals }),
	};
	return literal(property, 'number', { default: min ?? 0, typeOptions });
}

/** Declares a field for a whole number. @param range inclusive limits; the default value is `min`, otherwise 0 */
export function integer<const Key extends string>(key: Key, property: Property, range: Range = {}): Field<Key, number> {
	return defineField({
		key,
		properties: [numberProperty(property, range, 0)],
		check: (zod) => numeric(zod, inRange(zod, range).int()),
	});
}

/** Declares a number that the editor shows with up to two decimals. @param range as for {@link integer} */
export function decimal<const Key extends string>(key: Key, property: Property, range: Range = {}): Field<Key, number> {
	return defineField({
		key,
		properties: [numberProperty(property, range, 2)],
		check: (zod) => numeric(zod, inRange(zod, range)),
	});
}

/** Declares a field that is true or false, by default false. */
export function toggle<const Key extends string>(key: Key, property: Property): Field<Key, boolean> {
	return defineField({
		key,
		properties: [literal(property, 'boolean', { default: false })],
		check: booleanSchema,
	});
}

/** Declares a field for a JSON object. */
export function json<const Key extends string>(key: Key, property: Property): Field<Key, Record<string, unknown>> {
	return defineField({
		key,
		properties: [literal(property, 'json', { default: '{}' })],
		check: jsonObject,
	});
}

/** Declares a field for a URL that begins with http:// or https://. @param limits the maximum number of characters */
export function webAddress<const Key extends string>(
	key: Key,
	property: Property,
	{ max }: { max?: number } = {},
): Field<Key, string> {
	return defineField({
		key,
		properties: [literal(property, 'string', { default: '', placeholder: 'e.g. https://example.com/hook' })],
		check: (zod) =>
			(max === undefined ? zod.string().trim() : zod.string().trim().max(max)).refine(
				(address) => /^https?:\/\/\S+$/i.test(address) && URL.canParse(address),
				'Enter one address that begins with https://',
			),
	});
}

/** Matches letters, digits, dots, hyphens and underscores; DNS allows at most 253 characters. */
const HOST_NAME = /^[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?$/i;

/** Matches the characters of an IPv6 address, with at least one colon. */
const IP_V6 = /^(?=.*:)[\da-f:.]+$/i;

/** Declares a field for a host name or IP address, without scheme, port and path. */
export function hostName<const Key extends string>(key: Key, property: Property): Field<Key, string> {
	return defineField({
		key,
		properties: [literal(property, 'string', { default: '' })],
		check: (zod) =>
			zod
				.string()
				.trim()
				.refine(
					(host) => HOST_NAME.test(host) || (IP_V6.test(host) && URL.canParse(`http://[${host}]`)),
					'Enter the name of the host alone, like sip.example.com: no scheme, port or path',
				),
	});
}

/** Creates the issue for an invalid phone number, for a zod check. */
export function issueOfNumber({ advice, lacksCountry }: ParsedNumber) {
	return issueOf(advice, lacksCountry ? { ofValue: 'has no country code' } : {});
}

/** Declares a field for a phone number, which is sent in E.164. */
export function e164<const Key extends string>(key: Key, property: Property): Field<Key, string> {
	return defineField({
		key,
		properties: [literal(property, 'string', { default: '', placeholder: 'e.g. +4915112345678' })],
		check: (zod) =>
			zod.unknown().transform((value, context) => {
				const parsed = parsePhoneNumber(value);
				if (parsed.number !== undefined) {
					return parsed.number;
				}
				context.addIssue(issueOfNumber(parsed));
				return zod.NEVER;
			}),
	});
}

/** The format of UUIDs. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Matches a single ID or name of the service, which contains no character that separates or encloses several. */
export const ONE_CODE = /^[^\s,;"'[\]{}]+$/;

/**
 * Declares a field for the IDs of several objects.
 *
 * @param property with `typeOptions.loadOptionsMethod`, which lists the objects
 * @param limits `min`: how many IDs are required; `uuid`: whether they have to be UUIDs
 */
export function idList<const Key extends string>(
	key: Key,
	property: Property,
	{ min = 0, uuid = true }: { min?: number; uuid?: boolean } = {},
): Field<Key, string[]> {
	return defineField({
		key,
		properties: [literal(property, 'multiOptions', { default: [] })],
		read: ({ get }) => listOf(get(property.name)),
		check: (zod) => {
			const id = zod.string().trim().min(1);
			const uuidFormat = id.regex(UUID, 'Use IDs as the service shows them, like 3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c');
			const anyFormat = textual(zod, id.regex(ONE_CODE, 'Use one ID for each entry'));
			return zod.array(uuid ? uuidFormat : anyFormat).min(min, 'Choose at least one');
		},
	});
}

/**
 * Returns the list in an array, or in text separated by commas, semicolons or whitespace. A text without entries, such
 * as a blank, is returned as an entry that every check refuses, because it is a mistake and not an empty list.
 *
 * @returns undefined if empty
 */
export function listOf(value: unknown): unknown[] | undefined {
	if (value === undefined || value === null || value === '') {
		return undefined;
	}
	if (typeof value !== 'string') {
		return Array.isArray(value) ? value : [value];
	}
	const entries = value.split(/[\s,;]+/).filter(Boolean);
	return entries.length > 0 ? entries : [value];
}

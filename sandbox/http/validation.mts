import type { z } from 'zod';

import type { FieldErrors } from './httpErrors.mts';
import { REFUSALS, type Refusal } from './refusal.mts';

/**
 * Checks a body or a query against a schema. A missing body counts as an empty object.
 * @returns the parsed value, without fields that are not in the schema
 * @throws 422 in the given format
 */
export function check<Schema extends z.ZodTypeAny>(schema: Schema, value: unknown, refusal: Refusal): z.output<Schema> {
	const result = schema.safeParse(value === undefined ? {} : value);
	if (result.success) {
		return result.data;
	}
	throw REFUSALS[refusal].invalidFields(fieldErrors(result.error));
}

/** Returns the messages by invalid field. Nested fields are in dot notation with indexes (`call_time_ranges.0.end`). */
function fieldErrors(error: z.ZodError): FieldErrors {
	const errors = new Map<string, string[]>();
	const add = (field: string, text: string) => errors.set(field, [...(errors.get(field) ?? []), text]);
	for (const issue of error.issues) {
		if (issue.code === 'unrecognized_keys') {
			for (const key of issue.keys) {
				const field = [...issue.path, key].join('.');
				add(field, `There is no ${field} field.`);
			}
		} else {
			const field = issue.path.join('.') || 'body';
			add(field, message(field, issue));
		}
	}
	return Object.fromEntries(errors);
}

function message(field: string, issue: z.ZodIssue): string {
	const name = `The ${field} field`;
	switch (issue.code) {
		case 'invalid_type':
			if (issue.received === 'undefined') {
				return `${name} is required.`;
			}
			return `${name} must be of type ${issue.expected}.`;
		case 'invalid_enum_value':
		case 'invalid_union_discriminator':
			return `The selected ${field} is invalid.`;
		case 'invalid_string':
			return `${name} format is invalid.`;
		case 'too_small':
			return `${name} must ${size(issue.type, 'least', Number(issue.minimum))}.`;
		case 'too_big':
			return `${name} must ${size(issue.type, 'most', Number(issue.maximum))}.`;
		default:
			return issue.message === 'Invalid input' ? `${name} is invalid.` : issue.message;
	}
}

function size(type: string, bound: 'least' | 'most', limit: number): string {
	if (type === 'string') {
		return `be at ${bound} ${limit} ${limit === 1 ? 'character' : 'characters'}`;
	}
	if (type === 'array') {
		return `have at ${bound} ${limit} ${limit === 1 ? 'item' : 'items'}`;
	}
	return `be at ${bound} ${limit}`;
}

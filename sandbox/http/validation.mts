import { isIP } from 'node:net';
import { DateTime, IANAZone } from 'luxon';
import { z } from 'zod';

import { type FieldErrors, HttpError, invalidFields, nestedError } from './answers.mts';
import type { Refusal } from './refusal.mts';

/**
 * Checks a body or a query against a schema.
 * @returns the parsed value, without fields that the schema does not know
 * @throws 422 with `errors` in the format that the refusals of the route have; nested: `VALIDATION_ERROR`, `details.errors`
 */
export function check<Schema extends z.ZodTypeAny>(
	schema: Schema,
	value: unknown,
	refusal: Refusal = 'unauthorized',
): z.output<Schema> {
	const result = schema.safeParse(value ?? {});
	if (result.success) {
		return result.data;
	}
	const errors = fieldErrors(result.error);
	const message = Object.values(errors)[0]?.[0] ?? 'The given data was invalid.';
	if (refusal === 'nested') {
		throw nestedError(422, 'VALIDATION_ERROR', message, { errors });
	}
	if (refusal === 'bare') {
		throw new HttpError(422, message, { message, errors });
	}
	throw invalidFields(errors);
}

/** Turns zod's issues into the service's map; nested fields in dot notation with indexes (`call_time_ranges.0.end`). */
export function fieldErrors(error: z.ZodError): FieldErrors {
	const errors: FieldErrors = {};
	for (const issue of error.issues) {
		const field = issue.path.join('.') || 'body';
		(errors[field] ??= []).push(message(field, issue));
	}
	return errors;
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
		return `be at ${bound} ${limit} characters`;
	}
	if (type === 'array') {
		return `have at ${bound} ${limit} items`;
	}
	return `be at ${bound} ${limit}`;
}

/** An address that the service can call. */
export const httpUrl = z
	.string()
	.refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), 'The address must be a valid URL.');

/** An item of `custom_headers`. */
export const httpHeader = z.object({
	key: z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/),
	value: z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/),
});

/** A host name or an address, without scheme, port and path. */
export const hostName = z
	.string()
	.min(1)
	.max(255)
	.refine(
		(name) => isIP(name) !== 0 || /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?\.?$/i.test(name),
		'The host must be a host name or an IP address.',
	);

/** A JSON object with any members. */
export const anyObject = z.record(z.unknown());

/** An integer in a query, of a size that a number holds exactly. */
export const queryInteger = z
	.string()
	.regex(/^-?\d{1,15}$/)
	.transform(Number);

/** `page` and `per_page` of a list: page from 1, per_page 1 to 100. */
export function pagesOf(perPage: number) {
	return {
		page: queryInteger.pipe(z.number().min(1)).default('1'),
		per_page: queryInteger.pipe(z.number().min(1).max(100)).default(String(perPage)),
	};
}

/** As most lists have them: default 20. */
export const pageQuery = pagesOf(20);

/** A calendar date that exists, YYYY-MM-DD. */
export const isoDate = z
	.string()
	.regex(/^\d{4}-\d{2}-\d{2}$/)
	.refine((text) => {
		const time = new Date(`${text}T00:00:00Z`);
		return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
	}, 'The date does not exist.');

const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]([01]\d|2[0-3])(:?[0-5]\d)?)?)?$/;

/** A moment in ISO 8601, cut to whole seconds, in milliseconds since 1970. One without an offset is in UTC. */
export const isoMoment = z
	.string()
	.regex(MOMENT)
	.transform((text, context) => {
		const time = DateTime.fromISO(text, { zone: 'utc' });
		if (time.isValid && time.year >= 1 && time.year <= 9999) {
			return Math.floor(time.toSeconds()) * 1000;
		}
		context.addIssue({ code: 'custom', message: 'The date does not exist.' });
		return z.NEVER;
	});

/** An IANA timezone; a fixed offset is none. */
export const timezoneName = z
	.string()
	.max(50)
	.refine((zone) => !/^[+-]/.test(zone) && IANAZone.isValidZone(zone), 'The timezone must be a valid timezone.');

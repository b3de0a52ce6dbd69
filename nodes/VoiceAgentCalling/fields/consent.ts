import { invalid } from '../../shared/errors/serviceError';
import { defineField, type FieldSource, groupOf, issueOf, local, numeric, textual } from '../../shared/fields/field';
import { moment } from '../../shared/fields/timeKinds';
import { isBlank, isJsonObject, isRecord } from '../../shared/lib/json';
import { timeIn } from '../../shared/lib/time';

/** The field of the metadata that contains the consent. */
const CONSENT = 'consent';

/** The maximum length of that field as JSON, so that it fits where metadata is stored as text. */
const MAX_LENGTH = 255;

/** A person's consent to be called. */
export interface Consent {
	/** ISO 8601 with offset; undefined without a usable date. */
	givenAt?: string;
	/** What is wrong with the date, to follow its name. */
	mistake?: 'is empty' | 'is not a date';
	/** Days of 24 hours; undefined for a consent without an end. */
	validForDays?: number;
	purpose: string;
	reference: string;
}

/** Tables and programs write an empty date as one before this time, such as 1900-01-01 or 1970-01-01. */
const FIRST_CONSENT_MS = Date.UTC(1990, 0);

/** The value of Valid For (Days) for a consent without an end. */
const UNLIMITED = 'unlimited';

/** The names of the parameters. */
const PARTS = ['givenAt', 'purpose', 'reference', 'validFor'];

const givenAt = moment('givenAt', {
	displayName: 'Given At',
	name: 'givenAt',
	description: 'When the person gave it. Without a date, or with one in the future, the consent is not valid.',
});

/** The consent of the person: an option of all operations that place, queue or check a call. */
export const consent = local(
	defineField({
		key: 'consent',
		ai: 'fixed',
		empty: { error: 'Fill it in, check the expression, or remove the option to call without consent.' },
		properties: [
			{
				displayName: 'Consent',
				name: 'consent',
				type: 'fixedCollection',
				placeholder: 'Add Consent',
				default: { values: { givenAt: '', validFor: UNLIMITED, purpose: '', reference: '' } },
				description:
					'The consent of the person, for each item. Without a valid one, nothing is sent: the item gets the result noConsent, or not ready in a check. A valid one is sent in the metadata, as consent. A tool takes fixed values only.',
				options: [
					{
						displayName: 'Consent',
						name: 'values',
						values: [
							...givenAt.properties,
							{
								displayName: 'Purpose',
								name: 'purpose',
								type: 'string',
								default: '',
								placeholder: 'e.g. appointment reminders',
								description: 'What the person agreed to be called for',
							},
							{
								displayName: 'Reference',
								name: 'reference',
								type: 'string',
								default: '',
								placeholder: 'e.g. form-4711',
								description: 'The ID of a form, for example, rather than its text',
							},
							{
								displayName: 'Valid For (Days)',
								name: 'validFor',
								type: 'string',
								// An invalid value, because n8n uses the default for a misspelled name, for example.
								default: '0',
								placeholder: 'e.g. 365',
								description: `How many days of 24 hours, or ${UNLIMITED} for a consent without an end`,
							},
						],
					},
				],
			},
		],
		read: readConsent,
		check: (zod) =>
			zod
				.object({
					givenAt: zod.string().optional(),
					mistake: zod.enum(['is empty', 'is not a date']).optional(),
					validForDays: numeric(
						zod,
						zod
							.number({ invalid_type_error: `Enter 'Valid For (Days)' as a number of days, or as ${UNLIMITED}` })
							.int()
							.min(1, `Use 1 or more in 'Valid For (Days)', or ${UNLIMITED} for a consent without an end`),
					).optional(),
					purpose: textual(zod, zod.string().trim()),
					reference: textual(zod, zod.string().trim()),
				})
				.strict()
				.refine(
					(value) => value.givenAt === undefined || lengthOf(value) <= MAX_LENGTH,
					(value) =>
						issueOf("Shorten 'Purpose', and give the ID of a record as 'Reference' rather than its text", {
							ofField: `is too long: with its date, purpose and reference, it may have ${MAX_LENGTH} characters as JSON, and has ${lengthOf(value)}`,
						}),
				),
	}),
);

/** Reads a consent. An unusable date is not an error: it makes the consent invalid. */
function readConsent({ get, ...run }: FieldSource): unknown {
	const stored = groupOf(get('consent'));
	if (!isJsonObject(stored)) {
		return stored;
	}
	const { validFor, purpose, reference } = stored;
	// An empty cell of a table must not make a consent last forever.
	if (isBlank(validFor)) {
		throw invalid(
			"'Valid For (Days)' in 'Consent' is empty",
			`Fill it in, or check the expression. A consent without an end has the value ${UNLIMITED}.`,
		);
	}
	const isUnlimited = typeof validFor === 'string' && validFor.trim().toLowerCase() === UNLIMITED;
	const date = givenAt.read?.({ ...run, get: (name) => stored[name] });
	// Unknown fields are kept, so that the check refuses them.
	const unknown = Object.entries(stored).filter(([name]) => !PARTS.includes(name));
	return {
		...Object.fromEntries(unknown),
		...(isConsentDate(date) ? { givenAt: date } : { mistake: mistakeOf(date) }),
		...(!isUnlimited && { validForDays: validFor }),
		purpose: purpose ?? '',
		reference: reference ?? '',
	};
}

function isConsentDate(date: unknown): date is string {
	return typeof date === 'string' && !isBlank(date) && !((timeIn(date) ?? Number.NaN) < FIRST_CONSENT_MS);
}

function mistakeOf(date: unknown): Consent['mistake'] {
	return isBlank(date) ? 'is empty' : 'is not a date';
}

/** Returns the consent for the metadata of a call. */
function metadataOf({ givenAt: given, purpose, reference }: Consent) {
	return { givenAt: given, ...(!isBlank(purpose) && { purpose }), ...(!isBlank(reference) && { reference }) };
}

function lengthOf(value: Consent): number {
	return JSON.stringify(metadataOf(value)).length;
}

/**
 * Returns the values of a call with the consent in its metadata, if the option is set.
 *
 * @throws ServiceError `INVALID_INPUT` if the user's metadata already has a field with that name
 */
export function withConsent<Values extends Record<string, unknown>>(
	values: Values,
	{ consent: given }: { consent?: Consent },
): Values {
	if (given?.givenAt === undefined) {
		return values;
	}
	const context = isRecord(values.context) ? values.context : {};
	if (Object.hasOwn(context, CONSENT)) {
		throw invalid(
			`'Metadata' has a field named ${CONSENT}, and 'Consent' adds one`,
			'Rename the field, or remove the option.',
		);
	}
	return { ...values, context: { ...context, [CONSENT]: metadataOf(given) } };
}

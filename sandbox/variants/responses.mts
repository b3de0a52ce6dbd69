import { createHash } from 'node:crypto';

import type { Variant } from '../world/variant.mts';
import { about, body, everywhere, fieldsOf, inObjects, inResponses, isFields, response, status } from './shapes.mts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The UUIDs by the numbers that were sent in their place. */
const sentNumbers = new Map<string, string>();

/** Returns the number that replaces a UUID. */
function numberOf(id: string): number {
	const number = Number.parseInt(createHash('sha256').update(id).digest('hex').slice(0, 12), 16);
	sentNumbers.set(String(number), id);
	return number;
}

/** Replaces each UUID in a value by its number. */
function withNumbers(value: unknown): unknown {
	if (Array.isArray(value)) {
		return value.map(withNumbers);
	}
	return typeof value === 'string' && UUID.test(value) ? numberOf(value) : value;
}

/** Replaces each number in a value by its UUID, also if the number is text. */
function withoutNumbers(value: unknown): unknown {
	if (Array.isArray(value)) {
		return value.map(withoutNumbers);
	}
	if (isFields(value)) {
		return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutNumbers(inner)]));
	}
	return ['number', 'string'].includes(typeof value) ? (sentNumbers.get(String(value)) ?? value) : value;
}

const STATUS = ['status', 'current_status', 'health_status'];

/** Writes `true` and `false` in another form. */
const booleans = (does: string, write: (value: boolean) => unknown) =>
	everywhere(`${does}, except for \`success\``, (name, value) =>
		typeof value === 'boolean' && name !== 'success' ? write(value) : value,
	);

/** Replaces empty lists. Undefined leaves them out. */
const emptyLists = (does: string, instead: null | undefined) =>
	inResponses(does, (_name, value) => (Array.isArray(value) && value.length === 0 ? instead : value));

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const MORE = { _links: { self: '/api/v2' }, tags: ['x', null], tenant: 'eu-1', deleted_at: null };

/** The form of responses. */
export const responses: Variant[] = [
	...about('What is around the data of a response?', {
		'answer-without-data': body(
			'returns the object itself, without `data` around it; a list stays in `data` beside its pages',
			(whole) => ('meta' in whole || 'pagination' in whole ? whole : (whole.data ?? whole)),
		),
		'answer-fields-beside-success': body(
			'returns the fields of the object beside `success`, without `data` around them',
			({ data, ...rest }) => (isFields(data) ? { ...rest, ...data } : { ...rest, data }),
		),
	}),
	...about('Which status has a response?', {
		'answer-post-201': status('returns 201 for each POST', 200, 201, 'POST'),
		'answer-update-204': response('returns 204 for a change, without a body', (made, { method }) => {
			if (made.status < 300 && ['PUT', 'PATCH'].includes(method)) {
				Object.assign(made, { status: 204, body: undefined });
			}
		}),
	}),
	...about('How are statuses written?', {
		'answer-status-upper-case': {
			...everywhere('writes statuses in capital letters, in responses and in events', (name, value) =>
				STATUS.includes(name) && typeof value === 'string' ? value.toUpperCase() : value,
			),
			request(made) {
				for (const fields of [made.query, fieldsOf(made.body)]) {
					for (const name of STATUS.filter((one) => typeof fields[one] === 'string')) {
						fields[name] = String(fields[name]).toLowerCase();
					}
				}
			},
		},
	}),
	...about('Form of identifiers', {
		'answer-ids-numbers': {
			...everywhere('has numbers as identifiers, in responses and in events; both forms are read', (_name, value) =>
				withNumbers(value),
			),
			request(made) {
				made.params = withoutNumbers(made.params) as Record<string, string>;
				made.query = fieldsOf(withoutNumbers(made.query));
				made.body = isFields(made.body) ? withoutNumbers(made.body) : made.body;
			},
		},
	}),
	...about('Form of numbers and of yes and no', {
		'answer-numbers-text': everywhere('writes numbers as text, in responses and in events', (_name, value) =>
			typeof value === 'number' ? String(value) : value,
		),
		'answer-booleans-text': booleans('writes `true` and `false` as text', String),
		'answer-booleans-numbers': booleans('writes 1 and 0 for yes and no', Number),
	}),
	...about('What stands for nothing?', {
		'answer-empty-lists-null': emptyLists('has `null` in place of an empty list', null),
		'answer-empty-lists-absent': emptyLists('leaves out an empty list', undefined),
		'answer-null-absent': everywhere('leaves out fields that are null, in responses and in events', (_name, value) =>
			value === null ? undefined : value,
		),
	}),
	...about('Which fields has a response?', {
		'answer-more-fields': {
			...inObjects(
				'has fields in each object that are not documented: a text, an object, a list and null',
				(fields) => ({ ...fields, ...MORE }),
			),
			event: (fields) => ({ ...fields, ...MORE }),
		},
	}),
	...about('Form of times', {
		'answer-time-without-zone': everywhere('writes times in UTC, with a space and without a zone', (_name, value) =>
			typeof value === 'string' && TIME.test(value) ? value.replace('T', ' ').slice(0, 19) : value,
		),
	}),
];

import { createHash } from 'node:crypto';

import type { WireAnswer, WireFields } from '../world/variant.mts';
import { about, type Entry } from './entry.mts';
import { eachField, everywhere, fieldsOf, inAnswers, isFields, isTo, status } from './shapes.mts';

const WRITES = 'PUT|PATCH|DELETE';
const LISTS = ['meta', 'pagination'];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The UUIDs of the numbers that were sent, to read them in requests. Each UUID has one number. */
const sentNumbers = new Map<string, string>();

/** The number of an object. */
function numberOf(id: string): number {
	const number = Number.parseInt(createHash('sha256').update(id).digest('hex').slice(0, 12), 16);
	sentNumbers.set(String(number), id);
	return number;
}

/** A value in which each UUID is a number. */
function withNumbers(value: unknown): unknown {
	if (Array.isArray(value)) {
		return value.map(withNumbers);
	}
	return typeof value === 'string' && UUID.test(value) ? numberOf(value) : value;
}

/** A value in which each number that stands for an object is its UUID again, also where it is text. */
function withoutNumbers(value: unknown): unknown {
	if (Array.isArray(value)) {
		return value.map(withoutNumbers);
	}
	if (isFields(value)) {
		return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutNumbers(inner)]));
	}
	return (typeof value === 'number' || typeof value === 'string') && sentNumbers.has(String(value))
		? sentNumbers.get(String(value))
		: value;
}

/** Changes the body of each successful answer. */
function body(change: (body: WireFields) => unknown): Pick<Entry, 'answer'> {
	return {
		answer(answer) {
			if (answer.status < 300 && isFields(answer.body)) {
				answer.body = change(answer.body);
			}
		},
	};
}

/** Answers without a body. */
function empty(code: number, methods: string): Pick<Entry, 'answer'> {
	return {
		answer(answer, request) {
			if (answer.status < 300 && isTo(request, methods) && fieldsOf(answer.body).success !== false) {
				answer.status = code;
				answer.body = undefined;
			}
		},
	};
}

/** Whether a list is empty. */
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

const STATUS = ['status', 'current_status', 'health_status'];
/** Other words for statuses, which say the same. */
const WORDS: Record<string, string> = {
	'no-answer': 'no_answer',
	answered: 'in_progress',
	initiated: 'dialing',
	cancelled: 'canceled',
	retrying: 'will_retry',
	confirmed: 'booked',
};
const FORMER_WORDS = Object.fromEntries(Object.entries(WORDS).map(([former, word]) => [word, former]));

/** Reads statuses in queries and bodies of requests. */
function readStatus(read: (status: string) => string): Pick<Entry, 'request'> {
	return {
		request(request) {
			for (const fields of [request.query, fieldsOf(request.body)]) {
				for (const name of STATUS) {
					if (typeof fields[name] === 'string') {
						fields[name] = read(fields[name]);
					}
				}
			}
			return undefined;
		},
	};
}

/** The form of statuses and what they are called. */
const statuses = about('How are statuses written?', [
	{
		name: 'answer-status-upper-case',
		does: 'writes statuses in capital letters, in answers and in events',
		...everywhere((name, value) => (STATUS.includes(name) && typeof value === 'string' ? value.toUpperCase() : value)),
		...readStatus((value) => value.toLowerCase()),
	},
	{
		name: 'answer-status-other-words',
		does: `has other words for statuses: ${Object.entries(WORDS)
			.map(([former, word]) => `\`${word}\` for \`${former}\``)
			.join(', ')}`,
		...everywhere((name, value) => (STATUS.includes(name) ? (WORDS[String(value)] ?? value) : value)),
		...readStatus((value) => FORMER_WORDS[value] ?? value),
	},
]);

/** What an answer has around its data. */
const envelopes = about('What is around the data of an answer?', [
	{
		name: 'answer-without-data',
		does: 'answers with the object itself, without `data` around it; a list stays in `data` beside its pages',
		...body(({ data, ...rest }) => {
			if (data === undefined || LISTS.some((name) => name in rest)) {
				return { ...rest, ...(data === undefined ? {} : { data }) };
			}
			return data;
		}),
	},
	{
		name: 'answer-fields-beside-success',
		does: 'answers with the fields of the object beside `success`, without `data` around them',
		...body(({ data, ...rest }) =>
			isFields(data) ? { ...rest, ...data } : { ...rest, ...(data === undefined ? {} : { data }) },
		),
	},
	{
		name: 'answer-always-with-data',
		does: 'puts into `data` what else stands beside it or in place of it, such as the queued call',
		...body(({ success = true, message, data, ...rest }) => ({
			success,
			...(message === undefined ? {} : { message }),
			data: data ?? rest,
			...(data === undefined ? {} : rest),
		})),
	},
	{
		name: 'answer-without-success',
		does: 'leaves out `success` where it is true',
		...body(({ success, ...rest }) => (success === false ? { success, ...rest } : rest)),
	},
	{
		name: 'answer-without-message',
		does: 'leaves out `message` where something has worked',
		...body(({ message, ...rest }) => (rest.success === false ? { message, ...rest } : rest)),
	},
]);

/** The statuses of answers. */
const codes = about('Which status has an answer?', [
	{ name: 'answer-created-200', does: 'answers a creation with 200', ...status(201, 200, 'POST') },
	{ name: 'answer-created-202', does: 'answers a creation with 202', ...status(201, 202, 'POST') },
	{ name: 'answer-post-201', does: 'answers each POST with 201', ...status(200, 201, 'POST') },
	{ name: 'answer-post-202', does: 'answers each POST with 202', ...status(200, 202, 'POST') },
	{ name: 'answer-update-202', does: 'answers a change with 202', ...status(200, 202, WRITES) },
	{ name: 'answer-delete-204', does: 'answers a deletion with 204, without a body', ...empty(204, 'DELETE') },
	{ name: 'answer-update-204', does: 'answers a change with 204, without a body', ...empty(204, 'PUT|PATCH') },
	{
		name: 'answer-update-empty',
		does: 'answers a change or a deletion with 200, without a body',
		...empty(200, WRITES),
	},
]);

/** Times and names of fields. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const time = (write: (time: Date) => string) =>
	everywhere((_name, value) => (typeof value === 'string' && TIME.test(value) ? write(new Date(value)) : value));

const values: Entry[] = [
	{
		name: 'answer-ids-numbers',
		does: 'has numbers as identifiers, in answers and in events; both forms are read',
		question: 'Form of identifiers',
		...everywhere((_name, value) => withNumbers(value)),
		request(request) {
			request.params = fieldsOf(withoutNumbers(request.params)) as Record<string, string>;
			request.query = fieldsOf(withoutNumbers(request.query));
			request.body = isFields(request.body) ? withoutNumbers(request.body) : request.body;
			return undefined;
		},
	},
	{
		name: 'answer-numbers-text',
		question: 'Form of numbers and of yes and no',
		does: 'writes numbers as text, in answers and in events',
		...everywhere((_name, value) => (typeof value === 'number' ? String(value) : value)),
	},
	{
		name: 'answer-booleans-text',
		question: 'Form of numbers and of yes and no',
		does: 'writes `true` and `false` as text, but for `success`',
		...everywhere((name, value) => (typeof value === 'boolean' && name !== 'success' ? String(value) : value)),
	},
	{
		name: 'answer-booleans-numbers',
		question: 'Form of numbers and of yes and no',
		does: 'writes 1 and 0 for yes and no, but for `success`',
		...everywhere((name, value) => (typeof value === 'boolean' && name !== 'success' ? Number(value) : value)),
	},
	{
		name: 'answer-empty-lists-null',
		question: 'What stands for nothing?',
		does: 'has `null` in place of an empty list',
		...inAnswers((_name, value) => (isEmptyList(value) ? null : value)),
	},
	{
		name: 'answer-empty-lists-absent',
		question: 'What stands for nothing?',
		does: 'leaves out an empty list',
		...inAnswers((_name, value) => (isEmptyList(value) ? undefined : value)),
	},
	{
		name: 'answer-null-absent',
		question: 'What stands for nothing?',
		does: 'leaves out fields that are null, in answers and in events',
		...everywhere((_name, value) => (value === null ? undefined : value)),
	},
	{
		name: 'answer-null-empty-text',
		question: 'What stands for nothing?',
		does: 'has an empty text in place of null',
		...everywhere((_name, value) => (value === null ? '' : value)),
	},
	{
		name: 'answer-more-fields',
		question: 'Which fields has an answer?',
		does: 'has fields in each object that are not documented: a text, an object, a list and null',
		answer(answer) {
			answer.body = withMore(eachField(answer.body, (_name, value) => withMore(value)));
		},
		event: (event) => ({ ...event, ...MORE }),
	},
	{
		name: 'answer-time-fraction',
		question: 'Form of times',
		does: 'writes times with six digits after the second',
		...time((moment) => moment.toISOString().replace('Z', '000Z')),
	},
	{
		name: 'answer-time-offset',
		question: 'Form of times',
		does: 'writes times with an offset instead of `Z`',
		...time((moment) => new Date(moment.getTime() - 18_000_000).toISOString().replace(/\.\d+Z/, '-05:00')),
	},
	{
		name: 'answer-time-without-zone',
		question: 'Form of times',
		does: 'writes times in UTC, with a space and without a zone',
		...time((moment) => moment.toISOString().replace('T', ' ').slice(0, 19)),
	},
	{
		name: 'answer-byte-order-mark',
		question: 'Encoding of an answer',
		does: 'begins its JSON with a byte order mark',
		answer(answer: WireAnswer) {
			if (answer.type === undefined && answer.body !== undefined) {
				answer.body = `\uFEFF${JSON.stringify(answer.body)}`;
				answer.type = 'application/json';
			}
		},
	},
	{
		name: 'answer-content-type-api-json',
		question: 'Encoding of an answer',
		does: 'calls its JSON `application/vnd.api+json`',
		answer(answer: WireAnswer) {
			if (answer.type === undefined && answer.body !== undefined) {
				answer.body = JSON.stringify(answer.body);
				answer.type = 'application/vnd.api+json';
			}
		},
	},
];

const MORE = { _links: { self: '/api/v2' }, tags: ['x', null], tenant: 'eu-1', deleted_at: null };
/** An object with fields that nobody documented. */
const withMore = (value: unknown) => (isFields(value) ? { ...value, ...MORE } : value);

/** What answers look like. Those that make text of JSON come last. */
export const answers: Entry[] = [...envelopes, ...codes, ...statuses, ...values];

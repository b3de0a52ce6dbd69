import type { Variant, WireAnswer, WireFields, WireRequest } from '../world/variant.mts';

/** What is given back as it was given, and maps whose names are no fields. */
const AS_WRITTEN = [
	'context',
	'payload',
	'flow_config',
	'metadata',
	'input',
	'result',
	'request_payload',
	'response_headers',
	'errors',
	'available_events',
];

/** Whether a value is a JSON object. */
export function isFields(value: unknown): value is WireFields {
	return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The value as an object; an empty one if it is none. */
export function fieldsOf(value: unknown): WireFields {
	return isFields(value) ? value : {};
}

/** Gives the new value of a field; undefined leaves it out. */
type FieldChange = (name: string, value: unknown, of: WireFields) => unknown;

/** A copy of a value in which each field of each object is changed, the inner ones first. What a user has given stays. */
export function eachField(value: unknown, change: FieldChange): unknown {
	if (Array.isArray(value)) {
		return value.map((item) => eachField(item, change));
	}
	if (!isFields(value)) {
		return value;
	}
	const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
		return [name, AS_WRITTEN.includes(name) ? inner : change(name, eachField(inner, change), value)];
	});
	return Object.fromEntries(entries.filter(([, changed]) => changed !== undefined));
}

/** Changes each field of all answers. */
export function inAnswers(change: FieldChange): Pick<Variant, 'answer'> {
	return {
		answer(answer) {
			answer.body = eachField(answer.body, change);
		},
	};
}

/** Changes each field of all answers and all events. */
export function everywhere(change: FieldChange): Pick<Variant, 'answer' | 'event'> {
	return { ...inAnswers(change), event: (body) => fieldsOf(eachField(body, change)) };
}

/** Other names for some fields; the order stays, and a field may also be left out. */
export function renamed(fields: WireFields, names: Record<string, string | undefined>): WireFields {
	const entries = Object.entries(fields).map(([name, value]) => [name in names ? names[name] : name, value] as const);
	return Object.fromEntries(entries.filter(([name]) => name !== undefined)) as WireFields;
}

/** Which requests a variant is about: a method, or several with `|`, and the end of the path of the route. */
export function isTo({ method, route = '' }: WireRequest, methods: string, end = ''): boolean {
	return methods.split('|').includes(method) && route.endsWith(end);
}

/** Changes successful answers to some requests. */
export function onSuccess(
	methods: string,
	end: string,
	change: (answer: WireAnswer, data: WireFields, request: WireRequest) => void,
): Pick<Variant, 'answer'> {
	return {
		answer(answer, request) {
			if (answer.status < 300 && isTo(request, methods, end)) {
				change(answer, fieldsOf(fieldsOf(answer.body).data), request);
			}
		},
	};
}

/** Changes each item of a list that is at the end of a path. */
export function eachItem(end: string, change: (item: WireFields) => WireFields): Pick<Variant, 'answer'> {
	return onSuccess('GET', end, (answer) => {
		const { data, ...rest } = fieldsOf(answer.body);
		answer.body = { ...rest, data: Array.isArray(data) ? data.map((item) => change(fieldsOf(item))) : data };
	});
}

/** Another status for some answers. */
export function status(from: number, to: number, methods: string, end = ''): Pick<Variant, 'answer'> {
	return {
		answer(answer, request) {
			if (answer.status === from && isTo(request, methods, end)) {
				answer.status = to;
			}
		},
	};
}

/** Answers 422 where what was to be tested or checked has failed. @param end the end of the path of the route */
export function failedWith422(end: string): Pick<Variant, 'answer'> {
	return {
		answer(answer, request) {
			if (isTo(request, 'POST', end) && fieldsOf(answer.body).success === false) {
				answer.status = 422;
			}
		},
	};
}

/** Refuses a request in the flat format. @param fields the messages by field, for 422 */
export function refused(code: number, message: string, fields?: Record<string, string[]>): Omit<WireAnswer, 'headers'> {
	return { status: code, body: { success: false, message, ...(fields ? { errors: fields } : {}) } };
}

/** Refuses a request for the value of a field of its body. */
export function refusedField(field: string, message: string): Omit<WireAnswer, 'headers'> {
	return refused(422, message, { [field]: [message] });
}

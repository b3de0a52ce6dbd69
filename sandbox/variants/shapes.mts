import type { Variant, VariantHooks, WireFields, WireRequest, WireResponse } from '../world/variant.mts';

/** The description and the hooks of a variant. */
export type Change = Omit<Variant, 'name' | 'section' | 'question'>;

/** Makes the variants for a question of docs/contributing/assumptions.md. */
export function about(question: string, changes: Record<string, Change>): Variant[] {
	return Object.entries(changes).map(([name, change]) => {
		return { name, section: `${name.split('-', 1)[0]}s`, question, ...change };
	});
}

/** Fields with values of users, and maps whose names are data. They are never changed. */
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

/** Returns the value if it is an object, otherwise an empty object. */
export function fieldsOf(value: unknown): WireFields {
	return isFields(value) ? value : {};
}

/** Removes undefined fields. */
export function defined(fields: WireFields): WireFields {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Returns a copy of a value in which each object is changed, inner objects first. */
export function eachObject(value: unknown, change: (fields: WireFields) => WireFields): unknown {
	if (Array.isArray(value)) {
		return value.map((item) => eachObject(item, change));
	}
	if (!isFields(value)) {
		return value;
	}
	const entries = Object.entries(value).map(([name, inner]) => [
		name,
		AS_WRITTEN.includes(name) ? inner : eachObject(inner, change),
	]);
	return change(Object.fromEntries(entries));
}

/** Returns the new value of a field. Undefined leaves it out. */
type FieldChange = (name: string, value: unknown, of: WireFields) => unknown;

/** Changes each field of an object. */
const withEachField = (change: FieldChange) => (fields: WireFields) =>
	defined(
		Object.fromEntries(
			Object.entries(fields).map(([name, value]) => [
				name,
				AS_WRITTEN.includes(name) ? value : change(name, value, fields),
			]),
		),
	);

/** Renames fields and keeps their order. */
export function renamed(fields: WireFields, names: Record<string, string>): WireFields {
	return Object.fromEntries(Object.entries(fields).map(([name, value]) => [names[name] ?? name, value]));
}

/** Whether a request has one of these methods, separated by `|`, and its route ends with `end`. */
export function isTo({ method, route = '' }: WireRequest, methods: string, end = ''): boolean {
	return methods.split('|').includes(method) && route.endsWith(end);
}

/** Returns the response to a request with an invalid field. */
export function refusedField(field: string, message: string): Omit<WireResponse, 'headers'> {
	return { status: 422, body: { success: false, message, errors: { [field]: [message] } } };
}

/** Changes requests before their route handles them, or returns a response in place of the route. */
export const request = (does: string, change: VariantHooks['request']): Change => ({ does, request: change });

/** Changes the bodies of some requests if they are objects. */
export function sent(does: string, methods: string, end: string, change: (body: WireFields) => WireFields): Change {
	return request(does, (made) => {
		if (isTo(made, methods, end) && isFields(made.body)) {
			made.body = change(made.body);
		}
	});
}

/** Changes responses before they are sent. */
export const response = (does: string, change: VariantHooks['response']): Change => ({ does, response: change });

/** Changes the status of some responses. */
export function status(does: string, from: number, to: number, method?: string): Change {
	return response(does, (made, request) => {
		if (made.status === from && request.method === (method ?? request.method)) {
			made.status = to;
		}
	});
}

/** Changes the body of each successful response if it is an object. */
export function body(does: string, change: (body: WireFields, request: WireRequest) => unknown): Change {
	return response(does, (made, request) => {
		if (made.status < 300 && isFields(made.body)) {
			made.body = change(made.body, request);
		}
	});
}

/** Changes each object of all responses. */
export function inObjects(does: string, change: (fields: WireFields) => WireFields): Change {
	return response(does, (made) => {
		made.body = eachObject(made.body, change);
	});
}

/** Changes each field of all responses. */
export function inResponses(does: string, change: FieldChange): Change {
	return inObjects(does, withEachField(change));
}

/** Changes the bodies of events. */
export const event = (does: string, change: VariantHooks['event']): Change => ({ does, event: change });

/** Changes attempts to deliver an event. */
export const delivery = (does: string, change: VariantHooks['delivery']): Change => ({ does, delivery: change });

/** Changes each field of all responses and all events. */
export function everywhere(does: string, change: FieldChange): Change {
	const inEvent = (fields: WireFields) => fieldsOf(eachObject(fields, withEachField(change)));
	return { ...inResponses(does, change), event: inEvent };
}

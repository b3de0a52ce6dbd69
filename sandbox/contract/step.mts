import { type Exchange, NotTested, type Sent } from './client.mts';
import { dataIn, errorForm, type Fields, idOf, refusedFields, rowsOf } from './read.mts';
import type { Arrival } from './receiver.mts';

/** The requirements of steps besides an account, by the option that provides them. Reading requires nothing. */
export const NEEDS = { write: '--write', receive: '--receive URL', call: '--call NUMBER' } as const;
export type Need = keyof typeof NEEDS;

/** The result of a step. */
export class Found {
	readonly exchange: Exchange;
	/** The deliveries that the step waited for. */
	readonly deliveries: Arrival[];
	/** Reads a value that an earlier step kept. @throws NotTested if it is missing */
	readonly use: (name: string) => string;

	constructor(exchange: Exchange, deliveries: Arrival[], use: Found['use']) {
		this.exchange = exchange;
		this.deliveries = deliveries;
		this.use = use;
	}

	/** The object in a successful response. @throws NotTested */
	get data(): Fields {
		return dataIn(this.body);
	}

	/** The objects in the list of a successful response. @throws NotTested */
	get list(): Fields[] {
		return rowsOf(this.body);
	}

	/** As `list`, but not empty. @throws NotTested */
	get rows(): Fields[] {
		const { list } = this;
		if (list.length === 0) {
			throw new NotTested('needs a list that is not empty');
		}
		return list;
	}

	private get body(): unknown {
		const { method, status, body } = this.exchange;
		if (!isOk(this.exchange)) {
			const fields = refusedFields(body).join(', ');
			throw new NotTested(`${method} returned ${status}${fields && ` (${fields})`}`);
		}
		return body;
	}
}

/** Whether an assumption is true. A text describes what was observed; for false, the report shows the response. */
export type Judge = (found: Found) => boolean | string;

/** A request, the assumptions that it confirms, and the values of its response that later steps need. */
export interface Step {
	/** Method, path below /api/v1, and query. Here and in the body, `{name}` stands for a kept value. */
	request: string;
	body?: unknown;
	token?: Sent['token'];
	/** Repeats the request until this is true, or the longest wait is over. */
	until?: (found: Found) => boolean;
	/** Waits for this number of deliveries to the webhook with this name at the receiver. */
	receives?: { at: string; count: number };
	keeps?: Record<string, (found: Found) => string | undefined>;
	/** The judges by the question of docs/contributing/assumptions.md. */
	confirms?: Record<string, Judge>;
}

/** A step that tests one question. */
export function check(question: string, request: string, judge: Judge, body?: unknown): Step {
	return { request, body, confirms: { [question]: judge } };
}

/** A step that creates an object and keeps its ID under a name. */
export function make(name: string, request: string, body: unknown, confirms: Step['confirms'] = {}): Step {
	return { request, body, keeps: { [name]: ({ data }) => idOf(data) }, confirms };
}

/** Steps that need the same options. */
export interface Group {
	title: string;
	needs: readonly Need[];
	steps: readonly Step[];
}

/** The name of a kept value: the account's agent that places calls. */
export const CALLER = 'published outbound agent with a phone number';
/** An ID that does not exist. */
export const UNKNOWN_ID = '00000000-0000-4000-8000-00000000dead';
export const INVALID_TOKEN = 'contract-check-invalid-token';

export const isOk = ({ status }: Exchange) => status >= 200 && status < 300;
const isRefused = ({ status }: Exchange) => status >= 400 && status < 500 && status !== 429;
const isAbout = ({ body }: Exchange, field: string) => refusedFields(body).some((name) => name.split('.')[0] === field);

export const ok: Judge = ({ exchange }) => isOk(exchange);
export const refused: Judge = ({ exchange }) => isRefused(exchange);
export const hasStatus =
	(status: number): Judge =>
	(found) =>
		found.exchange.status === status;
export const hasErrorForm =
	(form: string): Judge =>
	(found) =>
		errorForm(found.exchange.body) === form;

/** Whether the service refuses these fields. @throws NotTested if the refusal does not name fields */
export function refuses(...fields: string[]): Judge {
	return ({ exchange }) => {
		if (isRefused(exchange) && refusedFields(exchange.body).length === 0) {
			throw new NotTested('needs errors that name their fields');
		}
		return isRefused(exchange) && fields.every((field) => isAbout(exchange, field));
	};
}

/** Whether the service accepts these fields. The body lacks a name, so that nothing is created. */
export function takes(...fields: string[]): Judge {
	return ({ exchange }) => {
		if (!isRefused(exchange) || !isAbout(exchange, 'name')) {
			throw new NotTested('needs errors that name all wrong fields at once');
		}
		return !fields.some((field) => isAbout(exchange, field));
	};
}

import { type Exchange, NotTested, type Sent } from './client.mts';
import { dataIn, errorForm, type Fields, idOf, refusedFields, rowsOf } from './read.mts';
import type { Arrival } from './receiver.mts';

/** What steps need beside an account, as the option that gives it. Reading needs nothing. */
export const NEEDS = { write: '--write', receive: '--receive URL', call: '--call NUMBER' } as const;
export type Need = keyof typeof NEEDS;

/** What came of a step. */
export class Found {
	readonly exchange: Exchange;
	/** The deliveries that the step waited for. */
	readonly deliveries: Arrival[];
	/** Reads what an earlier step kept. @throws NotTested if there is nothing */
	readonly use: (name: string) => string;

	constructor(exchange: Exchange, deliveries: Arrival[], use: Found['use']) {
		this.exchange = exchange;
		this.deliveries = deliveries;
		this.use = use;
	}

	/** The object of a successful answer. @throws NotTested */
	get data(): Fields {
		return dataIn(this.body);
	}

	/** The objects in the list of a successful answer. @throws NotTested */
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
			throw new NotTested(`${method} answered ${status}${fields && ` (${fields})`}`);
		}
		return body;
	}
}

/** Whether an assumption is true; a text is what was seen instead, otherwise the report shows the answer. */
export type Judge = (found: Found) => boolean | string;

/** A request, what it confirms, and what later steps need of its answer. */
export interface Step {
	/** Method, path below /api/v1, and query. Here and in the body, `{name}` stands for what an earlier step kept. */
	request: string;
	body?: unknown;
	token?: Sent['token'];
	/** Repeats the request until this is true, or the longest wait is over. */
	until?: (found: Found) => boolean;
	/** Waits for so many deliveries to the webhook with this name at the receiver. */
	receives?: { at: string; count: number };
	keeps?: Record<string, (found: Found) => string | undefined>;
	/** What it confirms, by the question of docs/contributing/assumptions.md. */
	confirms?: Record<string, Judge>;
}

/** A step that answers one question. */
export function check(question: string, request: string, judge: Judge, body?: unknown): Step {
	return { request, body, confirms: { [question]: judge } };
}

/** A step that creates something; its ID is kept under a name. */
export function make(name: string, request: string, body: unknown, confirms: Step['confirms'] = {}): Step {
	return { request, body, keeps: { [name]: ({ data }) => idOf(data) }, confirms };
}

/** Steps that need the same options. */
export interface Group {
	title: string;
	needs: readonly Need[];
	steps: readonly Step[];
}

/** The name under which steps keep the agent of the account that places calls. */
export const CALLER = 'published outbound agent with a phone number';
/** Nothing has this ID. */
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

/** Whether the service refuses these fields. @throws NotTested if it refuses without naming any */
export function refuses(...fields: string[]): Judge {
	return ({ exchange }) => {
		if (isRefused(exchange) && refusedFields(exchange.body).length === 0) {
			throw new NotTested('needs errors that name their fields');
		}
		return isRefused(exchange) && fields.every((field) => isAbout(exchange, field));
	};
}

/** Whether the service takes these fields, in a body that it refuses because the name is missing: it creates nothing. */
export function takes(...fields: string[]): Judge {
	return ({ exchange }) => {
		if (!isRefused(exchange) || !isAbout(exchange, 'name')) {
			throw new NotTested('needs errors that name all wrong fields at once');
		}
		return !fields.some((field) => isAbout(exchange, field));
	};
}

import type { SandboxOptions } from '../options.mts';

/** A part of docs/contributing/assumptions.md, as far as variants are about it. */
export type VariantSection =
	| 'events'
	| 'signatures'
	| 'webhooks'
	| 'answers'
	| 'errors'
	| 'limits'
	| 'lists'
	| 'agents'
	| 'actions'
	| 'voices'
	| 'numbers'
	| 'calls'
	| 'campaigns'
	| 'files'
	| 'trunks'
	| 'calendars';

/** What a JSON object has. */
export type WireFields = Record<string, unknown>;

/** A response of the service, before it is written. */
export interface WireAnswer {
	status: number;
	/** Names in lower case. */
	headers: Record<string, string>;
	/** Sent as JSON, or unchanged if it has a content type of its own; undefined: no body. */
	body: unknown;
	/** The content type of a body that is not JSON. */
	type?: string;
}

/** A request to the service, as a variant sees it. It may change it before its route handles it. */
export interface WireRequest {
	readonly method: string;
	/** Without the query. */
	readonly path: string;
	/** The path of the route, with `:variables`; undefined if there is none. */
	readonly route: string | undefined;
	/** The variables of the path, percent-decoded. */
	params: Record<string, string>;
	query: WireFields;
	/** The parsed body; undefined without one. */
	body: unknown;
	/** When the rate window ends, in milliseconds since 1970. */
	readonly windowEnds: number;
	/** What the route answers to the same request with another query. For a GET only: another one acts again. */
	repeat(query: WireFields): Promise<Pick<WireAnswer, 'status' | 'body'>>;
}

/** One attempt to deliver an event, before it is signed. */
export interface WireDelivery {
	/** The webhook's URL. */
	url: string;
	/** The body as text. */
	body: string;
	/** The service's own headers, but for the signature. */
	headers: Record<string, string>;
	/** The kind of the event. */
	readonly event: string;
	/** Identifies the delivery. */
	readonly id: string;
	/** The number of the attempt, from 1. */
	readonly number: number;
	/** The bodies of the webhook's deliveries before this one, oldest first. */
	readonly earlier: readonly string[];
}

/** The request of a webhook action during a call. */
export interface WireAction {
	method: string;
	url: string;
	headers: Record<string, string>;
	body: string;
	/** The name of the action. */
	readonly name: string;
	/** Identifies the call. */
	readonly callId: string;
}

/** What a signature is made of. */
export interface Signing {
	/** The webhook's secret. */
	secret: string;
	/** The body as it is sent. */
	body: string;
	/** Identifies the delivery. */
	id: string;
	/** Now, in milliseconds since 1970. */
	now: number;
}

/** A plausible service that answers one open question of its description in another way than the sandbox does. */
export interface Variant {
	/** In lower case, with hyphens. It begins with what it is about. */
	name: string;
	section: VariantSection;
	/** The question of docs/contributing/assumptions.md that it answers otherwise, as it stands there. */
	question: string;
	/** What the service does, as a sentence with its subject left out and without its period. */
	does: string;
	/** Settings of the sandbox that differ. */
	options?: Partial<SandboxOptions>;
	/** Changes a request before its route handles it, or answers it. */
	request?(request: WireRequest): Omit<WireAnswer, 'headers'> | undefined;
	/** Changes an answer before it is sent. */
	answer?(answer: WireAnswer, request: WireRequest): void | Promise<void>;
	/** The body of an event in another form. @param attempt its number, from 1 */
	event?(body: WireFields, attempt: number): WireFields;
	/** Changes an attempt before it is sent. Its body is what the variants have made of the event. */
	delivery?(delivery: WireDelivery): void;
	/** Changes the request of an action before it is sent. */
	action?(request: WireAction): void;
	/** The headers that prove where a delivery comes from. It replaces the sandbox's own signature. */
	sign?(signing: Signing): Record<string, string>;
}

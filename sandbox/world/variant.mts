import type { SandboxOptions } from '../options.mts';

/** What a JSON object has. */
export type WireFields = Record<string, unknown>;

/** A response of the service, before it is written. */
export interface WireResponse {
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
	repeat(query: WireFields): Promise<Pick<WireResponse, 'status' | 'body'>>;
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
	/** The number of the attempt, from 1. */
	readonly number: number;
	/** The bodies of the webhook's deliveries before this one, oldest first. */
	readonly earlier: readonly string[];
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

/** What a variant changes. */
export interface VariantHooks {
	/** Settings of the sandbox that differ. */
	options?: Partial<SandboxOptions>;
	/** Changes a request before its route handles it, or answers it. */
	request?(request: WireRequest): Omit<WireResponse, 'headers'> | undefined | void;
	/** Changes an answer before it is sent. */
	response?(answer: WireResponse, request: WireRequest): void | Promise<void>;
	/** The body of an event in another form. @param attempt its number, from 1 */
	event?(body: WireFields, attempt: number): WireFields;
	/** Changes an attempt before it is sent. Its body is what the variants have made of the event. */
	delivery?(delivery: WireDelivery): void;
	/** The headers that prove where a delivery comes from. It replaces the sandbox's own signature. */
	sign?(signing: Signing): Record<string, string>;
}

/** A plausible service that answers one open question of its description in another way than the sandbox does. */
export interface Variant extends VariantHooks {
	/** In lower case, with hyphens. It begins with what it is about. */
	name: string;
	/** What it is about: `events`, `lists`, `errors`… */
	section: string;
	/** The question of docs/contributing/assumptions.md that it answers otherwise, as it stands there. */
	question: string;
	/** What the service does, as a sentence without its subject and its period. */
	does: string;
}

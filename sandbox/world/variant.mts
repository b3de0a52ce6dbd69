import type { SandboxOptions } from '../options.mts';

/** A request to the service, as a variant sees it. It may change it before its route handles it. */
export interface WireRequest {
	readonly method: string;
	/** Without the query. */
	readonly path: string;
	/** The path of the route, with `:variables`; undefined if there is none. */
	readonly route: string | undefined;
	query: Record<string, unknown>;
	/** The parsed body; undefined without one. */
	body: unknown;
}

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

/** One attempt to deliver an event, before it is signed. */
export interface WireDelivery {
	/** The webhook's URL. */
	url: string;
	/** The body as text. */
	body: string;
	/** The kind of the event. */
	readonly event: string;
	/** Identifies the delivery. */
	readonly id: string;
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

/** A plausible service that answers one open question of its description in another way than the sandbox does. */
export interface Variant {
	/** In lower case, with hyphens. */
	name: string;
	/** The question of docs/assumptions.md that it answers otherwise, as it stands there. */
	question: string;
	/** What the service does, as a sentence with its subject left out and without its period. */
	does: string;
	/** Settings of the sandbox that differ. */
	options?: Partial<SandboxOptions>;
	/** Changes a request before its route handles it, or answers it. */
	request?(request: WireRequest): WireAnswer | undefined;
	/** Changes an answer before it is sent. */
	answer?(answer: WireAnswer, request: WireRequest): void;
	/** Changes an attempt before it is sent. */
	delivery?(delivery: WireDelivery): void;
	/** The headers that prove where a delivery comes from. It replaces the sandbox's own signature. */
	sign?(signing: Signing): Record<string, string>;
}

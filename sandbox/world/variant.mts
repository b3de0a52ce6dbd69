import type { SandboxOptions } from '../options.mts';

/** The fields of a JSON object. */
export type WireFields = Record<string, unknown>;

/** A response of the service before it is sent. */
export interface WireResponse {
	status: number;
	/** Names in lower case. */
	headers: Record<string, string>;
	/** Sent as JSON, or unchanged if `type` is set; undefined without a body. */
	body: unknown;
	/** The content type of a body that is not JSON. */
	type?: string;
}

/** A request to the service. A variant may change it before its route handles it. */
export interface WireRequest {
	readonly method: string;
	/** The path of the route, with `:variables`; undefined without a route. */
	readonly route: string | undefined;
	/** The variables of the path, percent-decoded. */
	params: Record<string, string>;
	query: WireFields;
	/** The parsed body; undefined without a body. */
	body: unknown;
	/** When the rate window ends, in milliseconds since 1970. */
	readonly windowEnds: number;
	/** Handles the request again with another query. For GET requests only, because other methods have effects. */
	repeat(query: WireFields): Promise<Pick<WireResponse, 'status' | 'body'>>;
}

/** An attempt to deliver an event, before it is signed. */
export interface WireDelivery {
	/** The webhook's URL. */
	url: string;
	/** The body as text. */
	body: string;
	/** The service's own headers, except for the signature. */
	headers: Record<string, string>;
	/** The event type. */
	readonly event: string;
	/** The number of the attempt, from 1. */
	readonly number: number;
	/** The bodies of the webhook's earlier deliveries, oldest first. */
	readonly earlier: readonly string[];
}

/** The input of a signature. */
export interface Signing {
	/** The webhook's secret. */
	secret: string;
	/** The body exactly as sent. */
	body: string;
	/** Identifies the delivery. */
	id: string;
	/** Now, in milliseconds since 1970. */
	now: number;
}

/** The changes of a variant. */
export interface VariantHooks {
	/** Changed settings of the sandbox. */
	options?: Partial<SandboxOptions>;
	/** Changes a request before its route handles it, or returns a response in place of the route. */
	request?(request: WireRequest): Omit<WireResponse, 'headers'> | undefined | void;
	/** Changes a response before it is sent. */
	response?(response: WireResponse, request: WireRequest): void | Promise<void>;
	/** Changes the body of an event. @param attempt its number, from 1 */
	event?(body: WireFields, attempt: number): WireFields;
	/** Changes an attempt before it is sent. Its body already contains the changes of `event`. */
	delivery?(delivery: WireDelivery): void;
	/** Returns the headers with the signature. They replace the sandbox's own signature. */
	sign?(signing: Signing): Record<string, string>;
}

/** A plausible service that differs from the sandbox in one open question of the service's description. */
export interface Variant extends VariantHooks {
	/** In lower case, with hyphens. It begins with its section in the singular. */
	name: string;
	/** The section: `events`, `lists`, `errors`… */
	section: string;
	/** The question, exactly as in docs/contributing/assumptions.md. */
	question: string;
	/** What the service does, as a sentence without subject and period. */
	does: string;
}

/** An address to which the service delivers the events of an agent or of a campaign. */
export interface Webhook {
	id: string;
	/** The agent or the campaign whose events it gets; the other one is null. */
	agent_id: string | null;
	campaign_id: string | null;
	name: string;
	webhook_url: string;
	events: string[];
	enabled: boolean;
	timeout: number;
	max_retries: number;
	http_method: 'POST' | 'PUT' | 'PATCH';
	authorization_scheme: 'none' | 'bearer' | 'basic' | 'api_key' | 'custom';
	webhook_secret: string | null;
	custom_headers: Array<{ key: string; value: string }>;
	payload_templates: Record<string, Record<string, unknown>>;
	/** Only a campaign's webhook can have it. */
	include_call_events: boolean;
	/** Whether a delivery has failed for good since the last successful one. */
	failing: boolean;
	created: number;
	updated: number;
}

/** An event for one webhook. The body is the same in every attempt. */
export interface Delivery {
	id: string;
	webhookId: string;
	event: string;
	body: string;
	/** The id that placing or queueing its call gave; null for an event of no call. */
	callId: string | null;
	/** Its number, if the same is delivered several times at once. */
	copy?: number;
}

/** A delivery whose first attempt is due later (milliseconds since 1970). */
export interface DelayedDelivery {
	delivery: Delivery;
	due: number;
	/** Null for one delivery with retries. */
	copies: { times: number; tamper: Tamper | null } | null;
}

/** What of a delivery is altered so that its signature is wrong. */
export type Tamper = 'body' | 'signature' | 'secret';

/** What an attempt sent, and when in real time (milliseconds since 1970). */
export interface SentDelivery {
	method: string;
	url: string;
	headers: Record<string, string>;
	/** Null if it was the delivery's own body: a variant or tampering changes it. */
	alteredBody: string | null;
	/** The body was altered after it was signed. */
	tampered: boolean;
	at: number;
}

/** One attempt to deliver: an entry of the webhook's log. Fields of the response are null without one. */
export interface DeliveryAttempt {
	id: string;
	delivery: Delivery;
	/** Counts from 1 within the delivery. */
	number: number;
	/** `pending` until it has ended; `retrying` is a failed one until the next attempt starts. */
	status: 'pending' | 'success' | 'failed' | 'retrying';
	httpStatus: number | null;
	responseBody: string | null;
	responseHeaders: Record<string, string> | null;
	/** Null until it is sent. */
	sent: SentDelivery | null;
	/** Whether more attempts follow if it fails. */
	repeats: boolean;
	/** When the next attempt is due, if this one is `retrying` (milliseconds since 1970). */
	retryAt: number | null;
	/** Why there was no response. */
	error: string | null;
	durationMs: number | null;
	delivered: number | null;
	created: number;
}

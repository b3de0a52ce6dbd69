/** An address to which the service delivers the events of an agent or of a campaign. */
export interface Webhook {
	id: string;
	/** The agent or the campaign whose events it receives; the other field is null. */
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
	/** Only for webhooks of campaigns. */
	include_call_events: boolean;
	/** Whether a delivery has finally failed since the last successful delivery. */
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
	/** The id that placing or queueing the call returned; null for an event without a call. */
	callId: string | null;
	/** The number of the copy, if several copies are delivered at once. */
	copy?: number;
}

/** A delivery whose first attempt is due later, in milliseconds since 1970. */
export interface DelayedDelivery {
	delivery: Delivery;
	due: number;
	/** Null for one delivery with retries. */
	copies: { times: number; tamper: Tamper | null } | null;
}

/** The part of a delivery that is falsified, so that its signature is wrong. */
export type Tamper = 'body' | 'signature' | 'secret';

/** The request of an attempt, and its real time (milliseconds since 1970). */
export interface SentDelivery {
	method: string;
	url: string;
	headers: Record<string, string>;
	/** The body if a variant or tampering has changed it; null for the delivery's own body. */
	alteredBody: string | null;
	/** Whether the body was altered after signing. */
	tampered: boolean;
	at: number;
}

/** An attempt to deliver: an entry of the webhook's log. Without a response, its fields are null. */
export interface DeliveryAttempt {
	id: string;
	delivery: Delivery;
	/** Counts from 1 within the delivery. */
	number: number;
	/** `pending` until the attempt has ended. `retrying`: it has failed, and another attempt is scheduled. */
	status: 'pending' | 'success' | 'failed' | 'retrying';
	httpStatus: number | null;
	responseBody: string | null;
	responseHeaders: Record<string, string> | null;
	/** Null before it is sent. */
	sent: SentDelivery | null;
	/** Whether more attempts follow after a failure. */
	repeats: boolean;
	/** When the next attempt is due if this attempt is `retrying` (milliseconds since 1970). */
	retryAt: number | null;
	/** Why the response is missing. */
	error: string | null;
	durationMs: number | null;
	delivered: number | null;
	created: number;
}

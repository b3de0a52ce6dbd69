/** An address to which the service delivers the events of an agent or of a campaign. */
export interface Webhook {
	id: string;
	/** Whose events it gets: an agent's or a campaign's. The other one is null. */
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
	/** Whether a delivery used up its attempts since the last one that succeeded. */
	failing: boolean;
	created: number;
	updated: number;
}

/** An event on its way to one webhook. The body is the same on every attempt. */
export interface Delivery {
	id: string;
	webhookId: string;
	event: string;
	body: string;
}

/** One attempt to deliver: an entry of the webhook's log. What only an answer brings is null without one. */
export interface DeliveryAttempt {
	id: string;
	delivery: Delivery;
	/** Counts from 1 within its delivery. */
	number: number;
	/** `pending` until it is over; `retrying` is a failed one while the next is due. */
	status: 'pending' | 'success' | 'failed' | 'retrying';
	httpStatus: number | null;
	responseBody: string | null;
	responseHeaders: Record<string, string> | null;
	/** Why there was no answer. */
	error: string | null;
	durationMs: number | null;
	delivered: number | null;
	created: number;
}

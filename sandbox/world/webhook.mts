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
	/** Why there was no response. */
	error: string | null;
	durationMs: number | null;
	delivered: number | null;
	created: number;
}

import type { DeliveryAttempt } from '../world/webhook.mts';

/** The result of a delivery attempt: the HTTP status; without a response, null and the error. */
export interface AttemptOutcome {
	attempt: number;
	status: number | null;
	error?: string;
	duration_ms: number;
}

/** A delivery attempt as `/_sandbox/deliveries` shows it. */
export interface AttemptRecord extends AttemptOutcome {
	webhook_id: string;
	event: string;
	delivery_id: string;
	at: string;
	/** The body exactly as sent. */
	body: string;
}

/** Whether an attempt has ended. */
export function isFinished(attempt: DeliveryAttempt): boolean {
	return attempt.durationMs !== null;
}

export function attemptOutcome({ number, httpStatus, error, durationMs }: DeliveryAttempt): AttemptOutcome {
	return {
		attempt: number,
		status: httpStatus,
		...(error === null ? {} : { error }),
		duration_ms: durationMs ?? 0,
	};
}

export function deliveryRecord(attempt: DeliveryAttempt): AttemptRecord {
	const { id, webhookId, event, body } = attempt.delivery;
	return {
		webhook_id: webhookId,
		event,
		delivery_id: id,
		at: new Date(attempt.created).toISOString(),
		body,
		...attemptOutcome(attempt),
	};
}

/** Returns an attempt for a list with pages, and for a call's timeline. */
export function attemptSummary(attempt: DeliveryAttempt): Record<string, unknown> {
	const { id, delivery, number, status, httpStatus, error, durationMs, retryAt, sent } = attempt;
	return {
		id,
		delivery_id: delivery.id,
		webhook_id: delivery.webhookId,
		event: delivery.event,
		call_id: delivery.callId,
		attempt: number,
		status,
		http_status: httpStatus,
		error,
		duration_ms: durationMs,
		tampered: sent?.tampered ?? false,
		retry_at: retryAt === null ? null : new Date(retryAt).toISOString(),
		at: new Date(attempt.created).toISOString(),
	};
}

/** Returns all data of an attempt: the request exactly as sent, and the response. */
export function attemptDetails(attempt: DeliveryAttempt): Record<string, unknown> {
	const { delivery, sent, httpStatus, responseHeaders, responseBody } = attempt;
	return {
		...attemptSummary(attempt),
		request: sent && {
			method: sent.method,
			url: sent.url,
			headers: sent.headers,
			body: sent.alteredBody ?? delivery.body,
			sent_at: new Date(sent.at).toISOString(),
		},
		response: httpStatus === null ? null : { status: httpStatus, headers: responseHeaders, body: responseBody },
	};
}

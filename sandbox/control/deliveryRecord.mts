import type { DeliveryAttempt } from '../world/webhook.mts';

/** The result of a delivery attempt: the HTTP status, or null and an error if there was no response. */
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
	/** What was sent, byte for byte. */
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

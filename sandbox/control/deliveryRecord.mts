import type { DeliveryAttempt } from '../world/webhook.mts';

/** How an attempt to deliver ended: the HTTP status, or null with an error where none came. */
export interface AttemptOutcome {
	attempt: number;
	status: number | null;
	error?: string;
	duration_ms: number;
}

/** An attempt to deliver as `/_sandbox/deliveries` shows it. */
export interface AttemptRecord extends AttemptOutcome {
	webhook_id: string;
	event: string;
	delivery_id: string;
	at: string;
}

/** Whether an attempt has an end to tell of. */
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
	const { id, webhookId, event } = attempt.delivery;
	return {
		webhook_id: webhookId,
		event,
		delivery_id: id,
		at: new Date(attempt.created).toISOString(),
		...attemptOutcome(attempt),
	};
}

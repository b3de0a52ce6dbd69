import type { DeliveryAttempt } from './sandbox.mts';

/** What the sandbox and n8n recorded. */
export interface Records {
	/** Calls that should have been queued. */
	contacts: number;
	/** n8n's status of the execution of the first example. */
	queueRun: string;
	/** Calls that the sandbox accepted. */
	queued: number;
	/** The sandbox's delivery attempts to the trigger's webhook, including the forged one. */
	attempts: readonly DeliveryAttempt[];
	/** The delivery with a wrong signature. */
	forged: { id: string; status: number | null };
	/** The executions that the trigger started, with their stored data. */
	executions: ReadonlyArray<{ id: string; status: string; data: string }>;
}

/** The counts of one quick start. */
export interface Counts {
	/** Calls that the sandbox accepted. */
	queued: number;
	/** Events that the sandbox delivered, without the forged one. */
	deliveries: number;
	/** Delivered events that the trigger verified and accepted. */
	verified: number;
	/** Forged deliveries that the trigger answered with 401. */
	refused: number;
	/** Successful executions started by a delivered event. */
	executions: number;
}

/** A condition of the quick start, and whether it holds. */
export interface Check {
	text: string;
	passed: boolean;
}

/** The event types that end the first attempt of a call. */
const endings = ['campaign_call.completed', 'campaign_call.failed', 'campaign_call.retry_scheduled'];

/** Whether the trigger has accepted all events of the first round of calls. */
export function isFirstRoundOver(attempts: readonly DeliveryAttempt[], calls: number): boolean {
	const { accepted } = byDelivery(attempts);
	return firstRound(accepted).every(([, count]) => count >= calls);
}

/** Counts the accepted events by type, each event once. */
export function eventCounts(attempts: readonly DeliveryAttempt[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { event } of byDelivery(attempts).accepted) {
		counts.set(event, (counts.get(event) ?? 0) + 1);
	}
	return counts;
}

/** Compares what the sandbox sent with what n8n executed. */
export function judge(records: Records): { counts: Counts; checks: Check[] } {
	const { contacts, queueRun, queued, forged, executions } = records;
	const genuine = records.attempts.filter(({ delivery_id }) => delivery_id !== forged.id);
	const { ids, accepted } = byDelivery(genuine);
	const started = [...ids].map((id) => executions.filter(({ data }) => data.includes(`"${id}"`)));
	const exactlyOnce = started.filter((own) => own.length === 1 && own[0]?.status === 'success');
	const counts: Counts = {
		queued,
		deliveries: ids.size,
		verified: accepted.length,
		refused: forged.status === 401 ? 1 : 0,
		executions: exactlyOnce.length,
	};
	const checks: Check[] = [
		{ text: 'The workflow that queues calls ran to its end', passed: queueRun === 'success' },
		{ text: `Each of the ${contacts} contacts was queued once`, passed: queued === contacts },
		...firstRound(accepted).map(([what, count]) => ({
			text: `An event told that each call was ${what}`,
			passed: count === contacts,
		})),
		{ text: 'The trigger accepted every delivery', passed: accepted.length === ids.size },
		{
			text: 'Each delivered event started exactly one execution, and it succeeded',
			passed: ids.size > 0 && exactlyOnce.length === ids.size,
		},
		{ text: 'The forged delivery was refused with 401', passed: forged.status === 401 },
		{ text: 'Nothing else started an execution', passed: executions.length === exactlyOnce.length },
	];
	return { counts, checks };
}

function byDelivery(attempts: readonly DeliveryAttempt[]): { ids: Set<string>; accepted: DeliveryAttempt[] } {
	const accepted = new Map<string, DeliveryAttempt>();
	for (const attempt of attempts) {
		const { status, delivery_id } = attempt;
		if (status !== null && status >= 200 && status < 300) {
			accepted.set(delivery_id, attempt);
		}
	}
	return { ids: new Set(attempts.map(({ delivery_id }) => delivery_id)), accepted: [...accepted.values()] };
}

function firstRound(accepted: readonly DeliveryAttempt[]): Array<[what: string, count: number]> {
	const count = (kinds: string[]) => accepted.filter(({ event }) => kinds.includes(event)).length;
	return [
		['queued', count(['campaign_call.queued'])],
		['started', count(['campaign_call.started'])],
		['over, or due again later', count(endings)],
	];
}

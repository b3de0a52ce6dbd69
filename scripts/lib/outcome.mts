import type { DeliveryAttempt } from './sandbox.mts';

/** The records of the sandbox and of n8n. */
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

/** A condition, and whether it holds. */
export interface Check {
	text: string;
	passed: boolean;
}

/** The event types that end the first attempt of a call. */
const endings = ['campaign_call.completed', 'campaign_call.failed', 'campaign_call.retry_scheduled'];

const isAccepted = ({ status }: DeliveryAttempt) => status !== null && status >= 200 && status < 300;

/** Counts the accepted events by type, each event once. */
export function eventCounts(attempts: readonly DeliveryAttempt[]): Map<string, number> {
	const types = new Map(attempts.filter(isAccepted).map(({ delivery_id, event }) => [delivery_id, event]));
	const counts = new Map<string, number>();
	for (const event of types.values()) {
		counts.set(event, (counts.get(event) ?? 0) + 1);
	}
	return counts;
}

/** Returns how many calls are queued, started and over, by the events that the trigger has accepted. */
function firstRound(attempts: readonly DeliveryAttempt[]): Array<[what: string, count: number]> {
	const counts = eventCounts(attempts);
	const sum = (types: string[]) => types.reduce((total, type) => total + (counts.get(type) ?? 0), 0);
	return [
		['queued', sum(['campaign_call.queued'])],
		['started', sum(['campaign_call.started'])],
		['over, or due again later', sum(endings)],
	];
}

/** Whether the trigger has accepted all events of the first round of calls. */
export function isFirstRoundOver(attempts: readonly DeliveryAttempt[], calls: number): boolean {
	return firstRound(attempts).every(([, count]) => count >= calls);
}

/** Compares the deliveries of the sandbox with the executions in n8n. */
export function judge({ contacts, queueRun, queued, forged, attempts, executions }: Records) {
	const genuine = attempts.filter(({ delivery_id }) => delivery_id !== forged.id);
	const ids = [...new Set(genuine.map(({ delivery_id }) => delivery_id))];
	const verified = new Set(genuine.filter(isAccepted).map(({ delivery_id }) => delivery_id)).size;
	const started = ids.map((id) => executions.filter(({ data }) => data.includes(`"${id}"`)));
	const exactlyOnce = started.filter((own) => own.length === 1 && own[0]?.status === 'success').length;
	const isRefused = forged.status === 401;
	const counts = { queued, deliveries: ids.length, verified, refused: Number(isRefused), executions: exactlyOnce };
	const isComplete = ids.length > 0 && exactlyOnce === ids.length;
	const checks: Check[] = [
		{ text: 'The workflow that queues calls ran to its end', passed: queueRun === 'success' },
		{ text: `Each of the ${contacts} contacts was queued once`, passed: queued === contacts },
		...firstRound(genuine).map(([what, count]) => ({
			text: `An event reported that each call was ${what}`,
			passed: count === contacts,
		})),
		{ text: 'The trigger accepted every delivery', passed: verified === ids.length },
		{ text: 'Each delivered event started exactly one execution, and it succeeded', passed: isComplete },
		{ text: 'The forged delivery was refused with 401', passed: isRefused },
		{ text: 'Nothing else started an execution', passed: executions.length === exactlyOnce },
	];
	return { counts, checks };
}

/** Formats the counts of {@link judge} as a table. */
export function countsTable(counts: ReturnType<typeof judge>['counts']): string {
	const rows: Array<[string, number]> = [
		['Calls queued by the first workflow', counts.queued],
		['Events that the service delivered', counts.deliveries],
		['Deliveries verified by the trigger', counts.verified],
		['Forged deliveries refused with 401', counts.refused],
		['Successful executions of the second workflow', counts.executions],
	];
	const width = Math.max(...rows.map(([text]) => text.length));
	const line = `  ${'─'.repeat(width + 8)}`;
	const body = rows.map(([text, count]) => `  ${text.padEnd(width)}  ${String(count).padStart(6)}`);
	return [line, ...body, line].join('\n');
}

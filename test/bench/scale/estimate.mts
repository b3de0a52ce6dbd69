import { spread } from '../numbers.mts';
import type { ScaleResult } from './scaleResult.mts';

/** What a number of contacts per day needs, by what was measured. */
export interface Estimate {
	contacts: number;
	/** How many hours of the day n8n works at it. */
	hours: number;
	/** Calls to queue per second. */
	queued: number;
	/** How many times that was measured with the best number of workers. */
	queueReserve: number;
	/** The requests per minute that the service has to allow. */
	requestsPerMinute: number;
	/** Events per second. */
	events: number;
	/** How many times that was measured with the best number of processes. */
	eventReserve: number;
	/** The ledger, in bytes. */
	ledgerBytes: number;
	/** The answer with the campaign's calls that is read after a kill, in bytes, if all are in one campaign. */
	listBytes: number;
}

/** A call has so many events that start the workflow, as in the first test of the quick start. */
export const EVENTS_PER_CALL = 3;

/** Estimates what so many contacts within so many hours need: everything grows with the number of contacts. */
export function estimate({ campaigns, events }: ScaleResult, contacts: number, hours: number): Estimate {
	const usual = campaigns.filter(({ kill }) => !kill);
	const largest = usual.reduce((most, run) => (run.contacts > most.contacts ? run : most));
	const best = Math.max(...usual.filter((run) => run.contacts === largest.contacts).map((run) => run.perSecond));
	const queued = contacts / hours / 3600;
	const byProcesses: Record<string, number[]> = {};
	for (const { workers, webhooks, executed } of events) {
		(byProcesses[`${workers} ${webhooks}`] ??= []).push(executed);
	}
	const executed = Object.values(byProcesses).map((values) => spread(values).median);
	const perSecond = queued * EVENTS_PER_CALL;
	return {
		contacts,
		hours,
		queued,
		queueReserve: best / queued,
		requestsPerMinute: queued * 60,
		events: perSecond,
		eventReserve: Math.max(...executed) / perSecond,
		ledgerBytes: (largest.ledgerBytes / largest.contacts) * contacts,
		listBytes: (largest.list.bytes / largest.contacts) * contacts,
	};
}

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../../../nodes/shared/service/request.ts';
import { catchUp } from '../../../../nodes/VoiceAgentCalling/resources/webhook/catchUp.ts';
import type { Api } from '../../../../nodes/VoiceAgentCalling/sending/api.ts';

const HOUR = 3600;
const NOW = Math.floor(Date.now() / 1000);

/** One attempt, as the service knows it: the log does not say which attempt it follows. */
interface Made {
	id: string;
	event: string;
	number: number;
	status: 'success' | 'failed' | 'retrying';
	at: number;
	/** The attempt of the same event that followed it. */
	next?: Made;
	/** The redelivery by an earlier run of Catch Up that this attempt is. */
	known?: { of: Made };
}

/** What happens to one event: its attempts one after the other, and a redelivery by somebody. */
const history = fc.record({
	event: fc.constantFrom('campaign_call.completed', 'campaign_call.failed'),
	begun: fc.integer({ min: HOUR, max: 45 * HOUR }),
	failures: fc.integer({ min: 0, max: 3 }),
	pause: fc.integer({ min: 0, max: 600 }),
	// After a webhook was disabled, or after the last attempt, nothing follows.
	end: fc.constantFrom('success', 'failed', 'failed', 'retrying'),
	redelivered: fc.option(
		fc.record({
			after: fc.integer({ min: 0, max: 45 * HOUR }),
			status: fc.constantFrom('success', 'failed'),
			known: fc.boolean(),
		}),
	),
});

type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

function attemptsOf({ event, begun, failures, pause, end, redelivered }: History, index: number): Made[] {
	const attempts: Made[] = [];
	const add = (status: Made['status'], at: number, more: Partial<Made> = {}) => {
		const made: Made = {
			id: `${index}-${attempts.length + 1}`,
			event,
			number: attempts.length + 1,
			status,
			at,
			...more,
		};
		const last = attempts.at(-1);
		if (last) {
			last.next = made;
		}
		attempts.push(made);
	};
	for (let n = 0; n < failures; n++) {
		add('failed', NOW - begun + n * pause);
	}
	add(end as Made['status'], NOW - begun + failures * pause);
	const last = attempts[attempts.length - 1];
	if (redelivered && last.status === 'failed') {
		const at = Math.min(NOW, last.at + redelivered.after);
		add(redelivered.status as Made['status'], at, redelivered.known ? { known: { of: last } } : {});
	}
	return attempts;
}

/** Runs Catch Up with a log. @returns the IDs of what it would redeliver */
async function found(log: Made[], since: number, hasPayloads: boolean): Promise<string[]> {
	const entries = log.map(({ id, event, number, status, at }) => ({
		id,
		event,
		attempt: number,
		status,
		created_at: new Date(at * 1000).toISOString(),
		...(hasPayloads && { request_payload: { delivery: id.split('-')[0] } }),
	}));
	const redelivered = log.flatMap(({ id, at, known }) =>
		known ? [[known.of.id, { to: id, since: known.of.at * 1000, at: at * 1000 }]] : [],
	);
	const api = {
		staticData: { redelivered: Object.fromEntries(redelivered) as IDataObject },
		request: async ({ path }: ServiceRequest) => ({ data: path.at(-1) === 'logs' ? entries : { enabled: true } }),
	};
	const input = {
		source: 'campaign',
		ownerId: 'c-1',
		webhookId: 'w-1',
		since: new Date(since * 1000).toISOString(),
		dryRun: true,
	};
	const { deliveries } = (await catchUp.run(api as unknown as Api, input, {})) as unknown as {
		deliveries: Array<{ logId: string }>;
	};
	return deliveries.map(({ logId }) => logId);
}

const histories = fc.record({
	events: fc.array(history, { minLength: 1, maxLength: 8 }),
	order: fc.constantFrom('oldest first', 'newest first', 'by ID'),
	sinceHours: fc.integer({ min: 0, max: 48 }),
	hasPayloads: fc.boolean(),
});

function sortedLog(made: Made[][], order: string): Made[] {
	const log = made.flat();
	return order === 'by ID'
		? log
		: log.sort((one, other) => (order === 'oldest first' ? one.at - other.at : other.at - one.at));
}

/**
 * Whether the log leaves it open that nothing followed an attempt: until its follower came, and then until that of the
 * next one, and so on, always another attempt waited for its follower, up to one that has none.
 */
function mayBeLast({ event, number, at }: Made, all: readonly Made[]): boolean {
	const alike = all.filter((other) => other.event === event && other.number === number && other.status !== 'success');
	let until = at;
	for (;;) {
		const waiting = alike.filter((other) => other.at <= until);
		if (waiting.some(({ next }) => next === undefined)) {
			return true;
		}
		const longest = Math.max(...waiting.map(({ next }) => next?.at ?? 0));
		if (longest <= until) {
			return false;
		}
		until = longest;
	}
}

/** Whether an attempt is the end of its event, which has not arrived: no attempt follows, and none is to come. */
const isLost = ({ status, next }: Made) => status === 'failed' && next === undefined;

const timeOf = ({ at, known }: Made) => known?.of.at ?? at;

describe('Catch Up, for any history of a webhook', () => {
	test('leaves out nothing that is lost since the chosen time', async () => {
		await fc.assert(
			fc.asyncProperty(histories, async ({ events, order, sinceHours, hasPayloads }) => {
				const made = events.map(attemptsOf);
				const since = NOW - sinceHours * HOUR;
				const lost = made.flat().filter((attempt) => isLost(attempt) && timeOf(attempt) >= since);
				const ids = await found(sortedLog(made, order), since, hasPayloads);
				expect(ids).toEqual(expect.arrayContaining(lost.map(({ id }) => id)));
			}),
			{ seed: 1, numRuns: 500 },
		);
	});

	test('redelivers what arrived only where the log does not say it: never if it has the payloads', async () => {
		await fc.assert(
			fc.asyncProperty(histories, async ({ events, order, sinceHours, hasPayloads }) => {
				const made = events.map(attemptsOf);
				const since = NOW - sinceHours * HOUR;
				const all = new Map(made.flat().map((attempt) => [attempt.id, attempt]));
				for (const id of await found(sortedLog(made, order), since, hasPayloads)) {
					const attempt = all.get(id) as Made;
					expect(timeOf(attempt)).toBeGreaterThanOrEqual(since);
					expect(isLost(attempt) || (!hasPayloads && mayBeLast(attempt, [...all.values()]))).toBe(true);
				}
			}),
			{ seed: 1, numRuns: 500 },
		);
	});
});

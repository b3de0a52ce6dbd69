import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../../nodes/shared/client/api.ts';
import type { ServiceRequest } from '../../../../nodes/shared/client/request.ts';
import { catchUp } from '../../../../nodes/VoiceAgentCalling/resources/webhook/catchUp.ts';
import { failedForGood, readAttempt } from '../../../../nodes/VoiceAgentCalling/resources/webhook/redeliveries.ts';
import fc from '../../../fastCheck.mts';
import { timeInCopies } from '../../../processorTime.mts';

const HOUR = 3600;
const NOW = Math.floor(Date.now() / 1000);

/** One attempt, as the service knows it: the log does not say which attempt it follows. */
interface Made {
	id: string;
	event: string;
	number: number;
	status: 'success' | 'failed' | 'retrying';
	at: number;
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
		const number = attempts.length + 1;
		const made: Made = { id: `${index}-${number}`, event, number, status, at, ...more };
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

async function found(log: Made[], since: number, hasPayloads: boolean): Promise<string[]> {
	const entries = log.map(({ id, event, number: attempt, status, at }) => ({
		id,
		event,
		attempt,
		status,
		created_at: new Date(at * 1000).toISOString(),
		...(hasPayloads && { request_payload: { delivery: id.split('-')[0] } }),
	}));
	const redelivered = log.flatMap(({ id, at, known }) =>
		known ? [[known.of.id, { to: id, since: known.of.at * 1000, at: at * 1000 }]] : [],
	);
	const api = {
		note: () => {},
		staticData: { redelivered: Object.fromEntries(redelivered) as IDataObject },
		request: async ({ path }: ServiceRequest) => ({ data: path.at(-1) === 'logs' ? entries : { enabled: true } }),
	};
	const input = { ownerType: 'campaign', ownerId: 'c-1', webhookId: 'w-1', dryRun: true };
	const given = { ...input, since: new Date(since * 1000).toISOString() };
	const report = await catchUp.run(api as unknown as Api, given, {});
	return (report as unknown as { deliveries: Array<{ logId: string }> }).deliveries.map(({ logId }) => logId);
}

const histories = fc.record({
	events: fc.array(history, { minLength: 1, maxLength: 8 }),
	/** Oldest first, newest first, or by ID. */
	order: fc.constantFrom(1, -1, 0),
	sinceHours: fc.integer({ min: 0, max: 48 }),
	hasPayloads: fc.boolean(),
});

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

test('Catch Up leaves out nothing that is lost since the chosen time, and redelivers what arrived only where the log without payloads does not say it', async () => {
	await fc.assert(
		fc.asyncProperty(histories, async ({ events, order, sinceHours, hasPayloads }) => {
			const all = events.flatMap(attemptsOf);
			const since = NOW - sinceHours * HOUR;
			const log = order === 0 ? all : all.toSorted((one, other) => order * (one.at - other.at));
			const ids = await found(log, since, hasPayloads);
			const lost = all.filter((attempt) => isLost(attempt) && timeOf(attempt) >= since);
			expect(ids).toEqual(expect.arrayContaining(lost.map(({ id }) => id)));
			for (const attempt of all.filter(({ id }) => ids.includes(id))) {
				expect(timeOf(attempt)).toBeGreaterThanOrEqual(since);
				expect(isLost(attempt) || (!hasPayloads && mayBeLast(attempt, all))).toBe(true);
			}
		}),
		{ numRuns: 300 },
	);
});

test('a log with 20,000 entries takes at most as long as 10 copies of it', async () => {
	const log = Array.from({ length: 20_000 }, (_, n) => {
		const [of, attempt] = [Math.floor(n / 2), (n % 2) + 1];
		const status = attempt === 2 && of % 100 ? 'success' : 'failed';
		const created_at = new Date((of * 60 + attempt * 10) * 1000).toISOString();
		return readAttempt({ id: `${of}-${attempt}`, event: 'campaign_call.completed', attempt, status, created_at });
	});
	const failed = () => failedForGood(log, { isRedelivery: () => false, isRedelivered: () => false });
	expect(failed()).toHaveLength(100);
	expect(await timeInCopies(log, failed)).toBeLessThan(10);
});

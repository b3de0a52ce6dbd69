import type { IDataObject } from 'n8n-workflow';

import type { Artifact } from '../../../../nodes/VoiceAgentCalling/waiting/wait.ts';
import fc from '../../../fastCheck.mts';
import type { Answers } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from '../../shared/client/modelService.mts';
import { startN8n } from './processes.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const SECOND = 1000;
const DETECTED = 'event_voicemail_detected';
const KINDS = { report: 'event_call_report', transcript: 'event_call_transcript', recording: 'event_recording' };

/** Something that happens during a wait, and which process gets it. */
const happening = fc.record({
	atSecond: fc.integer({ min: 0, max: 20 }),
	to: fc.integer({ min: 0, max: 1 }),
	/** How often it is delivered: not at all if it is lost. */
	times: fc.constantFrom(0, 1, 1, 1, 1, 2),
});

const call = fc.record({
	end: fc.constantFrom('completed', 'completed', 'busy', 'failed', 'open'),
	ends: happening,
	/** Whether an event says that voicemail answered, and how long after the end it comes. */
	voicemail: fc.option(fc.record({ later: fc.integer({ min: -10, max: 4 }), is: happening }), { nil: undefined }),
	artifacts: fc.uniqueArray(
		fc.record({ artifact: fc.constantFrom<Artifact>('recording', 'report', 'transcript'), is: happening }),
		{ selector: ({ artifact }) => artifact, maxLength: 3 },
	),
});

const waits = fc.record({
	callerIdField: fc.constantFrom('agentId' as const, 'campaignId' as const),
	processes: fc.integer({ min: 1, max: 2 }),
	startedHere: fc.boolean(),
	calls: fc.array(call, { minLength: 1, maxLength: 3 }),
	kills: fc.array(fc.record({ atSecond: fc.integer({ min: 0, max: 20 }), process: fc.integer({ min: 0, max: 1 }) }), {
		maxLength: 1,
	}),
	lastMessageTo: fc.integer({ min: 0, max: 1 }),
});

type Wait = typeof waits extends fc.Arbitrary<infer Value> ? Value : never;

/** A busy line ends one try of a campaign's call; its last try has failed. */
function asTheServiceEnds(wait: Wait): Wait {
	const endOf = (end: Wait['calls'][number]['end']) =>
		wait.callerIdField === 'campaignId' && end === 'busy' ? 'failed' : end;
	return { ...wait, calls: wait.calls.map((one) => ({ ...one, end: endOf(one.end) })) };
}

/** One event as the service sends it. */
interface Sent {
	item: number;
	at: number;
	to: number;
	times: number;
	event: IDataObject;
}

/** The events of a wait, as the service sends them. */
function eventsOf({ callerIdField, calls, processes }: Wait): Sent[] {
	const [completed, failed] =
		callerIdField === 'agentId'
			? ['event_phone_call_ended', 'event_phone_call_did_not_connect']
			: ['campaign_call.completed', 'campaign_call.failed'];
	return calls.flatMap(({ end, ends, voicemail, artifacts }, item) => {
		if (end === 'open') {
			return [];
		}
		const id = { call_id: `call-${item}` };
		const sent = (kind: string, more: IDataObject, { atSecond, to, times }: typeof ends) => ({
			item,
			at: atSecond * SECOND,
			to: to % processes,
			times,
			event: { event: kind, ...id, ...more, timestamp: new Date(Date.now() + atSecond * SECOND).toISOString() },
		});
		const isCompleted = end === 'completed';
		const detected =
			isCompleted && voicemail !== undefined && callerIdField === 'agentId'
				? [sent(DETECTED, {}, { ...voicemail.is, atSecond: Math.max(0, ends.atSecond + voicemail.later) })]
				: [];
		const brought = isCompleted
			? artifacts.map(({ artifact, is }) =>
					sent(KINDS[artifact], { [artifact]: `https://files.example/${artifact}` }, is),
				)
			: [];
		return [sent(isCompleted ? completed : failed, { status: end }, ends), ...detected, ...brought];
	});
}

/** Plays a wait. @returns its output, and whether the execution went on before the time was up */
async function play(wait: Wait, sent: readonly Sent[]) {
	const { callerIdField, calls, processes, startedHere, kills, lastMessageTo } = wait;
	const startedAt = Date.now();
	const happened = () => sent.filter(({ at }) => startedAt + at <= Date.now());
	const isEnd = ({ event }: Sent) => event.status !== undefined;
	const service: Answers = ({ url }) => {
		if (url.endsWith('/logs')) {
			// What the log of a campaign's webhook shows is not documented.
			const isShown = callerIdField === 'agentId';
			const entries = happened().reverse();
			return { body: { data: entries.map(({ event }) => (isShown ? { request_payload: event } : { id: 'l' })) } };
		}
		const ended = happened().filter(isEnd);
		const listed = calls.map((_, item) => ({
			id: `call-${item}`,
			status: ended.find((end) => end.item === item)?.event.status ?? 'ringing',
		}));
		return { body: { data: callerIdField === 'agentId' ? listed : { calls: listed } } };
	};
	const n8n = await startN8n({
		callerIdField,
		processes,
		// One process receives everything only if there is no other.
		complete: startedHere && processes === 1,
		calls: calls.map(({ artifacts }) => ({
			...(artifacts.length > 0 && { artifacts: artifacts.map(({ artifact }) => artifact) }),
			...(callerIdField === 'agentId' && { voicemailWaitMs: 5000 }),
		})),
		service,
	});
	const until = async (at: number) =>
		await new Promise((resolve) => setTimeout(resolve, at - (Date.now() - startedAt)));
	const deliver = async ({ item, at, to, times, event }: Sent) => {
		await until(at);
		for (let delivered = 0, tries = 0; delivered < times && tries < 10; tries++) {
			const status = await n8n.deliverMeanwhile(event, { to, item });
			delivered += status < 500 ? 1 : 0;
			await until(at + (tries + 1) * 10 * SECOND);
		}
	};
	const kill = async ({ atSecond, process }: Wait['kills'][number]) => {
		await until(atSecond * SECOND);
		await n8n.restart(process % processes);
	};
	await inFakeTime(Promise.all([...sent.map(deliver), ...kills.map(kill), until(200 * SECOND)]));
	const wentOn = n8n.outputs.length > 0;
	if (!wentOn) {
		await inFakeTime(n8n.timeUp(lastMessageTo % processes));
	}
	return { output: n8n.outputs[0] ?? [], wentOn };
}

test('whatever happens in whatever order, the execution goes on with what is true, and not before', async () => {
	await fc.assert(
		fc.asyncProperty(waits.map(asTheServiceEnds), async (wait) => {
			jest.setSystemTime(Date.UTC(2026, 10, 21, 6));
			const sent = eventsOf(wait);
			const { output, wentOn } = await play(wait, sent);
			expect(output).toHaveLength(wait.calls.length);
			const isSmooth = wait.kills.length === 0 && sent.every(({ times }) => times > 0);
			const areAllOver = wait.calls.every(({ end }) => end !== 'open');
			const has = (item: number, kind: string) =>
				sent.find((one) => one.item === item && String(one.event.event) === kind);
			const areAllBrought = wait.calls.every(({ end, artifacts }, item) =>
				artifacts.every(({ artifact }) => end !== 'completed' || has(item, KINDS[artifact])),
			);
			if (isSmooth && areAllOver && areAllBrought) {
				expect(wentOn).toBe(true);
			}
			if (!areAllOver) {
				expect(wentOn).toBe(false);
			}
			for (const [item, { end, artifacts }] of wait.calls.entries()) {
				const { outcome, missing } = output[item] ?? {};
				const voicemail = has(item, DETECTED);
				const outcomes = {
					open: ['timedOut'],
					busy: ['busy'],
					failed: ['failed'],
					// A lost event is found only if the log is read.
					completed: voicemail === undefined ? ['completed'] : isSmooth ? ['voicemail'] : ['voicemail', 'completed'],
				}[end];
				expect(outcomes).toContain(outcome);
				if (artifacts.length === 0) {
					expect(missing).toBeUndefined();
					continue;
				}
				const arrived = artifacts.filter(({ artifact }) => output[item]?.[artifact] !== null);
				for (const { artifact } of arrived) {
					expect(output[item]?.[artifact]).toBe(`https://files.example/${artifact}`);
				}
				if (isSmooth && end === 'completed') {
					expect(arrived).toHaveLength(artifacts.length);
				}
				// Of a call that reached nobody, nothing is missing.
				const lacking = artifacts.filter((one) => !arrived.includes(one)).map(({ artifact }) => artifact);
				expect(missing).toEqual(['busy', 'failed'].includes(end) ? [] : lacking);
			}
		}),
		{ numRuns: Number(process.env.FAST_CHECK_RUNS ?? 15) },
	);
});

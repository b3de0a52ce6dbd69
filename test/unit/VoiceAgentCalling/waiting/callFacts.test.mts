import { readEvent } from '../../../../nodes/shared/events/event.ts';
import {
	addEvent,
	addOutcome,
	awaitedOutcome,
	type CallFacts,
	missingArtifacts,
	voicemailUntil,
} from '../../../../nodes/VoiceAgentCalling/waiting/callFacts.ts';
import type { CallEnd } from '../../../../nodes/VoiceAgentCalling/waiting/callOutcome.ts';

const nothing = (): CallFacts => ({ outcomes: new Map(), findings: new Map() });
const call = { item: 0, id: 'call-0', owner: 'agent-1' };
const recorded = { ...call, artifacts: ['recording' as const] };

/** What is known after these events and outcomes. */
function known(...all: object[]): CallFacts {
	const facts = nothing();
	for (const one of all) {
		if ('event' in one && typeof one.event === 'string') {
			addEvent(facts, 'agentId', 0, readEvent(one as never));
		} else {
			addOutcome(facts, 0, one as never);
		}
	}
	return facts;
}

const ended = { event: 'event_phone_call_ended', status: 'completed' };
const recording = (url: string, timestamp?: string) => ({
	event: 'event_recording',
	recording_url: `https://files.example/${url}`,
	...(timestamp !== undefined && { timestamp }),
});
const [early, late] = ['2026-11-21T06:00:01Z', '2026-11-21T06:00:02Z'];

test.each([
	['the later one', [recording('a', early), recording('b', late)], 'b'],
	['the later one, whichever comes first', [recording('b', late), recording('a', early)], 'b'],
	['the one that came last of the same time', [recording('a', early), recording('b', early)], 'b'],
	['the one that came last, if either has no time', [recording('a', early), recording('b')], 'b'],
	['the one that came last, whichever has a time', [recording('a'), recording('b', early)], 'b'],
])('Of two recordings, %s counts', (_what, events, url) => {
	expect(awaitedOutcome(recorded, known(...events))).toMatchObject({ recording: `https://files.example/${url}` });
});

test('Of two recordings in the log of a webhook, which is read backwards, the later one counts, also without a time', () => {
	for (const [newest, older] of [
		[recording('b', late), recording('a', early)],
		[recording('b', early), recording('a', early)],
		[recording('b'), recording('a', early)],
	]) {
		const facts = nothing();
		addEvent(facts, 'agentId', 0, readEvent(newest as never), true);
		addEvent(facts, 'agentId', 0, readEvent(older as never), true);
		expect(awaitedOutcome(recorded, facts)).toMatchObject({ recording: 'https://files.example/b' });
	}
});

test('An outcome that the service lists replaces none that an event has told; an event replaces any', () => {
	const listed = { outcome: 'busy' };
	expect(awaitedOutcome(call, known(ended, listed))).toMatchObject({ outcome: 'completed', event: ended });
	expect(awaitedOutcome(call, known(listed, ended))).toMatchObject({ outcome: 'completed', event: ended });
	expect(awaitedOutcome(call, known(listed, { outcome: 'failed' }))).toEqual(listed);
});

test.each<[CallEnd, boolean]>([
	['completed', true],
	['voicemail', true],
	['unknown', true],
	['timedOut', true],
	['busy', false],
	['noAnswer', false],
	['failed', false],
	['cancelled', false],
])('After a call that was %s, a recording is missing: %s', (outcome, isMissing) => {
	expect(missingArtifacts(recorded, known({ outcome }))).toEqual(isMissing ? ['recording'] : []);
});

test('Only an event about a machine says that voicemail answered', () => {
	const outcomeAfter = (kind: string) => awaitedOutcome(call, known(ended, { event: kind })).outcome;
	expect(['event_call_started', 'event_voicemail_detected'].map(outcomeAfter)).toEqual(['completed', 'voicemail']);
});

test('No late event is awaited for a call whose end is not known, and none without a time for it', () => {
	const facts = nothing();
	facts.outcomes.set(0, { outcome: 'completed' });
	expect([voicemailUntil({ ...call, voicemailWaitMs: 5000 }, facts), voicemailUntil(call, known(ended))]).toEqual([
		undefined,
		undefined,
	]);
});

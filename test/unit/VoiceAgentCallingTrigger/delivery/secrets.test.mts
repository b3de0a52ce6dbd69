import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { verifyDelivery } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/authenticity.ts';
import { readIncoming } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/incoming.ts';
import { type DoubleOptions, unreachable } from '../../n8n.mts';
import { listing, MADE_AT, queryOf, secretOf, triggerOf } from '../trigger.mts';

const HOUR_MS = 3_600_000;
const OLD = MADE_AT - 3 * HOUR_MS;
const UNNAMED = 'its URL does not name one campaign or agent';

interface Sent extends DoubleOptions {
	/** Of the URL that it comes to. */
	query?: IDataObject;
	rawBody?: Buffer;
	/** The secret that signs it. */
	secret?: string | Promise<string>;
	/** The ID of the trigger's credential. */
	credential?: string;
}

afterEach(() => jest.useRealTimers());

let count = 0;
/** Delivers something to a trigger that no other test has. @returns the campaign whose event it is, or why it is refused */
async function delivered(sent: Sent) {
	const { query = queryOf(), rawBody = Buffer.from('{"event":"campaign.paused"}'), secret, credential, ...more } = sent;
	const signature = createHmac('sha256', (await secret) ?? (await secretOf()))
		.update(rawBody)
		.digest('hex');
	const incoming = { query, rawBody, headers: { 'x-signature': signature } };
	const { caller } = triggerOf({ nodeId: `secrets-${(count += 1)}`, ...more, incoming });
	const node = { ...caller.getNode(), credentials: { voiceAgentCallingApi: { id: credential, name: 'C' } } };
	Object.assign(caller, { getNode: () => node });
	const verdict = await verifyDelivery(await readIncoming(caller), {});
	return 'refused' in verdict ? verdict.refused : verdict.owner.ownerId;
}

const listed = (...queries: string[]) => [listing(...queries)];

/** What n8n has stored of the webhook of a campaign. */
const stored = (ownerId: string, current = MADE_AT) => ({
	webhooks: [{ ownerType: 'campaign', ownerId, webhookId: 'w', current, previous: [] }],
});

const both = { options: { additionalCampaigns: ['c-2'] } };

const old = { query: { campaign: 'c-1', g: `${OLD}` }, secret: secretOf('c-1', false, OLD) };
const NOT_LISTED = 'its signing secret was replaced, or its webhook was deleted or delivers to another URL';

test.each<[string, Sent, string]>([
	['the secret before, if the URL names it', { query: { ...queryOf(), g: `${MADE_AT + 1}`, f: `${MADE_AT}` } }, 'c-1'],
	['a secret that is in use, if the URL names another one', { query: { ...queryOf(), g: `${MADE_AT - 1}` } }, 'c-1'],
	[
		'the secret before, if neither the URL nor the list names it',
		{ query: { ...queryOf(), g: `${MADE_AT + 1}` }, service: listed(`?campaign=c-1&g=${MADE_AT + 1}`) },
		'wrong signature',
	],
	['a secret of hours ago that is in use', { ...old, service: listed(`?campaign=c-1&g=${OLD}`) }, 'c-1'],
	['one that was replaced since', { ...old, service: listed(`?campaign=c-1&g=${OLD + HOUR_MS}&f=${OLD}`) }, NOT_LISTED],
])('What is signed by %s', async (_what, sent, verdict) => {
	expect(await delivered(sent)).toBe(verdict);
});

test.each([
	[1_000_000, 2, 'c-1'],
	[1_000_001, 0, 'c-1'],
	[1_000_001, 1, 'c-1'],
	[1_000_001, 2, 'wrong signature'],
])('A body of %i bytes that is signed by the secret that was replaced %i times: %s', async (bytes, times, verdict) => {
	const previous = Array.from({ length: times }, (_, at) => MADE_AT + times - 1 - at).join(',');
	const query = { ...queryOf(), g: `${MADE_AT + times}`, ...(times > 0 && { f: previous }) };
	expect(await delivered({ query, rawBody: Buffer.alloc(bytes, ' ') })).toBe(verdict);
});

describe('A delivery whose URL has lost its query', () => {
	const ofList = (madeAt = MADE_AT) => listed(`?campaign=c-1&g=${madeAt}`);
	const [own, another] = [{ staticData: stored('c-1') }, { staticData: stored('c-2') }];
	test.each<[string, Sent, string]>([
		['is that of the only campaign', { service: ofList() }, 'c-1'],
		['is known by what n8n has stored, if the list has lost it, too', { service: listed(''), ...own }, 'c-1'],
		['is known by what n8n has stored, if there is no list', { service: [unreachable], ...own }, 'c-1'],
		['is not known by the secret of another campaign', { service: listed(''), ...another }, UNNAMED],
		['is not known by a secret that the list does not have', { service: ofList(MADE_AT + 1), ...own }, UNNAMED],
		['can be that of two campaigns', { parameters: both, service: ofList() }, UNNAMED],
	])('%s', async (_what, sent, verdict) => {
		expect(await delivered({ query: {}, ...sent })).toBe(verdict);
	});

	test.each<[string, Sent, string]>([
		['is that of the campaign that is left in it', { secret: secretOf('c-2'), parameters: both }, 'c-2'],
		['is not that of a campaign that is not chosen', { secret: secretOf('c-2') }, UNNAMED],
		['has to be signed all the same', { secret: 'another', parameters: both }, 'wrong signature'],
	])('in part %s', async (_what, sent, verdict) => {
		const service = listed(`?campaign=c-2&g=${MADE_AT}`);
		expect(await delivered({ query: { campaign: 'c-2' }, service, ...sent })).toBe(verdict);
	});
});

test('Deliveries are accepted as soon as the token of the credential was replaced, and by its own credential only', async () => {
	jest.useFakeTimers({ now: MADE_AT, doNotFake: ['performance', 'nextTick'] });
	expect(await delivered({ credential: 'one', token: 'BEFORE' })).toBe('wrong signature');
	expect(await delivered({ credential: 'two' })).toBe('c-1');
	jest.advanceTimersByTime(2000);
	expect(await delivered({ credential: 'one' })).toBe('c-1');
});

test('What is signed by an unknown secret must come again if the list cannot be read, and otherwise is refused', async () => {
	const sent = (service: DoubleOptions['service']) => delivered({ secret: 'another secret', service });
	jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'], now: MADE_AT + 60_000 });
	await expect(sent([unreachable])).rejects.toThrow('could not be read');
	jest.advanceTimersByTime(10_000);
	expect(await sent(listed(`?campaign=c-1&g=${MADE_AT}`))).toBe('wrong signature');
});

import type { IDataObject } from 'n8n-workflow';

import { type Incoming, readIncoming } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/incoming.ts';
import { tryKeys } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/knownKeys.ts';
import { findAcceptedVersions } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/listedVersions.ts';
import { type Answer, type DoubleOptions, unreachable } from '../../n8n.mts';
import { triggerOf } from '../trigger.mts';

const HOUR_MS = 3_600_000;
const START = 1_764_200_000_000;
const owner = { ownerType: 'campaign', ownerId: 'c-1' } as const;
const webhookUrl = 'https://n8n.example/webhook/11111111-2222-3333-4444-5555555555aa/webhook';

beforeEach(() => jest.useFakeTimers({ now: START, advanceTimers: true, doNotFake: ['performance', 'nextTick'] }));
afterEach(() => jest.useRealTimers());

let count = 0;
/** A trigger that no other test has, whose service lists webhooks with these URLs, one list after the other. */
async function triggerWith(listings: Array<string[] | undefined>, more: DoubleOptions = {}) {
	const answers = listings.map(
		(urls): Answer =>
			urls === undefined
				? unreachable
				: { body: { data: { webhooks: urls.map((url, id) => ({ id, webhook_url: url })) } } },
	);
	const made = triggerOf({ service: answers, nodeId: `node-${(count += 1)}`, webhookUrl, ...more });
	return { ...made, incoming: await readIncoming(made.caller) };
}

const at = (current: number, previous: number[] = [], base = webhookUrl) =>
	`${base}?campaign=c-1&g=${current}${previous.length > 0 ? `&f=${previous.join(',')}` : ''}`;
/** A time before the test. */
const ago = (hours: number) => START - hours * HOUR_MS;
const elsewhere = webhookUrl.replace('n8n.', 'former.');
const relay = 'https://n8n.example/relay';
const tested = webhookUrl.replace('/webhook/', '/webhook-test/');
const testedElsewhere = webhookUrl.replace('/webhook/', '/try/');

/** What becomes of a delivery by its secret. */
async function asked(incoming: Incoming, version: number) {
	const { versions, error, addressOf } = await findAcceptedVersions(incoming, owner, version);
	const refused = error === undefined ? (addressOf(version) ?? 'refused') : 'unchecked';
	return versions.includes(version) ? 'accepted' : refused;
}

const stored = (current: number, previous: number[] = [], ownerId = 'c-1') => ({
	staticData: { webhooks: [{ ownerType: 'campaign', ownerId, webhookId: '0', current, previous }] },
});

type Case = [what: string, list: () => string[] | undefined, more: () => DoubleOptions, wanted: Record<string, string>];

test.each<Case>([
	[
		'a secret is accepted while its webhook has it, and for an hour after that',
		() => [at(ago(0.5), [ago(3), ago(5)]), at(ago(7))],
		() => ({}),
		{ 0.5: 'accepted', 3: 'accepted', 7: 'accepted', 5: 'refused', 6: 'refused', 0.1: 'refused' },
	],
	[
		'a webhook at another address does not count if there is one at the own address',
		() => [at(ago(2)), at(ago(3), [], elsewhere), at(ago(4), [], relay)],
		() => ({}),
		{ 2: 'accepted', 3: 'another address', 4: 'another address' },
	],
	[
		'a webhook with the path of the trigger counts if there is none at the own address',
		() => [at(ago(3), [], elsewhere), at(ago(4), [], relay), at(ago(5), [], tested)],
		() => ({}),
		{ 3: 'accepted', 4: 'another address', 5: 'another address' },
	],
	[
		'a former secret that another webhook still has is not accepted for an hour',
		() => [at(ago(0.1), [ago(0.2), ago(3)]), at(ago(3), [], relay)],
		() => ({}),
		{ 0.1: 'accepted', 0.2: 'accepted', 3: 'another address' },
	],
	[
		'a secret of the last hour that another one has replaced is accepted, although no webhook names it',
		() => [at(ago(0.2)), at(ago(0.4), [], relay)],
		() => ({}),
		{ 0.2: 'accepted', 0.5: 'accepted', 0.9: 'accepted', 1.1: 'refused', 0.1: 'refused', 0.4: 'another address' },
	],
	['without webhooks nothing is accepted', () => [], () => stored(ago(0.1)), { 0.1: 'refused', 3: 'refused' }],
	[
		'what is stored says what a list without queries does not',
		() => [webhookUrl],
		() => stored(ago(3), [ago(4)]),
		{ 3: 'accepted', 4: 'refused', 2: 'refused' },
	],
	[
		'what is stored of another campaign does not',
		() => [webhookUrl],
		() => stored(ago(3), [], 'c-2'),
		{ 3: 'refused' },
	],
	[
		'what was stored within the last hour counts without a list, also for what it has replaced',
		() => undefined,
		() => stored(ago(0.9), [ago(3)]),
		{ 0.9: 'accepted', 3: 'accepted', 4: 'unchecked', 0.1: 'unchecked' },
	],
	[
		'what was stored before does not: it can be replaced since',
		() => undefined,
		() => stored(ago(1.1), [ago(3)]),
		{ 1.1: 'unchecked', 3: 'unchecked' },
	],
	['what is stored in the future does not', () => undefined, () => stored(ago(-900)), { '-900': 'unchecked' }],
	[
		'a test run has webhooks with the path of the trigger, whatever comes before it',
		() => [
			at(ago(1), [], webhookUrl),
			at(ago(2), [], tested),
			at(ago(3), [], testedElsewhere),
			at(ago(4), [], relay),
			'-',
		],
		() => ({ mode: 'manual' }),
		{ 1: 'accepted', 2: 'accepted', 3: 'accepted', 4: 'another address', 5: 'refused' },
	],
])('%s', async (_what, list, more, wanted) => {
	// Every one is asked for first in one case: what has been asked for before does not matter.
	for (const first of Object.keys(wanted)) {
		const { incoming } = await triggerWith([list()], more());
		const said: Record<string, string> = {};
		for (const hours of [first, ...Object.keys(wanted)]) {
			const answer = await asked(incoming, ago(Number(hours)));
			said[hours] = URL.canParse(answer) ? 'another address' : answer;
		}
		expect([first, said]).toEqual([first, wanted]);
	}
});

test('what the list said counts for an hour while it cannot be read, and no longer', async () => {
	const [current, former] = [ago(0.5), ago(3)];
	const { incoming, requests } = await triggerWith([[at(current, [former])], undefined]);
	const all = async () => [await asked(incoming, current), await asked(incoming, former)];
	expect(await all()).toEqual(['accepted', 'accepted']);
	for (const [minutes, wanted] of [
		[29, ['accepted', 'accepted']],
		[2, ['accepted', 'unchecked']],
		[28, ['accepted', 'unchecked']],
		[2, ['unchecked', 'unchecked']],
	] as const) {
		jest.advanceTimersByTime(minutes * 60_000);
		expect([minutes, ...(await all())]).toEqual([minutes, ...wanted]);
	}
	// The service waits for the response to a delivery.
	expect(requests.filter(({ timeout = Number.POSITIVE_INFINITY }) => timeout > 5000)).toEqual([]);
});

test('what is stored does not count if the list has named another address before', async () => {
	const current = ago(0.1);
	const { incoming } = await triggerWith([[at(current, [], relay)], undefined], stored(current));
	expect(await asked(incoming, current)).toBe(relay + new URL(at(current)).search);
	jest.advanceTimersByTime(10_001);
	expect(await asked(incoming, current)).toBe('unchecked');
});

describe('The list is read', () => {
	/** How often the list has been read after a delivery, some seconds later. */
	const readings = async ({ incoming, requests }: Awaited<ReturnType<typeof triggerWith>>) => {
		return async (seconds: number, ...versions: number[]) => {
			jest.advanceTimersByTime(seconds * 1000);
			await Promise.all(versions.map(async (one) => await asked(incoming, one)));
			return requests.length;
		};
	};

	test('once a minute for what is in it', async () => {
		const known = ago(3);
		const after = await readings(await triggerWith([[at(known)]]));
		expect([await after(0, known, known), await after(59, known), await after(1.1, known)]).toEqual([1, 1, 2]);
	});

	test('at once for what is not in it, again half a second later, and then every ten seconds', async () => {
		const [known, one, other] = [ago(3), ago(4), ago(5)];
		const after = await readings(await triggerWith([[at(known)]]));
		expect(await after(0, known)).toBe(1);
		expect(await after(0, ...Array<number>(50).fill(one))).toBe(3);
		expect(await after(8, one, known)).toBe(3);
		expect(await after(0, other)).toBe(5);
		expect([await after(2, one), await after(0, one, other)]).toEqual([7, 7]);
	});

	test('once for a webhook that is found at another address', async () => {
		const [known, other] = [ago(3), ago(4)];
		const after = await readings(await triggerWith([[at(known), at(other, [], relay)]]));
		expect([await after(0, known), await after(0, other), await after(9, other)]).toEqual([1, 2, 2]);
	});

	test('every ten seconds while it cannot be read', async () => {
		const known = ago(3);
		const after = await readings(await triggerWith([undefined]));
		expect([await after(0, known, known), await after(9, known), await after(1.1, known)]).toEqual([1, 1, 2]);
	});

	test('ten times a minute for what is in it, however many triggers have deliveries', async () => {
		const many = await Promise.all(Array.from({ length: 100 }, async () => await triggerWith([[at(ago(3))]])));
		const known = ago(3);
		const total = () => many.reduce((sum, { requests }) => sum + requests.length, 0);
		const all = async () => {
			for (const { incoming } of many) {
				expect(await asked(incoming, known)).toBe('accepted');
			}
		};
		await all();
		expect(total()).toBe(100);
		for (let seconds = 0; seconds < 240; seconds += 1) {
			jest.advanceTimersByTime(1000);
			await all();
		}
		expect(total() - 100).toBeLessThanOrEqual(41);
		expect(total() - 100).toBeGreaterThan(25);
	});
});

test('the credential is read every ten seconds, and again for what does not fit, at most every two seconds', async () => {
	let token = 'one';
	const { caller } = triggerOf({ instanceId: 'keys' });
	const node = { ...caller.getNode(), credentials: { voiceAgentCallingApi: { id: 'c', name: 'C' } } };
	const getCredentials = jest.fn(async () => ({ environmentToken: token }) as IDataObject);
	Object.assign(caller, { getCredentials, getNode: () => node });
	const seen: string[] = [];
	const attempt = async (wanted?: string) =>
		await tryKeys(caller, ({ secrets }) => {
			seen.push(secrets.toString('hex'));
			return wanted === undefined || seen.at(-1) === wanted ? seen.at(-1) : undefined;
		});
	const first = await attempt();
	await attempt();
	expect(getCredentials).toHaveBeenCalledTimes(1);
	token = 'two';
	expect(await attempt('neither')).toBeUndefined();
	expect(await attempt('neither')).toBeUndefined();
	expect(getCredentials).toHaveBeenCalledTimes(2);
	const second = await attempt();
	expect(second).not.toBe(first);
	jest.advanceTimersByTime(2000);
	expect(await attempt('neither')).toBeUndefined();
	expect(getCredentials).toHaveBeenCalledTimes(3);
	jest.advanceTimersByTime(10_000);
	await attempt();
	expect(getCredentials).toHaveBeenCalledTimes(4);
	getCredentials.mockRejectedValueOnce(new Error('gone'));
	jest.advanceTimersByTime(10_000);
	await expect(attempt()).rejects.toThrow('gone');
	expect(await attempt()).toBe(second);
});

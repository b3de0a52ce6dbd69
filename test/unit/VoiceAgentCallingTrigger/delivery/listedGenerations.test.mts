import type { IDataObject } from 'n8n-workflow';

import { type Incoming, readIncoming } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/incoming.ts';
import { tryKeys } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/knownKeys.ts';
import {
	acceptedGenerations,
	askWhetherReplaced,
} from '../../../../nodes/VoiceAgentCallingTrigger/delivery/listedGenerations.ts';
import { type Answer, unreachable } from '../../n8n.mts';
import { triggerOf } from '../trigger.mts';

const HOUR_MS = 3_600_000;
const owner = { source: 'campaign', ownerId: 'c-1' } as const;
const webhookUrl = 'https://n8n.example/webhook/11111111-2222-3333-4444-5555555555aa/webhook';

beforeEach(() => jest.useFakeTimers({ now: 1_764_200_000_000, doNotFake: ['performance', 'nextTick'] }));
afterEach(() => jest.useRealTimers());

let count = 0;
/** A trigger that no other test has, whose service lists webhooks with these URLs. */
async function triggerWith(listings: Array<string[] | undefined>) {
	const answers = listings.map(
		(urls): Answer =>
			urls === undefined
				? unreachable
				: { body: { data: { webhooks: urls.map((url, id) => ({ id, webhook_url: url })) } } },
	);
	const made = triggerOf({ service: answers, nodeId: `node-${(count += 1)}`, webhookUrl });
	return { ...made, incoming: await readIncoming(made.caller) };
}

const at = (current: number, formers = '', base = webhookUrl) =>
	`${base}?campaign=c-1&g=${current}${formers && `&f=${formers}`}`;
/** Whether these secrets are replaced. */
const asked = async (incoming: Incoming, ...generations: number[]) => {
	const replaced: boolean[] = [];
	for (const generation of generations) {
		replaced.push(await askWhetherReplaced(incoming, owner, generation));
	}
	return replaced;
};
const ago = (hours: number) => Date.now() - hours * HOUR_MS;

test('a secret that is younger than an hour is not looked for', async () => {
	const { incoming, requests } = await triggerWith([[]]);
	expect(await askWhetherReplaced(incoming, owner, ago(1))).toBe(false);
	expect(requests).toEqual([]);
});

test('a secret is replaced that the list does not have, and not one that it has, or had until an hour ago', async () => {
	const { incoming, requests } = await triggerWith([[at(ago(0.5), `${ago(3)},${ago(5)}`), at(ago(7))]]);
	expect(await asked(incoming, ago(7), ago(3))).toEqual([false, false]);
	expect(await asked(incoming, ago(5), ago(6))).toEqual([true, true]);
	expect(requests.map(({ url }) => url)).toEqual(
		requests.map(() => 'https://service.example/api/v1/campaigns/c-1/webhooks'),
	);
	expect(await acceptedGenerations(incoming, owner)).toEqual([ago(0.5), ago(3), ago(7)]);
});

test('a secret that is newer than all in the list is not replaced if the list cannot be read since, and each is if the list has none', async () => {
	const { incoming, requests } = await triggerWith([[at(ago(5))], undefined]);
	expect(await asked(incoming, ago(5), ago(3))).toEqual([false, true]);
	jest.advanceTimersByTime(4 * HOUR_MS);
	expect(await asked(incoming, ago(4), ago(2), ago(10))).toEqual([false, false, true]);
	// The service waits for the response to a delivery.
	expect(requests.filter(({ timeout = Number.POSITIVE_INFINITY }) => timeout > 5000)).toEqual([]);
	expect(await askWhetherReplaced((await triggerWith([[]])).incoming, owner, ago(3))).toBe(true);
});

test('a list that cannot be read since knows of newer secrets only those after which another one came', async () => {
	const [before, after] = [ago(0.5), ago(0.1)];
	const replacing = await triggerWith([[at(ago(0.2)), at(ago(7))], undefined]);
	const one = await triggerWith([[at(ago(7))], undefined]);
	const [none, atItsEdge] = [await triggerWith([[], undefined]), ago(1)];
	for (const { incoming } of [replacing, one, none]) {
		await askWhetherReplaced(incoming, owner, ago(7));
	}
	jest.advanceTimersByTime(2 * HOUR_MS);
	expect(await asked(replacing.incoming, before, after)).toEqual([true, false]);
	expect(await asked(one.incoming, before, after, atItsEdge, atItsEdge - 1)).toEqual([false, false, false, true]);
	expect(await asked(none.incoming, after)).toEqual([true]);
});

test('a list without the queries of the URLs does not say what is replaced, but one without webhooks does', async () => {
	const unnamed = await triggerWith([[webhookUrl]]);
	expect(await asked(unnamed.incoming, ago(3))).toEqual([false]);
	expect(await acceptedGenerations(unnamed.incoming, owner)).toBeUndefined();
	const none = await triggerWith([[]]);
	expect(await asked(none.incoming, ago(3))).toEqual([true]);
	expect(await acceptedGenerations(none.incoming, owner)).toEqual([]);
});

test('a webhook at another address counts only if there is none at the own one', async () => {
	const elsewhere = at(ago(3), '', webhookUrl.replace('n8n.', 'former.'));
	const both = await triggerWith([[at(ago(2)), elsewhere]]);
	expect(await askWhetherReplaced(both.incoming, owner, ago(3))).toBe(true);
	const { incoming } = await triggerWith([[elsewhere, at(ago(4), '', 'https://n8n.example/webhook/orders')]]);
	expect(await asked(incoming, ago(3), ago(4))).toEqual([false, true]);
});

test('the list is read once an hour, and once a minute for what is not in it', async () => {
	const { incoming, requests } = await triggerWith([[at(ago(3))]]);
	const check = async (generation: number, minutes: number) => {
		jest.advanceTimersByTime(minutes * 60_000);
		await askWhetherReplaced(incoming, owner, generation);
		return requests.length;
	};
	const [known, unknown] = [ago(3), ago(4)];
	expect([await check(known, 0), await check(known, 59), await check(known, 1), await check(unknown, 0)]).toEqual([
		1, 1, 2, 2,
	]);
	expect([await check(unknown, 2), await check(unknown, 0.9), await check(unknown, 0.2)]).toEqual([3, 3, 4]);
	// At the same time, it is read once.
	jest.advanceTimersByTime(2 * HOUR_MS);
	await Promise.all([known, known, unknown].map(async (one) => await askWhetherReplaced(incoming, owner, one)));
	expect(requests).toHaveLength(5);
});

test('nothing is replaced as far as known while the list was never readable, and what is known stays known', async () => {
	const never = await triggerWith([undefined]);
	expect(await asked(never.incoming, ago(3), ago(3))).toEqual([false, false]);
	expect([never.requests.length, never.logs.length]).toEqual([1, 1]);
	jest.advanceTimersByTime(61_000);
	expect(await askWhetherReplaced(never.incoming, owner, ago(3))).toBe(false);
	expect(never.requests).toHaveLength(2);
	expect(await acceptedGenerations(never.incoming, owner)).toBeUndefined();
	const known = ago(3);
	const once = await triggerWith([[at(known)], undefined]);
	expect(await askWhetherReplaced(once.incoming, owner, known)).toBe(false);
	jest.advanceTimersByTime(2 * HOUR_MS);
	expect(await asked(once.incoming, known, known - 1)).toEqual([false, true]);
});

test('the credential is read once a minute, and again for what does not fit, at most every two seconds', async () => {
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
	jest.advanceTimersByTime(60_000);
	await attempt();
	expect(getCredentials).toHaveBeenCalledTimes(4);
	getCredentials.mockRejectedValueOnce(new Error('gone'));
	jest.advanceTimersByTime(60_000);
	await expect(attempt()).rejects.toThrow('gone');
	expect(await attempt()).toBe(second);
});

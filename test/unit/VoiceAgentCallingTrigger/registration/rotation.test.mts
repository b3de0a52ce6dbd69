import type { IDataObject } from 'n8n-workflow';

import { rotate } from '../../../../nodes/VoiceAgentCallingTrigger/registration/rotation.ts';
import { type Answer, type Answers, cut } from '../../n8n.mts';
import { registrationOf, secretOf, storedWebhook, triggerOf } from '../trigger.mts';

let count = 0;
/** A trigger with a webhook that no other test has. */
const trigger = (service: Answers, stored: IDataObject = {}, parameters: IDataObject = {}) =>
	triggerOf({ service, parameters, nodeId: `node-${(count += 1)}`, staticData: registrationOf(stored) });

const done: Answer = { body: { success: true } };
const old = '1'.repeat(64);
const HOUR = 3_600_000;

describe('A rotation', () => {
	test('gives the service a new secret and leaves its other settings alone', async () => {
		const { caller, requests, staticData } = trigger([done]);
		const start = Date.now();
		const until = await rotate(caller);
		expect(requests).toMatchObject([
			{ method: 'PUT', url: 'https://service.example/api/v1/campaigns/c-1/webhooks/w-1', timeout: 15_000 },
		]);
		expect(requests[0].body).toEqual({ webhook_secret: secretOf(staticData.secret) });
		expect(staticData.secret).not.toBe(old);
		expect(until - start).toBeGreaterThanOrEqual(HOUR);
		expect(until - start).toBeLessThan(HOUR + 10_000);
		expect(staticData.former).toEqual([{ secret: old, until }]);
	});

	test('runs once for a key, however often it is asked for', async () => {
		const { caller, requests, staticData } = trigger([done]);
		// n8n gives each request its own copy of the static data.
		const copy = triggerOf({
			service: [done],
			nodeId: caller.getNode().id,
			staticData: JSON.parse(JSON.stringify(staticData)) as IDataObject,
		});
		const [first, second] = await Promise.all([rotate(caller), rotate(copy.caller)]);
		expect(second).toBe(first);
		expect([requests.length, copy.requests.length]).toEqual([1, 0]);
		// The next rotation is one of the new key.
		await rotate(caller);
		expect(requests).toHaveLength(2);
	});

	test.each(['secret', 'webhooks'])('needs a registered webhook: not without %s', async (key) => {
		const { caller, requests } = trigger([done], { [key]: undefined });
		await expect(rotate(caller)).rejects.toMatchObject({ code: 'NOT_REGISTERED', accepted: 'no' });
		expect(requests).toEqual([]);
	});

	test('gives each webhook its own secret, at most five at the same time', async () => {
		const webhooks = Array.from({ length: 7 }, (_, n) => storedWebhook({ ownerId: `c-${n}`, webhookId: `w-${n}` }));
		let [running, most] = [0, 0];
		const service = async (): Promise<Answer> => {
			most = Math.max(most, ++running);
			await new Promise((resolve) => setTimeout(resolve, 1));
			running -= 1;
			return done;
		};
		const { caller, requests, staticData } = trigger(service, { webhooks });
		await rotate(caller);
		expect(requests.map(({ body }) => body)).toEqual(
			webhooks.map(({ ownerId }) => ({ webhook_secret: secretOf(staticData.secret, String(ownerId)) })),
		);
		expect(most).toBe(5);
	});

	test('that only some webhooks have taken keeps both keys, and gives all the same one next time', async () => {
		const webhooks = ['1', '2'].map((n) => storedWebhook({ ownerId: `c-${n}`, webhookId: `w-${n}` }));
		const refusal: Answer = { status: 403, body: { message: 'No' } };
		let refuses = true;
		const { caller, requests, staticData } = trigger(
			async ({ url }) => (refuses && url.endsWith('w-2') ? refusal : done),
			{ webhooks },
		);
		await expect(rotate(caller)).rejects.toMatchObject({ httpStatus: 403 });
		expect(staticData).toMatchObject({ unsettled: true, former: [{ secret: old }] });
		const { secret } = staticData;
		refuses = false;
		await rotate(caller);
		expect(staticData.secret).toBe(secret);
		expect(requests.slice(2).map(({ body }) => body)).toEqual(
			['c-1', 'c-2'].map((id) => ({ webhook_secret: secretOf(secret, id) })),
		);
		expect(staticData).not.toHaveProperty('unsettled');
	});

	test('leaves out a webhook that does not exist any more, unless no other one is left', async () => {
		const webhooks = ['1', '2'].map((n) => storedWebhook({ ownerId: `c-${n}`, webhookId: `w-${n}` }));
		const gone: Answer = { status: 404, body: { message: 'Campaign not found' } };
		const { caller, staticData } = trigger(async ({ url }) => (url.endsWith('w-2') ? gone : done), { webhooks });
		await rotate(caller);
		expect(staticData).not.toHaveProperty('unsettled');
		expect(staticData.former).toEqual([{ secret: old, until: expect.any(Number) }]);
		const allGone = trigger(async () => gone, { webhooks });
		await expect(rotate(allGone.caller)).rejects.toMatchObject({ httpStatus: 404 });
		expect(allGone.staticData.secret).toBe(old);
	});

	test('leaves everything as it was if the service refuses, and can be tried again', async () => {
		const { caller, requests, staticData } = trigger([{ status: 403, body: { message: 'No' } }, done]);
		await expect(rotate(caller)).rejects.toMatchObject({ httpStatus: 403 });
		expect(staticData.secret).toBe(old);
		await rotate(caller);
		expect(requests).toHaveLength(2);
		expect(staticData.secret).not.toBe(old);
	});

	test('continues from the key that the service uses, if an older one was written back', async () => {
		const { caller, staticData } = trigger([done]);
		const stored = { ...staticData };
		jest.useFakeTimers();
		await rotate(caller);
		jest.advanceTimersByTime(60_000);
		const later = triggerOf({ service: [done], nodeId: caller.getNode().id, staticData: stored });
		await rotate(later.caller);
		jest.useRealTimers();
		expect(later.requests).toHaveLength(1);
		const former = (stored.former as IDataObject[]).map(({ secret }) => secret);
		expect(former).toEqual([staticData.secret, old]);
		expect([staticData.secret, old]).not.toContain(stored.secret);
	});

	test('that is refused late does not undo a newer one of another key', async () => {
		let refuse: (answer: Answer) => void = () => undefined;
		const late = new Promise<Answer>((resolve) => (refuse = resolve));
		const first = trigger(async () => await late);
		const pending = rotate(first.caller);
		const nodeId = first.caller.getNode().id;
		const other = () => triggerOf({ service: [done], nodeId, staticData: registrationOf({ secret: '2'.repeat(64) }) });
		const second = other();
		const until = await rotate(second.caller);
		refuse({ status: 403, body: { message: 'No' } });
		await expect(pending).rejects.toMatchObject({ httpStatus: 403 });
		const repeated = other();
		expect(await rotate(repeated.caller)).toBe(until);
		expect([second.requests.length, repeated.requests.length]).toEqual([1, 0]);
	});

	test('whose answer is lost leaves both keys, and is not repeated for a request with the old key', async () => {
		const { caller, requests, staticData } = trigger([cut, done]);
		await expect(rotate(caller)).rejects.toMatchObject({ code: 'CONNECTION_LOST', accepted: 'unknown' });
		expect(staticData).toMatchObject({ unsettled: true, former: [{ secret: old }] });
		const copy = triggerOf({ service: [done], nodeId: caller.getNode().id, staticData: registrationOf() });
		await expect(rotate(copy.caller)).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
		expect([requests.length, copy.requests.length]).toEqual([1, 0]);
	});
});

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import {
	acceptedKeys,
	changeKey,
	clearRegistration,
	type DeliveryKey,
	ownRegistration,
	type Registration,
	successors,
} from '../../../../nodes/VoiceAgentCallingTrigger/registration/deliveryKeys.ts';
import { doubleOfN8n } from '../../n8n.mts';

const HOUR = 3_600_000;

const chain = randomBytes(32);

/** How a request to set a new key can end. */
const endings = ['taken', 'refused', 'answer lost', 'request lost'] as const;
const step = fc.oneof(
	fc.record({ does: fc.constant('change' as const), ending: fc.constantFrom(...endings) }),
	fc.record({ does: fc.constant('wait' as const), ms: fc.nat(2 * HOUR) }),
	fc.record({ does: fc.constant('restart' as const) }),
);

const failure = (accepted: 'no' | 'unknown') =>
	new ServiceError('It did not work', { code: 'UNEXPECTED', advice: '', accepted });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** The service's side: it receives keys. */
class Service {
	key: DeliveryKey | undefined;
	/** Replaced keys, with the time of their replacement. */
	readonly before: Array<{ secret: string; until: number }> = [];

	async take(key: DeliveryKey, ending: (typeof endings)[number]): Promise<void> {
		if (ending === 'taken' || ending === 'answer lost') {
			if (this.key && this.key.secret !== key.secret) {
				this.before.push({ secret: this.key.secret, until: Date.now() });
			}
			this.key = key;
		}
		if (ending === 'refused') {
			throw failure('no');
		}
		if (ending !== 'taken') {
			throw failure('unknown');
		}
	}
}

test('however the requests end, every key that the service had within the last hour is accepted', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
			let registration: Partial<Registration> = {};
			const service = new Service();
			for (const one of steps) {
				if (one.does === 'wait') {
					jest.advanceTimersByTime(one.ms);
				}
				// n8n keeps static data as JSON.
				else if (one.does === 'restart') {
					registration = JSON.parse(JSON.stringify(registration)) as Partial<Registration>;
				} else {
					await changeKey(registration, chain, async (key) => await service.take(key, one.ending)).catch(
						() => undefined,
					);
				}
				const accepted = acceptedKeys(registration, Date.now()).map(({ secret }) => secret);
				if (service.key) {
					expect(accepted).toContain(service.key.secret);
				}
				const recent = service.before.filter(({ until }) => Date.now() - until < HOUR).map(({ secret }) => secret);
				expect(accepted).toEqual(expect.arrayContaining(recent));
				expect(accepted.length).toBeLessThanOrEqual(9);
			}
		}),
	);
});

test('a refused key changes nothing', async () => {
	const registration: Partial<Registration> = {};
	await changeKey(registration, chain, async () => undefined);
	const before = JSON.stringify(registration);
	await expect(changeKey(registration, chain, async () => await Promise.reject(failure('no')))).rejects.toThrow(
		'It did not work',
	);
	expect(JSON.stringify(registration)).toBe(before);
});

test('after a change has succeeded, the former key is accepted for exactly one hour', async () => {
	const registration: Partial<Registration> = {};
	await changeKey(registration, chain, async () => undefined);
	const first = registration.secret;
	const { until } = await changeKey(registration, chain, async () => undefined);
	expect(until - Date.now()).toBe(HOUR);
	const accepted = () => acceptedKeys(registration, Date.now()).map(({ secret }) => secret);
	jest.advanceTimersByTime(HOUR - 1);
	expect(accepted()).toEqual([registration.secret, first]);
	jest.advanceTimersByTime(1);
	expect(accepted()).toEqual([registration.secret]);
});

test('while it is unknown which key the service has, both are accepted without a time limit', async () => {
	const registration: Partial<Registration> = {};
	await changeKey(registration, chain, async () => undefined);
	const first = registration.secret;
	await changeKey(registration, chain, async () => await Promise.reject(failure('unknown'))).catch(() => undefined);
	jest.advanceTimersByTime(30 * 24 * HOUR);
	expect(acceptedKeys(registration, Date.now()).map(({ secret }) => secret)).toEqual([registration.secret, first]);
	// The next change sends the same key, so the service cannot have a third one.
	const second = registration.secret;
	const sent: string[] = [];
	await changeKey(registration, chain, async ({ secret }) => void sent.push(secret));
	expect(sent).toEqual([second]);
	expect(registration.secret).toBe(second);
	expect(registration.unsettled).toBeUndefined();
});

test('a registration has no keys but its own', () => {
	expect(acceptedKeys({}, Date.now())).toEqual([]);
	expect(acceptedKeys({ secret: 's' }, Date.now())).toEqual([{ secret: 's' }]);
});

test('a confirmed key is replaced', async () => {
	const registration: Partial<Registration> = {};
	await changeKey(registration, chain, async () => undefined);
	const confirmed = registration.secret;
	await changeKey(registration, chain, async () => undefined);
	expect(registration.secret).not.toBe(confirmed);
});

test('at most eight former keys are accepted, the newest ones', async () => {
	const registration: Partial<Registration> = {};
	const secrets: string[] = [];
	for (let time = 0; time < 12; time += 1) {
		await changeKey(registration, chain, async ({ secret }) => void secrets.unshift(secret));
	}
	expect(acceptedKeys(registration, Date.now()).map(({ secret }) => secret)).toEqual(secrets.slice(0, 9));
});

test('the key of a cleared registration is accepted for an hour', async () => {
	const registration: Partial<Registration> = { instanceId: 'this' };
	await changeKey(registration, chain, async () => undefined);
	const { secret } = registration;
	Object.assign(registration, { webhooks: [{ source: 'agent', ownerId: 'a', webhookId: 'w', digest: 'd' }] });
	clearRegistration(registration);
	expect(registration).toEqual({ instanceId: 'this', former: [{ secret, until: Date.now() + HOUR }] });
	jest.advanceTimersByTime(HOUR);
	expect(acceptedKeys(registration, Date.now())).toEqual([]);
	await changeKey(registration, chain, async () => undefined);
	expect(registration.former).toBeUndefined();
});

test('a registration without a key is cleared too', () => {
	const registration: Partial<Registration> = { webhooks: [], instanceId: 'this' };
	clearRegistration(registration);
	expect(registration).toEqual({ instanceId: 'this' });
});

describe('The registration in an exported workflow', () => {
	const whole = (): Registration => ({
		webhooks: [{ source: 'agent', ownerId: 'a', webhookId: 'w', digest: 'd' }],
		secret: 's',
		instanceId: 'that n8n',
		workflowId: 'that workflow',
		former: [{ secret: 'f' }],
		unsettled: true,
	});
	const read = (staticData: Registration, instanceId: string, workflowId = 'that workflow') =>
		ownRegistration(doubleOfN8n({ staticData: staticData as unknown as IDataObject, instanceId, workflowId }).caller);

	test('is discarded by another n8n, with all keys: the copy would delete the webhook of the original', () => {
		const staticData = whole();
		expect(read(staticData, 'this n8n')).toBe(staticData);
		expect(staticData).toEqual({});
	});

	test('is discarded by another workflow of the same n8n: it is a duplicate', () => {
		const staticData = whole();
		read(staticData, 'that n8n', 'copy');
		expect(staticData).toEqual({});
	});

	test('is kept by the same workflow', () => {
		expect(read(whole(), 'that n8n')).toEqual(whole());
	});
});

test('secrets are random', async () => {
	const registration: Partial<Registration> = {};
	const secrets = new Set<string>();
	for (let time = 0; time < 20; time += 1) {
		await changeKey(registration, chain, async () => undefined);
		expect(registration.secret).toMatch(/^[0-9a-f]{64}$/);
		secrets.add(String(registration.secret));
	}
	expect(secrets.size).toBe(20);
});

test('the next two keys can be computed from a stored one with the chain key, and with no other', async () => {
	await fc.assert(
		fc.asyncProperty(fc.nat(4), async (changes) => {
			const registration: Partial<Registration> = {};
			const sent: DeliveryKey[] = [];
			const change = async () => await changeKey(registration, chain, async (key) => void sent.push({ ...key }));
			for (let time = 0; time <= changes; time += 1) {
				await change();
			}
			const restored = JSON.parse(JSON.stringify(registration)) as Partial<Registration>;
			for (let time = 0; time < 3; time += 1) {
				await change();
			}
			const following = sent.slice(changes + 1);
			expect(successors(restored, chain)).toEqual(following.slice(0, 2));
			const secrets = new Set(following.map(({ secret }) => secret));
			expect(successors(restored, randomBytes(32)).filter(({ secret }) => secrets.has(secret))).toEqual([]);
		}),
	);
});

test('no key follows where none is stored, and after an unpublication they follow the former one', async () => {
	expect(successors({}, chain)).toEqual([]);
	const registration: Partial<Registration> = {};
	await changeKey(registration, chain, async () => undefined);
	const [next] = successors(registration, chain);
	clearRegistration(registration);
	jest.advanceTimersByTime(2 * HOUR);
	await changeKey(registration, chain, async (key) => expect(key).toEqual(next));
});

import fc from 'fast-check';

import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import {
	acceptedKeys,
	changeKey,
	type DeliveryKey,
	forget,
	type Registered,
} from '../../../../nodes/VoiceAgentCallingTrigger/registration/deliveryKeys.ts';

const HOUR = 3_600_000;

/** How the request ends that gives the service a new key. */
const endings = ['taken', 'refused', 'answer lost', 'request lost'] as const;
const step = fc.oneof(
	fc.record({ does: fc.constant('change' as const), ending: fc.constantFrom(...endings), withHeader: fc.boolean() }),
	fc.record({ does: fc.constant('wait' as const), ms: fc.nat(2 * HOUR) }),
	fc.record({ does: fc.constant('restart' as const) }),
);

const failure = (taken: 'no' | 'unknown') =>
	new ServiceError('It did not work', { code: 'UNEXPECTED', advice: '', taken });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** The service that a key is given to. */
class Service {
	key: DeliveryKey | undefined;
	/** Keys that it had until a moment. */
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

test('whatever becomes of the requests, the key that the service has is accepted, and one that it had less than an hour ago', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
			let known: Partial<Registered> = {};
			const service = new Service();
			for (const one of steps) {
				if (one.does === 'wait') {
					jest.advanceTimersByTime(one.ms);
				}
				// n8n keeps static data as JSON.
				else if (one.does === 'restart') {
					known = JSON.parse(JSON.stringify(known)) as Partial<Registered>;
				} else {
					await changeKey(known, one.withHeader, async (key) => await service.take(key, one.ending)).catch(
						() => undefined,
					);
				}
				const accepted = acceptedKeys(known, Date.now()).map(({ secret }) => secret);
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

test('a key that the service refused counts for nothing', async () => {
	const known: Partial<Registered> = {};
	await changeKey(known, false, async () => undefined);
	const before = JSON.stringify(known);
	await expect(changeKey(known, true, async () => await Promise.reject(failure('no')))).rejects.toThrow(
		'It did not work',
	);
	expect(JSON.stringify(known)).toBe(before);
});

test('once the outcome is certain, the former key is accepted for an hour and no longer', async () => {
	const known: Partial<Registered> = {};
	await changeKey(known, false, async () => undefined);
	const first = known.secret;
	const { until } = await changeKey(known, false, async () => undefined);
	expect(until - Date.now()).toBe(HOUR);
	const accepted = () => acceptedKeys(known, Date.now()).map(({ secret }) => secret);
	jest.advanceTimersByTime(HOUR - 1);
	expect(accepted()).toEqual([known.secret, first]);
	jest.advanceTimersByTime(1);
	expect(accepted()).toEqual([known.secret]);
});

test('where nobody knows which key the service has, both are accepted for as long as it takes', async () => {
	const known: Partial<Registered> = {};
	await changeKey(known, false, async () => undefined);
	const first = known.secret;
	await changeKey(known, false, async () => await Promise.reject(failure('unknown'))).catch(() => undefined);
	jest.advanceTimersByTime(30 * 24 * HOUR);
	expect(acceptedKeys(known, Date.now()).map(({ secret }) => secret)).toEqual([known.secret, first]);
	// The next try sends the same key: there is no third one that the service might have.
	const sent: string[] = [];
	await changeKey(known, false, async ({ secret }) => void sent.push(secret));
	expect(sent).toEqual([known.secret]);
	expect(known.unsettled).toBeUndefined();
});

test('what is not registered any more leaves its key for an hour', async () => {
	const known: Partial<Registered> = { instanceId: 'this' };
	await changeKey(known, true, async () => undefined);
	const { secret, headerValue } = known;
	Object.assign(known, { source: 'agent', ownerId: 'a', webhookId: 'w', digest: 'd' });
	forget(known);
	expect(known).toEqual({ instanceId: 'this', former: [{ secret, headerValue, until: Date.now() + HOUR }] });
	jest.advanceTimersByTime(HOUR);
	expect(acceptedKeys(known, Date.now())).toEqual([]);
	await changeKey(known, false, async () => undefined);
	expect(known.former).toBeUndefined();
});

test('secret and header value are random, and the header value cannot be taken for a signature', async () => {
	const known: Partial<Registered> = {};
	const values = new Set<string>();
	for (let time = 0; time < 20; time += 1) {
		await changeKey(known, true, async () => undefined);
		expect(known.secret).toMatch(/^[0-9a-f]{64}$/);
		expect(known.headerValue).toMatch(/^[\w-]{43}$/);
		values.add(String(known.secret)).add(String(known.headerValue));
	}
	expect(values.size).toBe(40);
});

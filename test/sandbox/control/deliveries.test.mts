import { verifySignature } from '../../../nodes/shared/events/signature.ts';
import { asList, asText, type Json } from '../client.mts';
import { skipRealTime } from '../realTime.mts';
import { type Step, useStories, webhook } from '../story.mts';

const SECRET = 'a-secret-of-some-length';
const hook = webhook('hook', 'campaigns/{campaign}', { webhook_secret: SECRET });
const deliver = (more: object = {}, status = 200, expected?: object | string): Step => [
	`POST /_sandbox/deliver ${status}`,
	{ webhookId: '{hook}', event: 'campaign_call.completed', ...more },
	expected,
];
const resend = (more: object, status = 200): Step => [`POST /_sandbox/deliveries/{attempt}/resend ${status}`, more];
const latest: Step = ['GET /_sandbox/deliveries?limit=1 200 > attempt=items.0.id'];

describe.each(['hex', 'sha256=hex', 'base64', 't,v1'] as const)('with signatures as %s', (signatureFormat) => {
	const { service, play } = useStories({ signatureFormat, signatureHeader: 'X-Mine' });
	const REASONS: Record<string, string> = { signature: 'wrong signature', timestamp: 'outside the time window' };

	/** Returns the result of the trigger's own check of a delivery, after the given milliseconds. */
	const triggerSays = ({ headers, body }: Record<string, Json>, laterMs: number): string => {
		const named = Object.fromEntries(
			Object.entries(headers!).map(([name, value]) => [name.toLowerCase(), asText(value)]),
		);
		const given = { rawBody: Buffer.from(asText(body)), headers: named, now: Date.now() + laterMs };
		const check = verifySignature(given, [{ secret: SECRET }]);
		return check.authentic ? 'authentic' : check.reason;
	};

	it.each([
		['genuine', {}, 0],
		['tampered', { tamper: 'body' }, 0],
		['tampered', { tamper: 'signature' }, 0],
		['tampered', { tamper: 'secret' }, 0],
		['old', {}, 290_000],
		['too old', {}, 300_400],
		['tampered and too old', { tamper: 'body' }, 400_000],
		['from the future', {}, -290_000],
		['from a far future', {}, -310_000],
	])('the sandbox judges a delivery as the trigger does: %s %j after %i ms', async (_what, more, laterMs) => {
		const { attempt } = await play([hook, deliver(more), latest]);
		const path = `deliveries/${String(attempt)}`;
		const { request } = await service.control(path);
		skipRealTime(laterMs);
		const expected = triggerSays(request!, laterMs);
		const { accepted, failed, steps } = await service.control(`${path}/verify`);
		expect(accepted).toBe(expected === 'authentic');
		const passed = asList(steps).filter(({ ok }) => ok);
		if (expected === 'authentic') {
			const names = passed.map(({ step }) => asText(step)).join(' ');
			expect([names, failed]).toEqual(['sent body secret header format signature timestamp duplicate', null]);
			expect(passed[3]!.detail).toBe(`X-Mine: ${asText(request!.headers!['X-Mine'])}`);
		} else if (!('tamper' in more && laterMs > 300_000)) {
			// For a delivery that is falsified and too old, the trigger checks the time first.
			expect(REASONS[asText(failed)]).toBe(expected);
		}
	});
});

describe('deliveries', () => {
	const { service, receiver, play, stories } = useStories({ signatureFormat: 't,v1' });
	const raws = () => new Set(receiver.received.map(({ raw }) => raw));

	it('are no duplicates when they are retries of what failed, which are signed again', async () => {
		await play([hook, ['receiver 500'], deliver({ retries: true }), ['wait 0'], latest]);
		skipRealTime(1000);
		await play([['receiver 200'], ['wait 10']]);
		expect(new Set(receiver.received.map(({ headers }) => headers['x-webhook-signature'])).size).toBe(2);
		const attempts = asList((await service.control('deliveries?limit=9')).items).map(({ id }) => asText(id));
		await service.control(`deliveries/${attempts[1]}/resend`, {});
		const all = asList((await service.control('deliveries?limit=9')).items).map(({ id }) => asText(id));
		const failed = await Promise.all(all.map(async (id) => (await service.control(`deliveries/${id}/verify`)).failed));
		expect(failed).toEqual(['duplicate', null, null]);
	});

	stories({
		'are shown byte for byte, with what came back': [
			hook,
			['receiver 418'],
			deliver({ tamper: 'body' }),
			latest,
			['GET /_sandbox/deliveries?limit=1 200', { items: [{ status: 'failed', http_status: 418, tampered: true }] }],
			[
				'GET /_sandbox/deliveries/{attempt} 200',
				{
					request: { method: 'POST', url: '{receiver}', body: expect.stringContaining('"altered":true') },
					response: { status: 418, body: 'ok' },
				},
			],
		],
		'cannot be tampered with in other ways, and not with retries': [
			hook,
			deliver({ retries: true, tamper: 'body' }, 422, 'retries'),
			deliver({ tamper: 'luck' }, 422, 'tamper'),
		],
	});

	it('come later and with retries on demand, each copy until it is accepted', async () => {
		await play([hook, ['receiver 503'], deliver({ times: 3, retries: true, delaySeconds: 60 }, 200, { attempts: [] })]);
		await service.advance(59);
		expect(receiver.received).toHaveLength(0);
		await service.advance(1);
		receiver.respond(200);
		await service.advance(100_000);
		expect(receiver.received.map(({ headers }) => headers['x-webhook-attempt']).join()).toBe('1,1,1,2,2,2');
		expect(raws().size).toBe(1);
	});

	it('are sent again as they were, several times or tampered with, unless their webhook is gone', async () => {
		const steps: Step[] = [hook, deliver(), latest, resend({ times: 3 })];
		await play(steps);
		expect([receiver.received.length, raws().size]).toEqual([4, 1]);
		receiver.received.length = 0;
		await play([
			...steps,
			resend({ tamper: 'body' }),
			resend({ delaySeconds: 5 }),
			['wait 5'],
			resend({ times: 0 }, 422),
		]);
		expect([receiver.received.length, raws().size]).toEqual([6, 2]);
		await play([
			...steps,
			['DELETE /campaigns/{campaign}/webhooks/{hook} 200'],
			resend({}, 409),
			['POST /_sandbox/deliveries/none/resend 404', {}],
		]);
	});
});

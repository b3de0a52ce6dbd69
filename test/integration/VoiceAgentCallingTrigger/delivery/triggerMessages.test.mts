import { messageKey, sendMessageTo } from '../../../message.mts';
import { harness } from '../../harness.mts';
import { type Service, startService } from '../../service.mts';
import { hmac, onAgent, type Published, publishTrigger, send } from '../../triggers.mts';

let service: Service;
let trigger: Published;
let key: Buffer;
beforeAll(async () => {
	service = await startService();
	key = await messageKey(service.token);
});
beforeEach(async () => {
	await service.reset();
	trigger = await publishTrigger(service);
});

const message = async (
	content: object | string,
	{ to = trigger.url, ...how }: { to?: string; signedWith?: Buffer; signature?: string } = {},
) => await sendMessageTo(to, key, content, how);

describe('the message check', () => {
	const check = { command: 'check' };

	test('is answered with the registration, and with a proof', async () => {
		const before = (await service.requests()).length;
		const body = {
			url: trigger.deployment.webhookUrl(),
			source: 'campaign',
			registered: [trigger.webhookId],
			chosen: [{ source: 'campaign', ownerId: service.seed.campaigns.active }],
			events: ['campaign_call.completed'],
			includeCallEvents: false,
		};
		expect(await message(check)).toMatchObject({ status: 200, proven: true, body });
		expect([trigger.instance.executions, (await service.requests()).length]).toEqual([[], before]);
		const extraHeaders = { values: [{ name: 'X-Secret', value: 'hidden' }] };
		await trigger.deployment.edit('Trigger', {
			parameters: { options: { includeCallEvents: true, additionalEvents: 'event_recording', extraHeaders } },
		});
		const edited = await message(check);
		const events = ['campaign_call.completed', 'event_recording'];
		expect(edited.body).toMatchObject({ events, includeCallEvents: true, settings: expect.any(String) });
		expect(edited.text).not.toContain('hidden');
		trigger = await publishTrigger(service, onAgent(service));
		expect((await message(check)).body).toMatchObject({
			source: 'agent',
			chosen: [{ source: 'agent', ownerId: service.seed.agents.published }],
			events: ['event_phone_call_ended'],
		});
	});

	test('is accepted by the trigger that it was sent to, and by no other one with the same credential', async () => {
		const other = await publishTrigger(service);
		const { pathname } = new URL(other.url);
		const toOther = await message({ ...check, to: pathname.slice(pathname.indexOf('/', 1)) });
		expect(toOther).toMatchObject({ status: 401, proven: false });
		expect(await message(check, { to: other.url })).toMatchObject({ status: 200, proven: true });
	});

	test('from a sender without the credential gets the response to an unsigned delivery', async () => {
		const stranger = await messageKey('another token');
		const log = harness.logLines.length;
		const replies = await Promise.all([
			// The last two are signed with the secret of deliveries.
			...[stranger, Buffer.from(trigger.secret), Buffer.from(trigger.secret, 'hex')].map((signedWith) =>
				message(check, { signedWith }),
			),
			...['f'.repeat(64), 'short'].map((signature) => message(check, { signature })),
			...[Date.now() - 301_000, Date.now() + 301_000, 'now', null].map((at) => message({ ...check, at })),
			...['"check"', '[]'].map((text) => message(text)),
		]);
		expect(replies.map(({ status, text, proven }) => [status, text, proven])).toEqual(
			replies.map(() => [401, 'Unauthorized', false]),
		);
		expect(trigger.instance.executions).toEqual([]);
		const warnings = harness.logLines.slice(log).filter(({ level }) => level === 'warn');
		expect(warnings).toHaveLength(replies.length);
	});

	test('is not an event, and an event is not a message', async () => {
		const body = JSON.stringify({ command: 'check', at: Date.now() });
		expect((await send(trigger.url, body, { 'x-signature': hmac(trigger.secret, body) })).status).toBe(200);
		expect(trigger.instance.executions).toMatchObject([{ items: [{ command: 'check' }] }]);
		expect(await service.requests('PUT', '/webhooks/')).toEqual([]);
		expect(await message({ event: 'campaign.paused' })).toMatchObject({ status: 400, proven: true });
		expect(trigger.instance.executions).toHaveLength(1);
	});
});

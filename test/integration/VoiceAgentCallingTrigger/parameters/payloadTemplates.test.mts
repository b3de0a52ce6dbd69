import { TEMPLATE } from '../../../docs/events.mts';
import { type Service, startService } from '../../service.mts';
import { hmac, type Published, publishTrigger, send } from '../../triggers.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());
afterEach(() => {
	service.n8nUrl = undefined;
});

const body = TEMPLATE['campaign_call.completed'];

/** Publishes a trigger with a template, of which some fields are left out. */
async function publish(...without: Array<keyof typeof body>): Promise<Published> {
	const template = Object.fromEntries(Object.entries(body).filter(([key]) => !without.includes(key as never)));
	return await publishTrigger(service, {
		options: { payloadTemplates: JSON.stringify({ 'campaign_call.completed': template }) },
	});
}

/** Makes a call of the campaign, whose end is delivered. @returns the bytes of the delivery */
async function call({ instance }: Published): Promise<string> {
	const { active } = service.seed.campaigns;
	await service.api('POST', `campaigns/${active}/call`, { to: '+12025550001', context: { contact: 7 } });
	await service.advance(600);
	await instance.settled();
	return (await service.deliveries()).at(-1)?.body ?? '';
}

test('the template of the documentation has the fields of the event, and the owner', async () => {
	const published = await publish();
	await call(published);
	expect(published.instance.executions.map(({ items }) => items)).toEqual([
		[
			{
				event: 'campaign_call.completed',
				id: expect.any(String),
				timestamp: expect.stringMatching(/^\d{4}-/),
				call_id: expect.any(String),
				context: { contact: 7 },
				outcome: 'completed',
				webhookOwner: { source: 'campaign', id: service.seed.campaigns.active },
			},
		],
	]);
});

test.each<[string, Array<keyof typeof body>, number]>([
	['all fields', [], 1],
	['no id', ['id'], 1],
	['no call_id', ['call_id'], 1],
	['no context', ['context'], 1],
	['no event', ['event'], 1],
	['no timestamp', ['timestamp'], 3],
	['neither id nor call_id', ['id', 'call_id'], 3],
])(
	'an event that comes three times, with %s in its template, starts %j %i executions',
	async (_what, without, count) => {
		const published = await publish(...without);
		const bytes = await call(published);
		for (let time = 0; time < 2; time++) {
			const { status } = await send(published.url, bytes, { 'x-signature': hmac(published.secret, bytes) });
			expect(status).toBe(200);
		}
		await published.instance.settled();
		expect(published.instance.executions).toHaveLength(count);
	},
);

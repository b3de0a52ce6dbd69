import { startReceiver } from '../../receiver.mts';
import { byId, goesOn, until, useService } from '../../service.mts';
import { onAgent, type Published, publishTrigger } from '../../triggers.mts';
import { type Kind, kinds, NOWHERE, Webhooks } from './webhookKinds.mts';

const service = useService();
let receiver: string;
beforeAll(async () => void (receiver = await startReceiver()));

interface Finding {
	webhookId: string;
	webhookUrl: string;
	availableEvents: string[];
	problems: Array<{ code: string; whatToDo: string }>;
}
const codes = (finding?: Finding) => finding?.problems.map(({ code }) => code);

const of = (kind: Kind) => {
	const { owner, ownerOf, events } = kind;
	const hooks = () => new Webhooks(service, kind);
	const checking = (id: string, options: object = {}) => ({
		resource: 'webhook',
		source: owner,
		operation: 'checkRegistration',
		[owner]: byId(id),
		options: options as never,
	});
	const check = async (options = {}, id = ownerOf(service), at = service) => {
		const { outputs, run } = await at.run(checking(id, options));
		expect(run.error).toBeUndefined();
		return (outputs[0] ?? []).map(({ json }) => json as unknown as Finding);
	};
	/** Publishes a trigger on the n8n in which the operation runs. */
	const trigger = async (): Promise<Published> => {
		const published = await publishTrigger(service, owner === 'agent' ? onAgent(service, events) : { events });
		service.n8nUrl = published.instance.url;
		return published;
	};
	const other = () => (owner === 'agent' ? service.seed.agents.draft : service.seed.campaigns.paused);
	return { hooks, checking, check, trigger, other };
};

describe.each(kinds)('Check Registration: $owner', (kind) => {
	const { ownerOf, events, owner } = kind;
	const { hooks, checking, check, trigger, other } = of(kind);

	test('reports for each item whether its events are delivered to this n8n', async () => {
		const { webhookId, url, instance } = await trigger();
		await service.deliver({ webhookId, event: events[0] });
		const items = [ownerOf(service), NOWHERE, other(), ''].map((id) => ({ owner: id }));
		const before = (await service.requests()).length;
		const { outputs } = await service.run(checking('={{ $json.owner }}'), items, { node: goesOn });
		const lastDeliveries = { attempts: 1, success: 1, failed: 0, lastFailureAt: null, lastFailure: null };
		const good = {
			ok: true,
			exists: true,
			enabled: true,
			webhookId,
			webhookUrl: url,
			rightUrl: true,
			missingEvents: [],
			events: expect.arrayContaining(events),
			lastDeliveries,
			answers: true,
			problems: [],
		};
		expect(outputs[0]).toMatchObject([
			{ json: good, pairedItem: { item: 0 } },
			{ json: { result: 'failed', code: `${owner.toUpperCase()}_NOT_FOUND` }, pairedItem: { item: 1 } },
			{ json: { ok: false, exists: false, problems: [{ code: 'NOT_REGISTERED' }] }, pairedItem: { item: 2 } },
			{ json: { result: 'failed', code: 'INVALID_INPUT' }, pairedItem: { item: 3 } },
		]);
		// Two lists, the log of the webhook, one unknown owner; for campaigns, the status of those that exist.
		const sent = (await service.requests()).slice(before).map(({ method }) => method);
		expect(sent).toEqual(Array(owner === 'campaign' ? 6 : 4).fill('GET'));
		expect(instance.executions).toHaveLength(1);
	});

	test.each([
		['secret', { webhook_secret: 'by hand' }, /another secret.*'Rotate Secret'.*'Catch Up'/],
		['method', { http_method: 'PATCH' }, /method.*'Update'.*'Catch Up'/],
	])(
		'says what to do when the %s was changed in the service, and that brings what was refused',
		async (what, set, advice) => {
			const { webhookId, instance } = await trigger();
			await hooks().update(webhookId, { ...set, max_retries: 0 });
			await service.deliver({ webhookId, event: events[0] });
			const problems = [{ code: 'LAST_DELIVERY_FAILED', whatToDo: expect.stringMatching(advice) }];
			expect(await check()).toMatchObject([{ problems }]);
			const [operation, more] =
				what === 'secret' ? ['rotateSecret', {}] : ['update', { updateFields: { deliveryMethod: 'POST' } }];
			for (const parameters of [hooks().parameters(operation, more), hooks().parameters('catchUp')]) {
				await service.run(parameters, [{ id: webhookId }]);
			}
			await until(async () => instance.executions.length === 1);
			expect(await check()).toMatchObject([{ ok: true, problems: [] }]);
		},
	);
});

describe('Check Registration', () => {
	const kind = kinds[0];
	const { events } = kind;
	const { hooks, checking, check, trigger } = of(kind);

	test('leaves out the webhook of an execution that waits for the campaign, whose address has a token', async () => {
		const { instance, webhookId } = await trigger();
		await hooks().make(`${instance.url}/webhook-waiting/77/node?signature=s3cr3t&campaign=c-1`);
		const found = await check();
		expect(found).toMatchObject([{ webhookId, ok: true }]);
		expect(JSON.stringify(found)).not.toContain('s3cr3t');
	});

	test('finds that a webhook is disabled or lacks events, also those in Expected Events', async () => {
		const { webhookId } = await trigger();
		const additional = { events: [events[0]], additionalEvents: 'event_of_tomorrow' };
		const [found] = await check(additional);
		expect(found).toMatchObject({ ok: false, missingEvents: ['event_of_tomorrow'] });
		expect(codes(found)).toEqual(['EVENTS_MISSING', 'EVENTS_NOT_OFFERED']);
		expect(found?.availableEvents).toEqual(expect.arrayContaining(events));
		await hooks().update(webhookId, { enabled: false, events: [events[0]] });
		const [disabled] = await check();
		expect(disabled).toMatchObject({ ok: false, enabled: false, missingEvents: [events[1]], answers: true });
		expect(codes(disabled)).toEqual(['DISABLED', 'EVENTS_MISSING']);
	});

	test('finds that the webhook does not deliver the events inside calls, which the trigger wants', async () => {
		const { deployment } = await trigger();
		await deployment.edit('Trigger', { parameters: { options: { includeCallEvents: true } } });
		const [before] = await check();
		expect(before).toMatchObject({ ok: true });
		await hooks().update(String(before?.webhookId), { include_call_events: false });
		expect((await check()).map(codes)).toEqual([['EVENTS_MISSING']]);
		expect(await check({ events: [events[0]] })).toMatchObject([{ ok: true }]);
	});

	test('fails if something else comes in place of the campaign, which may be finished', async () => {
		const { active } = service.seed.campaigns;
		await trigger();
		for (const answer of [{}, { data: [] }, { data: {} }]) {
			await service.answer(`GET campaigns/${active}`, 200, { success: true, ...answer });
			expect((await service.run(checking(active))).run.error?.message).toContain('without the campaign');
		}
	});

	test('finds that the campaign is finished, with a webhook and without', async () => {
		const { completed, active } = service.seed.campaigns;
		expect((await check({}, completed)).map(codes)).toEqual([['NOT_REGISTERED', 'CAMPAIGN_FINISHED']]);
		await trigger();
		expect(await check()).toMatchObject([{ ok: true, problems: [] }]);
		await service.api('PATCH', `campaigns/${active}/status`, { status: 'cancelled' });
		const finished = { ok: false, exists: true, answers: true, problems: [{ code: 'CAMPAIGN_FINISHED' }] };
		expect(await check()).toMatchObject([finished]);
	});

	test('says how to have one of two webhooks with the same address', async () => {
		const { url, webhookId, instance } = await trigger();
		const twin = await hooks().make(url.replace(/g=\d+/, `g=${Date.now()}`));
		const problems = [{ code: 'DOUBLE', whatToDo: expect.stringMatching(/'Rotate Secret'.*delete/) }];
		expect((await check())[0]).toMatchObject({ problems });
		await service.run(hooks().parameters('rotateSecret'), [{ id: twin }]);
		await service.run(hooks().parameters('delete'), [{ id: webhookId }]);
		expect(await check()).toMatchObject([{ ok: true, webhookId: twin }]);
		expect((await service.deliver({ webhookId: twin, event: events[0] })).attempts).toMatchObject([{ status: 200 }]);
		expect(instance.executions).toHaveLength(1);
	});

	test('finds test URLs and the old URL of an n8n that has moved, and sends nothing to what is no trigger of this n8n', async () => {
		const { url, instance } = await trigger();
		const test = await hooks().make(url.replace('/webhook/', '/webhook-test/'));
		const elsewhere = await hooks().make(`${receiver}/200`);
		const noTrigger = await hooks().make(`${new URL(url).origin}/webhook/orders`);
		const found = await check();
		const byItsId = (id: string) => found.find(({ webhookId }) => webhookId === id);
		expect(byItsId(test)).toMatchObject({
			ok: false,
			rightUrl: false,
			answers: null,
			problems: [{ code: 'TEST_URL' }],
		});
		expect(byItsId(noTrigger)).toMatchObject({ ok: true, answers: null, problems: [] });
		expect(byItsId(elsewhere)).toBeUndefined();
		const there = { ok: true, answers: null, webhookId: elsewhere };
		expect(await check({ webhookUrl: `${receiver}/200` })).toMatchObject([there]);
		const moved = await check({ webhookUrl: url.replace('127.0.0.1', 'n8n.example.com') });
		expect(moved[0]).toMatchObject({ rightUrl: false, webhookUrl: url });
		expect(codes(moved[0])).toContain('WRONG_URL');
		expect(instance.executions).toEqual([]);
	});

	test('summarizes the last 100 deliveries, for a log in any order', async () => {
		const id = await hooks().make(`${receiver}/200`);
		for (let n = 0; n < 105; n++) {
			await service.deliver({ webhookId: id, event: events[0] });
		}
		await hooks().update(id, { webhook_url: `${receiver}/503` });
		await service.advance(60);
		await service.deliver({ webhookId: id, event: events[1] });
		const lastFailure = { event: events[1], httpStatus: 503, reason: 'HTTP status 503' };
		const lastDeliveries = { attempts: 100, success: 99, failed: 1, lastFailure };
		const failing = { ok: false, lastDeliveries, problems: [{ code: 'LAST_DELIVERY_FAILED' }] };
		expect(await check({ webhookUrl: `${receiver}/503` })).toMatchObject([failing]);
	});
});

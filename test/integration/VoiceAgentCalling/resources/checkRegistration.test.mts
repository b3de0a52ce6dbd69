import { startReceiver } from '../../receiver.mts';
import { byId, type Service, startService, until } from '../../service.mts';
import { onAgent, type Published, publishTrigger, registered } from '../../triggers.mts';
import { kinds, NOWHERE, Webhooks } from './webhookKinds.mts';

let service: Service;
let receiver: string;
beforeAll(async () => {
	service = await startService();
	receiver = await startReceiver();
});
beforeEach(async () => {
	await service.reset();
	service.n8nUrl = undefined;
});

interface Finding {
	ok: boolean;
	exists: boolean;
	problems: Array<{ code: string; message: string; whatToDo: string }>;
	[key: string]: unknown;
}

describe.each(kinds)('Check Registration: $owner', (kind) => {
	const { owner, ownerOf, noOwner, events } = kind;
	const hooks = () => new Webhooks(service, kind);
	const check = async (options = {}) => {
		const parameters = {
			resource: 'webhook',
			source: owner,
			operation: 'checkRegistration',
			[owner]: byId(ownerOf(service)),
			options,
		};
		const { outputs, run } = await service.run(parameters);
		expect(run.error).toBeUndefined();
		return (outputs[0] ?? []).map(({ json }) => json as unknown as Finding);
	};
	const codes = ({ problems }: Finding) => problems.map(({ code }) => code);
	/** Publishes a trigger on the n8n in which the operation runs. */
	const trigger = async (): Promise<Published> => {
		const published = await publishTrigger(service, owner === 'agent' ? onAgent(service, events) : { events });
		service.n8nUrl = published.instance.url;
		return published;
	};

	test('reports for each item whether its events are delivered to this n8n', async () => {
		const { webhookId, url } = await trigger();
		await service.deliver({ webhookId, event: events[0] });
		const parameters = {
			resource: 'webhook',
			operation: 'checkRegistration',
			source: owner,
			[owner]: byId('={{ $json.owner }}'),
		};
		const other = owner === 'agent' ? service.seed.agents.draft : service.seed.campaigns.paused;
		const items = [ownerOf(service), NOWHERE, other, ''].map((id) => ({ owner: id }));
		const before = (await service.requests()).length;
		const { outputs } = await service.run(parameters, items, { node: { onError: 'continueRegularOutput' } });
		expect(outputs[0]).toMatchObject([
			{
				json: {
					ok: true,
					exists: true,
					enabled: true,
					webhookId,
					webhookUrl: url,
					rightUrl: true,
					events: expect.arrayContaining(events),
					missingEvents: [],
					lastDeliveries: {
						attempts: 1,
						success: 1,
						failed: 0,
						lastSuccessAt: expect.any(String),
						lastFailureAt: null,
						lastFailure: null,
					},
					answers: true,
					problems: [],
				},
				pairedItem: { item: 0 },
			},
			{ json: { result: 'failed', code: noOwner }, pairedItem: { item: 1 } },
			{
				json: {
					ok: false,
					exists: false,
					problems: [{ code: 'NOT_REGISTERED', message: expect.stringContaining('0 webhooks') }],
				},
				pairedItem: { item: 2 },
			},
			{ json: { result: 'failed', code: 'INVALID_INPUT' }, pairedItem: { item: 3 } },
		]);
		// Two lists, the log of the webhook, one unknown owner; for campaigns, the status of those that exist.
		const sent = (await service.requests()).slice(before).map(({ method }) => method);
		expect(sent).toEqual(Array(owner === 'campaign' ? 6 : 4).fill('GET'));
	});

	test('leaves out the webhook of an execution that waits for the campaign, whose address has a token', async () => {
		const { instance, webhookId } = await trigger();
		await hooks().make(`${instance.url}/webhook-waiting/77/node?signature=s3cr3t&campaign=c-1`);
		const found = await check();
		expect(found).toMatchObject([{ webhookId, ok: true }]);
		expect(JSON.stringify(found)).not.toContain('s3cr3t');
	});

	test('starts no workflow', async () => {
		const { instance } = await trigger();
		await check();
		await check();
		expect(instance.executions).toEqual([]);
	});

	test('finds problems of the webhook of a trigger, and gives advice', async () => {
		const { webhookId } = await trigger();
		await hooks().update(webhookId, { enabled: false, events: [events[0]] });
		const [found] = await check();
		expect(found).toMatchObject({ ok: false, enabled: false, missingEvents: [events[1]], answers: true });
		expect(codes(found as Finding)).toEqual(['DISABLED', 'EVENTS_MISSING']);
		for (const { whatToDo } of found?.problems ?? []) {
			expect(whatToDo).toMatch(/\w+ .{10,}/);
		}
	});

	test('checks the events in Expected Events', async () => {
		await trigger();
		const expected = { events: [events[0]], additionalEvents: 'event_of_tomorrow' };
		expect(await check(expected)).toMatchObject([
			{
				ok: false,
				missingEvents: ['event_of_tomorrow'],
				problems: [{ code: 'EVENTS_MISSING' }, { code: 'EVENTS_NOT_OFFERED' }],
			},
		]);
		const [{ availableEvents } = { availableEvents: [] }] = await check({ events: [events[0]] });
		expect(availableEvents).toEqual(expect.arrayContaining(events));
		expect(await check({ events: [events[0]] })).toMatchObject([{ ok: true, missingEvents: [] }]);
	});

	test('finds that no trigger is published any more', async () => {
		const { webhookId, url, deployment } = await trigger();
		await deployment.unpublish();
		expect(await check()).toMatchObject([{ exists: false, problems: [{ code: 'NOT_REGISTERED' }] }]);
		// The webhook remains if the service was unreachable when the workflow was unpublished.
		await hooks().make(url);
		expect(await check()).toMatchObject([
			{ ok: false, exists: true, answers: false, problems: [{ code: 'NOT_PUBLISHED' }] },
		]);
		expect(webhookId).not.toBe('');
	});

	test('finds that the trigger uses a different credential', async () => {
		await trigger();
		const other = await startService({ token: 'another-token' });
		const { body } = await service.api('GET', hooks().path());
		const [{ webhook_url: url }] = (body.data as { webhooks: [{ webhook_url: string }] }).webhooks;
		const id = kind.ownerOf(other);
		await other.api('POST', `${owner}s/${id}/webhooks`, { name: 'Hook', webhook_url: url, events });
		other.n8nUrl = service.n8nUrl;
		const parameters = { resource: 'webhook', operation: 'checkRegistration', source: owner, [owner]: byId(id) };
		const { outputs } = await other.run(parameters, [{}]);
		expect(outputs[0]).toMatchObject([{ json: { answers: false, problems: [{ code: 'TRIGGER_NOT_PROVEN' }] } }]);
	});

	test('finds a webhook that leads to the trigger of another one, whose deliveries are refused', async () => {
		const { url, webhookId } = await trigger();
		const other = owner === 'agent' ? service.seed.agents.draft : service.seed.campaigns.paused;
		const path = `${owner}s/${other}/webhooks`;
		const settings = { name: 'By hand', webhook_url: url, events, max_retries: 0 };
		const { body } = await service.api('POST', path, { ...settings, webhook_secret: 'x' });
		const { id } = body.data as { id: string };
		expect((await service.deliver({ webhookId: id, event: events[0] })).attempts).toMatchObject([{ status: 401 }]);
		const parameters = { resource: 'webhook', operation: 'checkRegistration', source: owner, [owner]: byId(other) };
		const { outputs } = await service.run(parameters);
		const [of] = (outputs[0] ?? []).map(({ json }) => json as unknown as Finding);
		expect(of).toMatchObject({ ok: false, webhookId: id, answers: false, rightUrl: false, missingEvents: [] });
		expect(of?.problems[0]).toMatchObject({
			code: 'TRIGGER_OF_ANOTHER',
			whatToDo: expect.stringMatching(/Delete this webhook.*'Connect to Trigger'/),
		});

		// One of the right campaign or agent, but without a secret of the trigger.
		const byHand = await hooks().make(url.replace(/&g=.*/, ''));
		const found = await check();
		expect(found.find((one) => one.webhookId === webhookId)).toMatchObject({ answers: true, rightUrl: true });
		expect(found.find((one) => one.webhookId === byHand)).toMatchObject({ answers: false });
		expect(codes(found.find((one) => one.webhookId === byHand) as Finding)).toContain('NOT_REGISTERED_BY_TRIGGER');
	});

	test('says what to do when the secret was changed in the service, and that brings what was refused', async () => {
		const { webhookId, instance } = await trigger();
		await hooks().update(webhookId, { webhook_secret: 'by hand', max_retries: 0 });
		await service.deliver({ webhookId, event: events[0] });
		const [{ problems } = { problems: [] }] = await check();
		expect(problems).toMatchObject([
			{ code: 'LAST_DELIVERY_FAILED', whatToDo: expect.stringMatching(/another secret.*'Rotate Secret'.*'Catch Up'/) },
		]);
		expect(problems[0]?.whatToDo).toMatch(/do not unpublish/i);
		for (const operation of ['rotateSecret', 'catchUp']) {
			await service.run(hooks().parameters(operation), [{ id: webhookId }]);
		}
		await until(async () => instance.executions.length === 1);
		expect(await check()).toMatchObject([{ ok: true, problems: [] }]);
	});

	test("has nothing to say after n8n's database was restored from before the last publications", async () => {
		const { deployment } = await trigger();
		const older = deployment.storedStaticData();
		for (let publications = 0; publications < 4; publications++) {
			await deployment.unpublish();
			await deployment.publish();
		}
		const [{ id: webhookId }] = await registered(service, deployment);
		deployment.restoreStaticData(older);
		expect((await service.deliver({ webhookId, event: events[0] })).attempts).toMatchObject([{ status: 200 }]);
		expect(await check()).toMatchObject([{ ok: true, webhookId, problems: [] }]);
	});

	test('says what to do when the method was changed in the service, and that brings what was refused', async () => {
		const { webhookId, instance } = await trigger();
		await hooks().update(webhookId, { http_method: 'PATCH', max_retries: 0 });
		await service.deliver({ webhookId, event: events[0] });
		expect(await check()).toMatchObject([
			{ problems: [{ code: 'LAST_DELIVERY_FAILED', whatToDo: expect.stringMatching(/method.*'Update'.*'Catch Up'/) }] },
		]);
		const updateFields = { deliveryMethod: 'POST' };
		await service.run(hooks().parameters('update', { updateFields }), [{ id: webhookId }]);
		await service.run(hooks().parameters('catchUp'), [{ id: webhookId }]);
		await until(async () => instance.executions.length === 1);
	});

	if (owner === 'campaign') {
		test('finds that the webhook does not deliver the events inside calls, which the trigger wants', async () => {
			const { deployment } = await trigger();
			await deployment.edit('Trigger', { parameters: { options: { includeCallEvents: true } } });
			const [before] = await check();
			expect(before).toMatchObject({ ok: true });
			await hooks().update(String(before?.webhookId), { include_call_events: false });
			expect(await check()).toMatchObject([
				{
					ok: false,
					problems: [{ code: 'EVENTS_MISSING', whatToDo: expect.stringContaining("'Include Call Events'") }],
				},
			]);
			expect(await check({ events: [events[0]] })).toMatchObject([{ ok: true }]);
		});
	}

	if (owner === 'campaign') {
		test.each([{}, { data: null }, { data: [] }, { data: {} }, { data: 'ok' }])(
			'fails if %j comes in place of the campaign, which may be finished',
			async (answer) => {
				const { active } = service.seed.campaigns;
				await trigger();
				const match = { method: 'GET', path: `/api/v1/campaigns/${active}` };
				const body = { success: true, ...answer };
				await service.fault({ match, kind: 'status', status: 200, body });
				const parameters = { resource: 'webhook', operation: 'checkRegistration', campaign: byId(active) };
				expect((await service.run(parameters)).run.error?.message).toContain('without the campaign');
			},
		);

		test('finds that the campaign is finished, with a webhook and without', async () => {
			const finished = {
				code: 'CAMPAIGN_FINISHED',
				message: expect.stringMatching(/^Campaign ".+" is (completed|cancelled)$/),
				whatToDo: expect.stringMatching(/^It starts no more calls; .* choose another one in 'Campaign'\.$/),
			};
			const { completed, active } = service.seed.campaigns;
			const parameters = { resource: 'webhook', operation: 'checkRegistration', campaign: byId(completed) };
			const without = await service.run(parameters);
			expect(without.outputs[0]).toMatchObject([
				{ json: { ok: false, exists: false, problems: [{ code: 'NOT_REGISTERED' }, finished] } },
			]);
			await trigger();
			expect(await check()).toMatchObject([{ ok: true, problems: [] }]);
			await service.api('PATCH', `campaigns/${active}/status`, { status: 'cancelled' });
			expect(await check()).toMatchObject([{ ok: false, exists: true, answers: true, problems: [finished] }]);
		});
	}

	test('finds a failed delivery without a time, and not only an earlier success', async () => {
		const { webhookId } = await trigger();
		await service.deliver({ webhookId, event: events[0] });
		const failure = { id: '1', event: events[0], status: 'failed', http_status: 500, created_at: 'soon' };
		const success = { id: '2', event: events[0], status: 'success', created_at: '2026-01-01T00:00:00Z' };
		const body = { success: true, data: [success, failure] };
		await service.fault({
			match: { method: 'GET', path: `/api/v1/${hooks().path(webhookId, 'logs')}` },
			kind: 'status',
			status: 200,
			body,
		});
		expect(await check()).toMatchObject([
			{ ok: false, problems: [{ code: 'LAST_DELIVERY_FAILED', message: expect.stringContaining('HTTP status 500') }] },
		]);
	});

	test('says how to have one of two webhooks with the same address', async () => {
		const { url, webhookId, instance } = await trigger();
		const twin = await hooks().make(url.replace(/g=\d+/, `g=${Date.now()}`));
		const [kept] = await check();
		expect(kept?.problems).toMatchObject([
			{ code: 'DOUBLE', whatToDo: expect.stringMatching(/'Rotate Secret'.*delete/) },
		]);
		await service.run(hooks().parameters('rotateSecret'), [{ id: twin }]);
		await service.run(hooks().parameters('delete'), [{ id: webhookId }]);
		expect(await check()).toMatchObject([{ ok: true, webhookId: twin }]);
		expect((await service.deliver({ webhookId: twin, event: events[0] })).attempts).toMatchObject([{ status: 200 }]);
		expect(instance.executions).toHaveLength(1);
	});

	test('finds duplicates, test URLs, and the old URL of an n8n that has moved', async () => {
		const { url } = await trigger();
		await hooks().make(url);
		expect((await check()).map(codes)).toEqual([['DOUBLE'], ['DOUBLE']]);
		const test = await hooks().make(url.replace('/webhook/', '/webhook-test/'));
		expect((await check()).find(({ webhookId }) => webhookId === test)).toMatchObject({
			ok: false,
			rightUrl: false,
			answers: null,
			problems: [{ code: 'TEST_URL' }],
		});
		const moved = url.replace('127.0.0.1', 'n8n.example.com');
		const found = await check({ webhookUrl: moved });
		expect(found).toHaveLength(2);
		expect(found[0]).toMatchObject({ rightUrl: false, webhookUrl: url });
		expect(codes(found[0] as Finding)).toContain('WRONG_URL');
	});

	test('sends no message to an address that is no trigger, or not on this n8n', async () => {
		const { url, instance } = await trigger();
		const elsewhere = await hooks().make(`${receiver}/200`);
		const other = await hooks().make(`${new URL(url).origin}/webhook/orders`);
		const found = await check();
		expect(found.find(({ webhookId }) => webhookId === other)).toMatchObject({ ok: true, answers: null, problems: [] });
		expect(found.find(({ webhookId }) => webhookId === elsewhere)).toBeUndefined();
		expect(await check({ webhookUrl: `${receiver}/200` })).toMatchObject([
			{ ok: true, answers: null, webhookId: elsewhere },
		]);
		expect(await check({ webhookUrl: 'https://example.com/none' })).toMatchObject([{ ok: false, exists: false }]);
		expect(instance.executions).toEqual([]);
	});

	test('summarizes the last deliveries, for a log in any order', async () => {
		const id = await hooks().make(`${receiver}/200`);
		const url = `${receiver}/200`;
		for (let n = 0; n < 105; n++) {
			await service.deliver({ webhookId: id, event: events[0] });
		}
		await hooks().update(id, { webhook_url: `${receiver}/503` });
		await service.advance(60);
		await service.deliver({ webhookId: id, event: events[1] });
		const [found] = await check({ webhookUrl: `${receiver}/503` });
		expect(found).toMatchObject({
			ok: false,
			lastDeliveries: {
				attempts: 100,
				success: 99,
				failed: 1,
				lastFailure: { event: events[1], httpStatus: 503, reason: 'HTTP status 503' },
			},
			problems: [
				{
					code: 'LAST_DELIVERY_FAILED',
					message: expect.stringContaining('HTTP status 503'),
					whatToDo: expect.stringContaining('Catch Up'),
				},
			],
		});
		await hooks().update(id, { webhook_url: url });
		await service.advance(60);
		await service.deliver({ webhookId: id, event: events[1] });
		expect(await check({ webhookUrl: url })).toMatchObject([{ ok: true, lastDeliveries: { success: 99, failed: 1 } }]);
	});

	test('counts each delivery once, also if the service returns the first page of the log again', async () => {
		const id = await hooks().make(`${receiver}/200`);
		await service.deliver({ webhookId: id, event: events[0] });
		await hooks().showFirstPageAgain(id);
		expect(await check({ webhookUrl: `${receiver}/200` })).toMatchObject([{ lastDeliveries: { attempts: 1 } }]);
	});

	test('an invalid address fails without a request', async () => {
		const parameters = {
			resource: 'webhook',
			source: owner,
			operation: 'checkRegistration',
			[owner]: byId(ownerOf(service)),
			options: { webhookUrl: 'n8n.example.com' },
		};
		const { run } = await service.run(parameters, [{}, {}, {}]);
		expect(run.error?.message).toContain("'Webhook URL'");
		expect(await service.requests()).toEqual([]);
	});
});

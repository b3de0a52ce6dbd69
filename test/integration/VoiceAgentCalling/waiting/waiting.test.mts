import { setTimeout as sleep } from 'node:timers/promises';

import { harness } from '../../harness.mts';
import { byId, type Service, startService, until } from '../../service.mts';
import { type Published, publishTrigger } from '../../triggers.mts';
import { failed } from '../resources/items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());
afterAll(() => harness.restoreTime());

/** Runs a node while time passes quickly: in each step five seconds for the service, and one second for the node. */
async function fast<Result>(run: Promise<Result>): Promise<Result> {
	let ended = false;
	const end = () => (ended = true);
	run.then(end, end);
	while (!ended) {
		await service.advance(5);
		harness.skipTime(1000);
		await sleep(20);
	}
	return await run;
}

const goOn = { node: { onError: 'continueRegularOutput' as const } };
const ticketKey = 'n8n-nodes-voice-agent-calling';

const call = ({ options: added = {}, ...more }: Record<string, unknown> = {}, options: object = {}) => ({
	resource: 'call',
	operation: 'placeAndWait',
	agent: byId(`={{ $json.agent ?? '${service.seed.agents.published}' }}`),
	phoneNumber: '={{ $json.to }}',
	waitBy: 'polling',
	...more,
	options: { metadataJson: '={{ { contact: $json.to } }}', pollInterval: 1, ...options, ...(added as object) },
});
const queue = (more: object = {}, options: object = {}) => ({
	...call({}, options),
	resource: 'campaign',
	operation: 'queueCallAndWait',
	campaign: byId(`={{ $json.campaign ?? '${service.seed.campaigns.active}' }}`),
	...more,
});

/** Item, number or error code, and outcome of each output item. */
function seen(outputs: Array<Array<{ json: Record<string, unknown>; pairedItem?: unknown }> | null>): unknown[] {
	return (outputs[0] ?? []).map(({ json, pairedItem }) => [
		(pairedItem as { item: number }).item,
		json.code ?? json.to,
		json.outcome,
	]);
}

describe('By polling', () => {
	test('each call has its outcome, payload and context, in the order of the items', async () => {
		const numbers = ['+12025550001', '+12025550002', '+12025550003', '+12025550004'];
		const items = [
			...numbers.map((to) => ({ to })),
			{ to: '555' },
			{ to: '+12025560001', agent: service.seed.agents.draft },
		];
		const { outputs } = await fast(service.run(call(), items, goOn));
		expect(seen(outputs)).toEqual([
			[0, numbers[0], 'completed'],
			[1, numbers[1], 'busy'],
			[2, numbers[2], 'noAnswer'],
			[3, numbers[3], 'failed'],
			[4, 'INVALID_PHONE_NUMBER', undefined],
			[5, 'AGENT_INACTIVE', undefined],
		]);
		expect(outputs[0]?.[0]?.json).toMatchObject({
			status: 'completed',
			duration: 30,
			context: { contact: numbers[0] },
		});
		// The parameters of waiting are not sent.
		const [{ body }] = await service.requests('POST', '/call');
		for (const key of ['waitBy', 'waitFor', 'timeLimit', 'pollInterval', 'repeatedNumber']) {
			expect(body).not.toHaveProperty(key);
		}
		expect((body as { context: object }).context).toEqual({ contact: numbers[0] });
	});

	test("a campaign's call is over when the campaign is done with it", async () => {
		const items = ['+12025550001', '+12025550005', '+12025550001', '+12025550001'].map((to) => ({ to }));
		const { outputs } = await fast(service.run(queue(), items));
		expect(seen(outputs)).toEqual([
			[0, '+12025550001', 'completed'],
			[1, '+12025550005', 'completed'],
			[2, '+12025550001', 'completed'],
			[3, '+12025550001', 'completed'],
		]);
		expect(outputs[0]?.[3]?.json).toMatchObject({ result: 'sameNumber', sameNumberAsItem: 0 });
		expect(await service.requests('POST', '/call')).toHaveLength(2);
	});

	test('a call that is not over in time has the outcome timedOut, and its data', async () => {
		const items = ['+12025550001', '+12025550111', '+12025550122'].map((to) => ({ to }));
		const running = service.run(
			call({}, { timeLimit: { values: { amount: 6, unit: 'seconds' } }, delay: '={{ $itemIndex > 0 ? 3600 : 0 }}' }),
			items,
		);
		await until(async () => (await service.requests('POST', '/call')).length === items.length);
		await service.advance(60);
		// The interval passes: the first call is over. Then the time is up.
		const polls = async () => (await service.requests('GET', '/calls')).length;
		const before = await polls();
		harness.skipTime(1000);
		await until(async () => (await polls()) > before);
		// The limit counts from the end of the delay.
		harness.skipTime(3_606_000);
		const { outputs } = await running;
		expect(seen(outputs).map((item) => (item as unknown[])[2])).toEqual(['completed', 'timedOut', 'timedOut']);
		expect(outputs[0]?.[1]?.json).toMatchObject({ id: expect.any(String), status: expect.any(String) });
	});

	test("a campaign's calls are awaited from the next time at which it may call", async () => {
		const { active } = service.seed.campaigns;
		await service.api('PUT', `campaigns/${active}`, { initial_call_delay: 3600 });
		const running = service.run(queue({}, { timeLimit: { values: { amount: 6, unit: 'seconds' } } }), [
			{ to: '+12025550001' },
			{ to: '+12025550005' },
			{ to: '+12025550111' },
		]);
		await until(async () => (await service.requests('POST', '/call')).length === 3);
		const polls = async () => (await service.requests('GET', `campaigns/${active}`)).length;
		const before = await polls();
		harness.skipTime(3_590_000);
		await until(async () => (await polls()) > before);
		await service.advance(3900);
		const { outputs } = await fast(running);
		expect(seen(outputs)).toEqual([
			[0, '+12025550001', 'completed'],
			[1, '+12025550005', 'completed'],
			[2, '+12025550111', 'completed'],
		]);
	});

	test('the service is asked again after errors', async () => {
		await service.fault({ match: { method: 'GET' }, kind: 'status', status: 500, times: 2 });
		const withoutRead = call({}, { missingVariables: 'ignore' });
		const { outputs, run } = await fast(service.run(withoutRead, [{ to: '+12025550001' }]));
		expect(seen(outputs)).toEqual([[0, '+12025550001', 'completed']]);
		expect(JSON.stringify(run.stored)).toContain('The service could not be asked about the calls for a while');
	});

	test('a call that was already queued is not awaited', async () => {
		const { active } = service.seed.campaigns;
		await service.api('PUT', `campaigns/${active}`, { initial_call_delay: 3600 });
		await service.api('POST', `campaigns/${active}/call`, { to: '+12025550001', is_testing: true });
		const { outputs } = await service.run(queue(), [{ to: '+12025550001' }]);
		expect(outputs[0]?.[0]?.json).toMatchObject({ result: 'alreadyQueued' });
		expect(outputs[0]?.[0]?.json).not.toHaveProperty('outcome');
	});
});

describe('By event, without a trigger,', () => {
	const refusal = async (parameters: object, item: object = { to: '+12025550001' }) => {
		const { outputs } = await service.run(parameters as never, [item, item, item] as never, goOn);
		expect(await service.requests('POST', '/call')).toEqual([]);
		expect(outputs[0]).toMatchObject([0, 1, 2].map((at) => ({ pairedItem: { item: at }, json: { result: 'failed' } })));
		return outputs[0]?.[0]?.json as { code: string; message: string };
	};
	const webhook = async (owner: string, webhook_url: string, events: string[]) =>
		await service.api('POST', `${owner}/webhooks`, { name: 'n8n', webhook_url, events });

	test('nobody is called if there is no webhook', async () => {
		const message = expect.stringMatching(
			/no published Voice Agent Calling Trigger.*listens to this agent.*Phone Call Ended/,
		);
		expect(await refusal(call({ waitBy: 'event' }))).toMatchObject(failed('NO_TRIGGER', { message }));
	});

	test('nobody is called if the webhooks deliver to another n8n', async () => {
		const { active } = service.seed.campaigns;
		const events = ['campaign_call.completed', 'campaign_call.failed'];
		await webhook(`campaigns/${active}`, 'https://elsewhere.example/webhook/1/webhook', events);
		expect((await refusal(queue({ waitBy: 'event' }))).code).toBe('NO_TRIGGER');
	});

	describe('although a published trigger answers,', () => {
		const ends = ['campaign_call.completed', 'campaign_call.failed'];
		let trigger: Published;
		beforeEach(async () => {
			trigger = await publishTrigger(service, { campaign: byId(service.seed.campaigns.paused), events: ends });
			service.n8nUrl = trigger.instance.url;
		});
		afterEach(() => {
			service.n8nUrl = undefined;
		});

		test('nobody is called if it listens to another campaign, because it refuses the deliveries', async () => {
			const { active } = service.seed.campaigns;
			await webhook(`campaigns/${active}`, trigger.url, ends);
			expect(await refusal(queue({ waitBy: 'event' }))).toMatchObject(
				failed('NO_TRIGGER', { message: expect.stringMatching(/trigger for another .*Delete this webhook/) }),
			);
		});

		test('nobody is called if the only webhook of the campaign was made by hand, without a secret of the trigger', async () => {
			const { paused } = service.seed.campaigns;
			await webhook(`campaigns/${paused}`, trigger.url.replace(/&g=.*/, ''), ends);
			await service.api('DELETE', `campaigns/${paused}/webhooks/${trigger.webhookId}`);
			expect(await refusal(queue({ waitBy: 'event', campaign: byId(paused) }))).toMatchObject(
				failed('NO_TRIGGER', { message: expect.stringMatching(/made by hand.*'Rotate Secret'/) }),
			);
		});

		test('nobody is called if n8n has another address now, and the message says what to do', async () => {
			const { paused } = service.seed.campaigns;
			const former = trigger.url.replace(new URL(trigger.url).origin, 'https://former.example');
			const path = `campaigns/${paused}/webhooks/${trigger.webhookId}`;
			await service.api('PUT', path, { webhook_url: former });
			const message = expect.stringContaining(`with the Webhook URL ${trigger.url}`);
			const waiting = queue({ waitBy: 'event', campaign: byId(paused) });
			expect(await refusal(waiting)).toMatchObject(failed('NO_TRIGGER', { message }));
			await service.run({
				...{ resource: 'webhook', operation: 'update', campaign: byId(paused), webhook: byId(trigger.webhookId) },
				// What the panel of the trigger shows.
				updateFields: { webhookUrl: trigger.deployment.webhookUrl() },
			});
			expect((await service.deliver({ webhookId: trigger.webhookId })).attempts).toMatchObject([{ status: 200 }]);
			await service.run(waiting, [{ to: '+12025550001' }], goOn);
			expect(await service.requests('POST', '/call')).toHaveLength(1);
		});

		test('nobody is called if it does not receive what Wait For has: each is named once', async () => {
			const { paused } = service.seed.campaigns;
			const waitFor = '={{ ["transcript,report", ["report"], "transcript;report"][$itemIndex] }}';
			const waiting = queue({ waitBy: 'event', campaign: byId(paused) }, { waitFor });
			const message =
				/does not listen to Call Transcript Ready, Call Report Ready\. Add Call Transcript Ready, Call Report Ready to/;
			expect(await refusal(waiting)).toMatchObject(failed('NO_TRIGGER', { message: expect.stringMatching(message) }));
		});

		test('and its own webhook is there beside such a one, the call is sent', async () => {
			const { paused } = service.seed.campaigns;
			await webhook(`campaigns/${paused}`, trigger.url, ends);
			const waiting = queue({ waitBy: 'event', campaign: byId(paused) });
			const { outputs } = await service.run(waiting, [{ to: '+12025550001' }], goOn);
			expect(outputs[0]).toMatchObject([{ json: { code: 'CAMPAIGN_NOT_ACTIVE' } }]);
		});
	});

	test('nobody is called if the agent does not exist', async () => {
		expect((await refusal(call({ waitBy: 'event' }), { to: '+12025550001', agent: 'unknown' })).code).toBe(
			'AGENT_NOT_FOUND',
		);
	});

	test('with On Error set to stop, the run ends before the first call', async () => {
		const { run } = await service.run(call({ waitBy: 'event' }), [{ to: '+12025550001' }]);
		expect(run.error?.message).toContain('no published Voice Agent Calling Trigger');
		expect(await service.requests('POST', '/call')).toEqual([]);
	});
});

describe('Automatic', () => {
	const automatic = { waitBy: 'automatic' };

	test('polls without a trigger that listens; the output and a hint say what that cannot know', async () => {
		// Voicemail answers the second call.
		const items = ['+12025550001', '+12025550005', '+12025550001'].map((to) => ({ to }));
		for (const [parameters, unknown, missing] of [
			[call(automatic, { waitFor: ['recording'] }), 'voicemail', ['recording']],
			[queue(automatic, { waitFor: ['report', 'transcript'] }), 'reports', ['report', 'transcript']],
		] as const) {
			await service.reset();
			const { outputs, run } = await fast(service.run(parameters as never, items));
			expect(outputs[0]?.map(({ json }) => [json.waitedBy, json.outcome, json.missing])).toEqual(
				items.map(() => ['polling', 'completed', missing]),
			);
			const hint = new RegExp(`The node polls\\. No event would end the wait: no published.*${unknown}`);
			expect(JSON.stringify(run.stored)).toMatch(hint);
		}
	});

	test('sleeps if a published trigger listens', async () => {
		const events = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
		const agent = byId(service.seed.agents.published);
		service.n8nUrl = (await publishTrigger(service, { source: 'agent', agent, events })).instance.url;
		const { run } = await service.run(call(automatic), [{ to: '+12025550001' }, { to: '+12025550002' }]);
		service.n8nUrl = undefined;
		expect(run.status).toBe('waiting');
	});

	test('does not poll for an agent that does not exist: its item fails, the others are awaited as they would be', async () => {
		const items = [{ to: '+12025550001', agent: 'unknown' }, { to: '+12025550001' }, { to: '+12025550002' }];
		const { outputs } = await fast(service.run(call(automatic), items, goOn));
		expect(seen(outputs)).toEqual([
			[0, 'AGENT_NOT_FOUND', undefined],
			[1, '+12025550001', 'completed'],
			[2, '+12025550002', 'busy'],
		]);
	});
});

test('Time limit and interval are checked before anyone is called', async () => {
	for (const wrong of [
		{ options: { timeLimit: { values: { amount: 0, unit: 'hours' } } } },
		{ options: { timeLimit: { values: { amount: 366, unit: 'days' } } } },
		{ options: { timeLimit: { values: { amount: 'soon', unit: 'hours' } } } },
		{ options: { timeLimit: { values: { amount: 1, unit: 'weeks' } } } },
		{ options: { timeLimit: { values: [{ amount: 1, unit: 'hours' }] } } },
		{ options: { timeLimit: { values: '={{ { amount: 1, unit: "hours" } }}' } } },
		{ options: { timeLimit: { values: { number: 1, unit: 'hours' } } } },
		{ options: { timeLimit: { amount: 1, unit: 'hours' } } },
		{ options: { timeLimit: {} } },
		{ waitBy: 'luck' },
	]) {
		const { outputs } = await service.run(call(wrong), [{ to: '+12025550001' }], goOn);
		expect(outputs[0]).toMatchObject([{ json: { code: 'INVALID_INPUT' } }]);
	}
	const { outputs } = await service.run(call({}, { pollInterval: 0 }), [{ to: '+12025550001' }], goOn);
	expect(outputs[0]).toMatchObject([{ json: { code: 'INVALID_INPUT' } }]);
	expect(await service.requests('POST')).toEqual([]);
});

test('Skip, which stays entered after a switch from Queue Call, is refused before anyone is called', async () => {
	const skip = { ifAlreadyQueued: 'skip' };
	const { outputs } = await service.run(queue({}, skip), [{ to: '+12025550001' }], goOn);
	expect(outputs[0]).toMatchObject([
		{ json: { code: 'INVALID_INPUT', message: expect.stringContaining('If Already Queued') } },
	]);
	expect(await service.requests('POST')).toEqual([]);
});

test('Wait For is checked before anyone is called, and not read with polling', async () => {
	const byEvent = { waitBy: 'event' };
	for (const [parameters, name] of [
		[call(byEvent, { waitFor: ['report'] }), 'Wait For'],
		[call(byEvent, { waitFor: 'recording, video' }), 'Wait For'],
		[queue(byEvent, { waitFor: ['report', 'end'] }), 'Wait For'],
	] as const) {
		const { outputs } = await service.run(parameters as never, [{ to: '+12025550001' }], goOn);
		const message = expect.stringContaining(`'${name}'`);
		expect(outputs[0]).toMatchObject([{ json: { code: 'INVALID_INPUT', message } }]);
	}
	expect(await service.requests('POST')).toEqual([]);
	const polled = await fast(service.run(queue({}, { waitFor: ['video'] }), [{ to: '+12025550001' }]));
	expect(polled.outputs[0]).toMatchObject([{ json: { outcome: 'completed' } }]);
	expect(polled.outputs[0]?.[0]?.json).not.toHaveProperty('missing');
});

test('No output shows a ticket that another run has put into the context of a call', async () => {
	const { published } = service.seed.agents;
	await service.api('POST', `agents/${published}/webhooks`, {
		name: 'own',
		webhook_url: 'https://elsewhere.invalid/',
		events: ['event_phone_call_started'],
		max_retries: 0,
	});
	await service.api('POST', `agents/${published}/call`, {
		to: '+12025550001',
		is_testing: true,
		context: { [ticketKey]: 'sealed', contact: '7' },
	});
	const { body } = await service.api('GET', `agents/${published}/webhooks`);
	const [{ id }] = (body.data as { webhooks: Array<{ id: string }> }).webhooks;
	const { outputs } = await service.run({
		resource: 'webhook',
		source: 'agent',
		operation: 'getDeliveries',
		agent: byId(published),
		webhook: byId(id),
		returnAll: true,
		output: 'raw',
	});
	const text = JSON.stringify(outputs);
	expect(text).toContain('contact');
	expect(text).not.toContain(ticketKey);
});

import { setTimeout as sleep } from 'node:timers/promises';

import { harness } from '../../harness.mts';
import { byId, goesOn, jsonOf, to, useService } from '../../service.mts';
import { type Published, publishTrigger } from '../../triggers.mts';
import { failed } from '../resources/items.mts';

const service = useService();
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

const polling = { pollInterval: 1, metadataJson: '={{ { contact: $json.to } }}' };
const call = (more: object = {}, options: object = {}) => {
	const agent = byId(`={{ $json.agent ?? '${service.seed.agents.published}' }}`);
	return service.place({ ...polling, ...options }, { operation: 'placeAndWait', waitBy: 'polling', agent, ...more });
};
const queue = (more: object = {}, options: object = {}) =>
	service.queue({ ...polling, ...options }, { operation: 'queueCallAndWait', waitBy: 'polling', ...more });

describe('By polling', () => {
	test('each call has its outcome, payload and context, in the order of the items', async () => {
		const numbers = ['+12025550001', '+12025550002', '+12025550003', '+12025550004'];
		const items = [...to(...numbers, '555'), { to: '+12025560001', agent: service.seed.agents.draft }];
		const { outputs } = await fast(service.run(call(), items, { node: goesOn }));
		const outcomes = ['completed', 'busy', 'noAnswer', 'failed'].map((outcome, item) => ({
			to: numbers[item],
			outcome,
		}));
		const refused = ['INVALID_PHONE_NUMBER', 'AGENT_INACTIVE'].map((code) => ({ code }));
		expect(outputs[0]).toMatchObject([...outcomes, ...refused].map((json, item) => ({ json, pairedItem: { item } })));
		const context = { contact: numbers[0] };
		expect(outputs[0]?.[0]?.json).toMatchObject({ status: 'completed', duration: 30, context });
		// The parameters of waiting are not sent.
		const [{ body }] = await service.requests('POST', '/call');
		for (const key of ['waitBy', 'waitFor', 'timeLimit', 'pollInterval', 'repeatedNumber']) {
			expect(body).not.toHaveProperty(key);
		}
		expect(body).toMatchObject({ context });
	});
});

describe('By event, although a published trigger answers,', () => {
	const refusal = async (parameters: object) => {
		const items = Array(3).fill({ to: '+12025550001' });
		const { outputs } = await service.run(parameters as never, items, { node: goesOn });
		expect(await service.requests('POST', '/call')).toEqual([]);
		expect(outputs[0]).toMatchObject([0, 1, 2].map((at) => ({ pairedItem: { item: at }, json: { result: 'failed' } })));
		return outputs[0]?.[0]?.json as { code: string; message: string };
	};

	const ends = ['campaign_call.completed', 'campaign_call.failed'];
	let trigger: Published;
	beforeEach(async () => {
		trigger = await publishTrigger(service, { campaign: byId(service.seed.campaigns.paused), events: ends });
		service.n8nUrl = trigger.instance.url;
	});

	test('nobody is called if n8n has another address now, and the message says what to do', async () => {
		const { paused } = service.seed.campaigns;
		const former = trigger.url.replace(new URL(trigger.url).origin, 'https://former.example');
		const path = `campaigns/${paused}/webhooks/${trigger.webhookId}`;
		await service.api('PUT', path, { webhook_url: former });
		const advice = expect.stringContaining(`with the Webhook URL ${trigger.url}`);
		const waiting = queue({ waitBy: 'event', campaign: byId(paused) });
		expect(await refusal(waiting)).toMatchObject(failed('NO_TRIGGER', { advice }));
		await service.run({
			resource: 'webhook',
			operation: 'update',
			campaign: byId(paused),
			webhook: byId(trigger.webhookId),
			// What the panel of the trigger shows.
			updateFields: { webhookUrl: trigger.deployment.webhookUrl() },
		});
		expect((await service.deliver({ webhookId: trigger.webhookId })).attempts).toMatchObject([{ status: 200 }]);
		await service.run(waiting, [{ to: '+12025550001' }], { node: goesOn });
		expect(await service.requests('POST', '/call')).toHaveLength(1);
	});

	test('nobody is called if it does not receive what Wait For has: each is named once', async () => {
		const { paused } = service.seed.campaigns;
		const waitFor = '={{ ["transcript,report", ["report"], "transcript;report"][$itemIndex] }}';
		const waiting = queue({ waitBy: 'event', campaign: byId(paused) }, { waitFor });
		const both = 'Call Transcript Ready, Call Report Ready';
		const message = expect.stringContaining(`does not listen to ${both}.`);
		const advice = expect.stringContaining(`Add ${both} to`);
		expect(await refusal(waiting)).toMatchObject(failed('NO_TRIGGER', { message, advice }));
	});
});

describe('Automatic', () => {
	const automatic = { waitBy: 'automatic' };

	test('polls without a trigger that listens; the output and a hint say what that cannot know', async () => {
		// Voicemail answers the second call.
		const items = to('+12025550001', '+12025550005', '+12025550001');
		const polled = { waitedBy: 'polling', outcome: 'completed' };
		for (const parameters of [call(automatic), queue(automatic)]) {
			await service.reset();
			const { outputs, run } = await fast(service.run(parameters, items));
			expect(jsonOf({ outputs })).toMatchObject([polled, polled, { result: 'sameNumber', outcome: 'notCalled' }]);
			const hint = /The node polls\. No event would end the wait: no published.*voicemail/;
			expect(JSON.stringify(run.stored)).toMatch(hint);
		}
	});

	test.each([
		['a recording', () => call(automatic, { waitFor: ['recording'] })],
		['a report and a transcript', () => queue(automatic, { waitFor: ['report', 'transcript'] })],
	])('calls nobody without a trigger that would bring %s: polling does not find it', async (_what, parameters) => {
		const ran = await service.run(parameters(), to('+12025550001', '+12025550002'), { node: goesOn });
		expect(jsonOf(ran)).toMatchObject([{ code: 'NO_TRIGGER' }, { code: 'NO_TRIGGER' }]);
		expect(await service.requests('POST', '/call')).toEqual([]);
	});

	test('sleeps if a published trigger listens; until then n8n stores the outcome of each call as unknown', async () => {
		const events = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
		const agent = byId(service.seed.agents.published);
		service.n8nUrl = (await publishTrigger(service, { source: 'agent', agent, events })).instance.url;
		const people = to('+12025550001', '+12025550002', '+12025550001');
		const { run, outputs } = await service.run(call(automatic), people);
		expect(run.status).toBe('waiting');
		const outcomes = outputs[0]?.map(({ json: { result, outcome } }) => [result, outcome]);
		expect(outcomes).toEqual([
			['placed', 'unknown'],
			['placed', 'unknown'],
			['sameNumber', 'notCalled'],
		]);
	});
});

test('The options of waiting are checked before anyone is called', async () => {
	const limits = [
		...[0, 366, 'soon'].map((amount) => ({ values: { amount, unit: 'days' } })),
		...[{ number: 1, unit: 'hours' }, [{ amount: 1, unit: 'hours' }]].map((values) => ({ values })),
		{ amount: 1, unit: 'hours' },
		{},
	];
	const byEvent = { waitBy: 'event' };
	for (const wrong of [
		...limits.map((timeLimit) => call({}, { timeLimit })),
		call({ waitBy: 'luck' }),
		call({}, { pollInterval: 0 }),
		call(byEvent, { waitFor: ['report'] }),
		call(byEvent, { waitFor: 'recording, video' }),
		queue(byEvent, { waitFor: ['report', 'end'] }),
		// This stays entered after a switch from Queue Call.
		queue({}, { ifAlreadyQueued: 'skip' }),
	]) {
		const { outputs } = await service.run(wrong as never, [{ to: '+12025550001' }], { node: goesOn });
		expect(outputs[0]).toMatchObject([{ json: { code: 'INVALID_INPUT' } }]);
	}
	expect(await service.requests('POST')).toEqual([]);
});

test('No output shows a resume token that another run has put into the context of a call', async () => {
	const { published } = service.seed.agents;
	const hook = { name: 'own', webhook_url: 'https://elsewhere.invalid/', events: ['event_phone_call_started'] };
	const { body } = await service.api('POST', `agents/${published}/webhooks`, { ...hook, max_retries: 0 });
	const ticketKey = 'n8n-nodes-voice-agent-calling';
	const context = { [ticketKey]: 'sealed', contact: '7' };
	await service.api('POST', `agents/${published}/call`, { to: '+12025550001', is_testing: true, context });
	const { outputs } = await service.run({
		resource: 'webhook',
		source: 'agent',
		operation: 'getDeliveries',
		agent: byId(published),
		output: 'raw',
		webhook: byId((body.data as { id: string }).id),
		returnAll: true,
	});
	const text = JSON.stringify(outputs);
	expect(text).toContain('contact');
	expect(text).not.toContain(ticketKey);
});

import { setTimeout as sleep } from 'node:timers/promises';

import { harness, type Instance, type NodeSpec, type WorkflowRun } from '../../harness.mts';
import { byId, type Fault, jsonOf, to, until, useService } from '../../service.mts';
import { onAgent, triggerNode } from '../../triggers.mts';

const HOUR_MS = 3_600_000;

/** How long n8n waits after the time limit. Then it ends the wait itself, without asking the service. */
const N8N_WAITS_MS = 120_000;

/** A call goes on only when the test advances the clock of the sandbox. */
const service = useService({ speed: 0.001, minimumStatusMs: 0 });
afterEach(() => harness.restoreTime());

const nine = to(...Array.from({ length: 9 }, (_, number) => `+1202555${number}001`));
const options = { timeLimit: { values: { amount: 1, unit: 'hours' } }, pollInterval: 3600 };
const ofCalls = { ...options, missingVariables: 'ignore' };

/** What an execution waits for. */
interface Wait {
	parameters(waitBy: string): NodeSpec['parameters'];
	items(): Array<Record<string, unknown>>;
	/** The trigger that an event needs. */
	trigger?(): NodeSpec['parameters'];
}

const WAITS: Record<string, Wait> = {
	'calls of an agent': {
		parameters: (waitBy) => service.place(ofCalls, { operation: 'placeAndWait', waitBy }),
		items: () => nine,
		trigger: () =>
			onAgent(service, ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error']),
	},
	'calls of a campaign': {
		parameters: (waitBy) => service.queue(ofCalls, { operation: 'queueCallAndWait', waitBy }),
		items: () => nine,
		trigger: () => ({ events: ['campaign_call.completed', 'campaign_call.failed'] }),
	},
	campaigns: {
		parameters: (waitBy) => ({
			resource: 'campaign',
			operation: 'waitUntilCompleted',
			campaign: byId('={{ $json.id }}'),
			waitBy,
			options,
		}),
		items: () => [{ id: service.seed.campaigns.active }, { id: service.seed.campaigns.paused }],
	},
};

/** Deletes all webhooks at the service, so that nothing tells n8n what happens; then the calls and campaigns end. */
async function endUnheard(): Promise<void> {
	for (const { id, agent_id, campaign_id } of await service.storedWebhooks()) {
		const owner = agent_id ? `agents/${String(agent_id)}` : `campaigns/${String(campaign_id)}`;
		await service.api('DELETE', `${owner}/webhooks/${id}`);
	}
	await service.advance(600);
	for (const id of [service.seed.campaigns.active, service.seed.campaigns.paused]) {
		await service.api('PATCH', `campaigns/${id}/status`, { status: 'completed' });
	}
}

type Kind = Partial<Fault> & Pick<Fault, 'kind'>;

/**
 * Runs a wait whose last look meets faults.
 *
 * @param before what happens before that
 * @returns the outcomes
 */
async function lastLook(what: string, waitBy: string, fault: Kind, before = endUnheard) {
	const { parameters, items, trigger } = WAITS[what]!;
	const n8n: Instance = await harness.startInstance({ credentials: service.credentials() });
	if (waitBy === 'event' && trigger) {
		const nodes = [triggerNode(service, trigger()), { name: 'Next', type: 'harness.noOp' }];
		expect((await n8n.deploy({ nodes }).publish()).error).toBeUndefined();
	}
	const running = service.run(parameters(waitBy), items(), { n8n });
	if (waitBy === 'polling') {
		await until(async () => (await service.requests('', '/ca')).length >= items().length);
		await service.settled();
	} else {
		expect((await running).run).toMatchObject({ status: 'waiting' });
	}
	await before();
	const deletions = (await service.requests('DELETE')).length;
	await service.fault({ match: { method: 'GET' }, times: 3, ...fault });
	harness.passTime(HOUR_MS);
	const ended = async (): Promise<Array<{ outcome?: string }>> => {
		if (waitBy === 'polling') {
			return jsonOf(await running);
		}
		const { id } = (await running).run as unknown as WorkflowRun;
		await until(async () => n8n.waiting.rest(id) !== undefined);
		return (await n8n.waiting.rest(id))!.nodes.Node!.flatMap(jsonOf);
	};
	const outcomes = (await passing(ended())).map(({ outcome }) => outcome);
	const own = what === 'campaigns' && waitBy === 'event' ? items().length : 0;
	await until(async () => (await service.requests('DELETE')).length === deletions + own);
	return outcomes;
}

/** Lets time pass, second by second, but no longer than n8n waits. @returns what comes */
async function passing<Output>(ended: Promise<Output>): Promise<Output> {
	let hasEnded = false;
	const end = () => (hasEnded = true);
	ended.then(end, end);
	for (let passed = 0; !hasEnded && passed < N8N_WAITS_MS; passed += 1000) {
		harness.passTime(1000);
		// On a busy machine, time must not pass faster than the service is asked and answers.
		for (let asked = -1, now = 0; asked < now; asked = now, now = (await service.requests()).length) {
			await sleep(5);
			await service.settled();
		}
	}
	return await ended;
}

const status = (code: number, headers?: Record<string, string>) => ({ kind: 'status', status: code, headers }) as const;
const FAULTS: Record<string, Kind> = {
	'429': status(429),
	'429 with Retry-After': status(429, { 'retry-after': '7' }),
	'500': status(500),
	'503': status(503),
	'a cut connection': { kind: 'drop-before' },
};

const all = (what: string, outcome: string) => WAITS[what]!.items().map(() => outcome);

describe.each(Object.keys(WAITS))('Of %s that are over, all are reported so', (what) => {
	// The calls of a campaign and of an agent are read by different requests in the same way.
	test.each(what === 'calls of a campaign' ? ['500'] : Object.keys(FAULTS))(
		'although the last look meets %s three times',
		async (fault) => {
			expect(await lastLook(what, 'event', FAULTS[fault]!)).toEqual(all(what, 'completed'));
		},
	);

	test('although the last look of a run that polls meets 500 three times', async () => {
		expect(await lastLook(what, 'polling', status(500))).toEqual(all(what, 'completed'));
	});
});

test.each([
	['calls of an agent', '429 with Retry-After'],
	['calls of an agent', '500'],
	['campaigns', '500'],
])('A wait for %s ends before n8n ends it, although the service answers nothing but %s', async (what, fault) => {
	expect(await lastLook(what, 'event', { ...FAULTS[fault]!, times: 1e6 })).toEqual(all(what, 'timedOut'));
});

describe('No webhook of a wait for campaigns stays at the service', () => {
	const campaigns = WAITS.campaigns!;
	const ownWebhooks = async () =>
		(await service.storedWebhooks()).filter(({ name }) => String(name).startsWith('n8n waits for this campaign'));

	test.each(Object.keys(FAULTS))('after its end, although the deletion meets %s three times', async (fault) => {
		const n8n = await harness.startInstance({ credentials: service.credentials() });
		const { run } = await service.run(campaigns.parameters('event'), campaigns.items(), { n8n });
		expect([run.status, (await ownWebhooks()).length]).toEqual(['waiting', 2]);
		await service.fault({ match: { method: 'DELETE' }, times: 3, ...FAULTS[fault]! });
		for (const { id } of campaigns.items()) {
			await service.api('PATCH', `campaigns/${String(id)}/status`, { status: 'completed' });
		}
		const { id } = run as unknown as WorkflowRun;
		await until(async () => n8n.waiting.rest(id) !== undefined);
		await passing(until(async () => (await ownWebhooks()).length === 0));
	});

	test('after a run that could not create the next one', async () => {
		const { paused } = service.seed.campaigns;
		await service.answer(`POST campaigns/${paused}/webhooks`, 422, { message: 'No' });
		await service.fault({ match: { method: 'DELETE' }, times: 3, kind: 'status', status: 500 });
		const n8n = await harness.startInstance({ credentials: service.credentials() });
		const { run } = await passing(service.run(campaigns.parameters('event'), campaigns.items(), { n8n }));
		expect(run).toMatchObject({ status: 'error', error: { message: expect.stringContaining('No') } });
		expect(await service.requests('POST', `${service.seed.campaigns.active}/webhooks`)).toHaveLength(1);
		expect(await ownWebhooks()).toEqual([]);
	});
});

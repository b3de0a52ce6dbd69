import { harness } from '../../harness.mts';
import { byId, goesOn, jsonOf, until, useService } from '../../service.mts';
import { hmac, type Published, publishTrigger, type Registered, send, triggerNode } from '../../triggers.mts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const service = useService();
let trigger: Published;
let active: string;
let events = 0;
beforeEach(async () => {
	({ active } = service.seed.campaigns);
	trigger = await publishTrigger(service);
	service.n8nUrl = trigger.instance.url;
});
afterEach(() => harness.restoreTime());

type Hook = Pick<Registered, 'id' | 'webhook_url' | 'webhook_secret'>;

/** The webhooks of a campaign, as the service has them, the newest last. */
async function hooksOf(campaign = active): Promise<Hook[]> {
	const all = (await service.storedWebhooks()) as unknown as Registered[];
	return all.filter(({ campaign_id }) => campaign_id === campaign);
}
const newest = async (campaign = active) => (await hooksOf(campaign)).at(-1) as Hook;

/** The statuses of the answers to deliveries that are signed now. */
async function deliver(...hooks: Array<Omit<Hook, 'id'>>): Promise<number[]> {
	return await Promise.all(
		hooks.map(async ({ webhook_url, webhook_secret }) => {
			const body = JSON.stringify({ id: `event-${++events}` });
			return (await send(webhook_url, body, { 'x-signature': hmac(webhook_secret, body) })).status;
		}),
	);
}

/** What n8n's log says of deliveries. */
const saidSince = (length: number) =>
	harness.logLines
		.slice(length)
		.map(({ message }) => message)
		.filter((message) => message.startsWith('A delivery to "Trigger"'));

/** Another process goes on, which remembers nothing. */
async function restart(): Promise<void> {
	jest.resetModules();
	harness.forgetPackage();
	harness.runSources((file) => jest.requireActual(file));
	trigger.instance.restart(await harness.loadPackage());
}

async function rotate(campaign = active) {
	const webhook = byId((await newest(campaign)).id);
	const parameters = { resource: 'webhook', operation: 'rotateSecret', campaign: byId(campaign), webhook };
	return jsonOf(await service.run(parameters, undefined, { node: goesOn }))[0];
}

const list = () => ({ method: 'GET', path: `/api/v1/campaigns/${active}/webhooks` });
const endFaults = async () => await fetch(`${service.url}/_sandbox/faults`, { method: 'DELETE' });

describe('A delivery while the list of the service cannot be read, and after that', () => {
	const broken = [
		{ kind: 'status', status: 429 },
		{ kind: 'status', status: 500 },
		{ kind: 'status', status: 503 },
		{ kind: 'status', status: 401 },
		{ kind: 'status', status: 200, body: { success: true, data: {} } },
		{ kind: 'malformed' },
		{ kind: 'drop-before' },
	] as const;

	/** What happens to the secret that signs the delivery. */
	const histories = {
		'made 10 minutes ago': async () => harness.skipTime(10 * MINUTE_MS),
		'made 5 hours ago': async () => harness.skipTime(5 * HOUR_MS),
		'replaced 30 minutes ago': async () => {
			harness.skipTime(5 * HOUR_MS);
			await rotate();
			harness.skipTime(30 * MINUTE_MS);
		},
		'replaced 30 minutes ago, by a publication': async () => {
			harness.skipTime(5 * HOUR_MS);
			await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
			harness.skipTime(30 * MINUTE_MS);
		},
		'replaced 5 hours ago': async () => {
			await rotate();
			harness.skipTime(5 * HOUR_MS);
		},
	};

	/** What the process knows of the list. */
	const readAndSkip = async (ms: number) => {
		expect(await deliver(await newest())).toEqual([200]);
		harness.skipTime(ms);
	};
	const memories = {
		'n8n has restarted': restart,
		'the list was read 20 minutes ago': async () => await readAndSkip(20 * MINUTE_MS),
		'the list was read 2 hours ago': async () => await readAndSkip(2 * HOUR_MS),
	};

	test.each<[keyof typeof histories, keyof typeof memories, meanwhile: number, afterwards: number]>([
		['made 10 minutes ago', 'n8n has restarted', 200, 200],
		['made 10 minutes ago', 'the list was read 20 minutes ago', 200, 200],
		['made 10 minutes ago', 'the list was read 2 hours ago', 503, 200],
		['made 5 hours ago', 'n8n has restarted', 503, 200],
		['made 5 hours ago', 'the list was read 20 minutes ago', 200, 200],
		['made 5 hours ago', 'the list was read 2 hours ago', 503, 200],
		['replaced 30 minutes ago', 'n8n has restarted', 503, 200],
		['replaced 30 minutes ago', 'the list was read 20 minutes ago', 200, 200],
		['replaced 30 minutes ago', 'the list was read 2 hours ago', 503, 401],
		['replaced 30 minutes ago, by a publication', 'n8n has restarted', 200, 200],
		['replaced 30 minutes ago, by a publication', 'the list was read 20 minutes ago', 200, 200],
		['replaced 30 minutes ago, by a publication', 'the list was read 2 hours ago', 503, 401],
		['replaced 5 hours ago', 'n8n has restarted', 503, 401],
		['replaced 5 hours ago', 'the list was read 20 minutes ago', 503, 401],
		['replaced 5 hours ago', 'the list was read 2 hours ago', 503, 401],
	])('with a secret that was %s, and %s: %i, %i', async (history, memory, meanwhile, afterwards) => {
		const hook = await newest();
		await histories[history]();
		await memories[memory]();
		const { length } = harness.logLines;
		for (const fault of broken) {
			await service.fault({ ...fault, match: list(), times: 1000 });
			expect([fault, ...(await deliver(hook, hook))]).toEqual([fault, meanwhile, meanwhile]);
			await endFaults();
			// The list is read again after ten seconds.
			harness.skipTime(10_001);
		}
		const unchecked = expect.stringMatching(
			/could not be checked: the service's list of webhooks could not be read: \w/,
		);
		expect(saidSince(length)).toEqual(Array(meanwhile === 503 ? 2 * broken.length : 0).fill(unchecked));
		expect(await deliver(hook)).toEqual([afterwards]);
	});

	test('the service delivers again what could not be checked, and it starts the workflow once', async () => {
		await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign_call.queued'] } });
		harness.skipTime(5 * HOUR_MS);
		await restart();
		await service.fault({ match: list(), kind: 'status', status: 503, times: 1 });
		await service.api('POST', `campaigns/${active}/call`, { to: '+12025550001' });
		const statuses = async () => (await service.deliveries()).map(({ status }) => status);
		await until(async () => (await statuses()).length > 0);
		harness.skipTime(10_001);
		await service.advance(15);
		expect(await statuses()).toEqual([503, 200]);
		expect(trigger.instance.executions).toHaveLength(1);
	});
});

describe('A relay: a webhook at another address, from which its deliveries come here', () => {
	/** Lets the webhook of the trigger deliver to another address. @returns the webhook as it was: signed rightly */
	async function relay(addressOf: (url: URL) => string): Promise<Hook> {
		const hook = await newest();
		const webhook_url = addressOf(new URL(hook.webhook_url));
		expect((await service.api('PUT', `campaigns/${active}/webhooks/${hook.id}`, { webhook_url })).status).toBe(200);
		return hook;
	}
	const publishAgain = async () =>
		await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
	const ofItsOwn = ({ search }: URL) => `https://relay.example/hooks/1${search}`;
	const ofTheTrigger = ({ pathname, search }: URL) => `https://relay.example${pathname}${search}`;
	const unlisted = /its signing secret was replaced, or its webhook was deleted or delivers to another URL$/;
	const advice =
		/its webhook delivers to https:\/\/relay\.example\/.*, not to the URL of this trigger\. .*N8N_WEBHOOK_URL/;

	test.each<[string, () => Promise<Hook>, status: number, said: RegExp | undefined]>([
		['with a path of its own', async () => await relay(ofItsOwn), 401, advice],
		[
			'with a path of its own, without the query',
			async () => await relay(() => 'https://relay.example/1'),
			401,
			unlisted,
		],
		[
			'with a path of its own, after another publication',
			async () => {
				const hook = await relay(ofItsOwn);
				await publishAgain();
				return hook;
			},
			401,
			advice,
		],
		['with the path of the trigger, as after a move of n8n', async () => await relay(ofTheTrigger), 200, undefined],
		[
			'with the path of the trigger, after another publication',
			async () => {
				const hook = await relay(ofTheTrigger);
				await publishAgain();
				return hook;
			},
			401,
			advice,
		],
	])('%s has the same answer at any time', async (_what, set, status, said) => {
		const hook = await set();
		const { length } = harness.logLines;
		const ages = [0, MINUTE_MS, 59 * MINUTE_MS, 61 * MINUTE_MS, 3 * HOUR_MS, 40 * DAY_MS];
		let age = 0;
		for (const next of ages) {
			harness.skipTime(next - age);
			age = next;
			expect([age, ...(await deliver(hook))]).toEqual([age, status]);
			if (age === MINUTE_MS || age === 3 * HOUR_MS) {
				await restart();
				expect([age, ...(await deliver(hook))]).toEqual([age, status]);
			}
		}
		const wanted = said === undefined ? [] : Array(ages.length + 2).fill(expect.stringMatching(said));
		expect(saidSince(length)).toEqual(wanted);
	});

	test('that is set up later is refused within a minute', async () => {
		expect(await deliver(await newest())).toEqual([200]);
		const hook = await relay(ofItsOwn);
		harness.skipTime(MINUTE_MS);
		expect(await deliver(hook)).toEqual([401]);
	});

	test('is the address of n8n itself, if n8n says so: then it has nothing to refuse', async () => {
		const instance = await harness.startInstance({
			credentials: service.credentials(),
			webhookOrigin: 'https://relay.example/n8n',
		});
		const workflow = instance.deploy({ nodes: [triggerNode(service)] });
		expect((await workflow.publish()).error).toBeUndefined();
		const hook = await newest();
		expect(hook.webhook_url).toMatch(/^https:\/\/relay\.example\/n8n\/webhook\//);
		const passedOn = { ...hook, webhook_url: hook.webhook_url.replace('https://relay.example/n8n', instance.url) };
		for (const age of [0, MINUTE_MS, DAY_MS]) {
			harness.skipTime(age);
			expect(await deliver(passedOn)).toEqual([200]);
		}
	});
});

describe('While secrets change, no delivery that is under way is refused', () => {
	const connect = async (operation: string) => {
		const { paused } = service.seed.campaigns;
		const target = { __rl: true, mode: 'url', value: trigger.deployment.webhookUrl() };
		await service.run({ resource: 'webhook', operation, campaign: byId(paused), trigger: target });
	};
	const changes: Record<string, { of?: 'paused'; change: () => Promise<unknown> }> = {
		'an edit that is published': {
			change: async () => await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } }),
		},
		'unpublish and publish': {
			change: async () => {
				await trigger.deployment.unpublish();
				await trigger.deployment.publish();
			},
		},
		'Rotate Secret': { change: async () => await rotate() },
		'Connect to Trigger, again': { of: 'paused', change: async () => await connect('connectToTrigger') },
		'Rotate Secret of a connected campaign': {
			of: 'paused',
			change: async () => await rotate(service.seed.campaigns.paused),
		},
	};
	const clocks = { right: 0, 'four minutes ahead': 4 * MINUTE_MS, 'four minutes behind': -4 * MINUTE_MS };

	test.each(
		Object.keys(changes).flatMap((what) =>
			Object.keys(clocks).flatMap((clock) =>
				[true, false].map((isSame) => [what, clock as keyof typeof clocks, isSame] as const),
			),
		),
	)('%s, by a process whose clock is %s (the list was read before: %s)', async (what, clock, isRead) => {
		const { of, change } = changes[what]!;
		const campaign = service.seed.campaigns[of ?? 'active'];
		if (of) {
			await connect('connectToTrigger');
		}
		harness.skipTime(3 * HOUR_MS);
		const before = await newest(campaign);
		if (isRead) {
			expect(await deliver(before)).toEqual([200]);
		}
		harness.setClockBack(-clocks[clock]);
		await change();
		harness.setClockBack(clocks[clock]);
		const after = await newest(campaign);
		expect(after.webhook_secret).not.toBe(before.webhook_secret);
		const again = { ...after, webhook_secret: before.webhook_secret };
		expect(await deliver(again, before, after)).toEqual([200, 200, 200]);
		harness.skipTime(55 * MINUTE_MS);
		expect(await deliver(again, before, after)).toEqual([200, 200, 200]);
		harness.skipTime(10 * MINUTE_MS);
		expect(await deliver(again, before, after)).toEqual([401, 401, 200]);
	});

	test('a delivery that is faster than the list of the service is accepted', async () => {
		expect(await deliver(await newest())).toEqual([200]);
		const { body } = await service.api('GET', `campaigns/${active}/webhooks`);
		await rotate();
		await service.fault({ match: list(), kind: 'status', status: 200, body, times: 1 });
		expect(await deliver(await newest())).toEqual([200]);
	});

	test('changes at the same moment, of which one does not know of the other', async () => {
		const { paused } = service.seed.campaigns;
		await connect('connectToTrigger');
		const statuses = new Set<number | null>();
		const deliverGenuine = async (campaign: string) => {
			const { attempts } = await service.deliver({ webhookId: (await newest(campaign)).id });
			statuses.add(attempts[0]?.status ?? null);
		};
		for (let round = 0; round < 8; round += 1) {
			const changing = [rotate(), rotate(), rotate(paused), connect('connectToTrigger'), connect('connectToTrigger')];
			const delivering = [active, paused].flatMap((of) => Array.from({ length: 6 }, () => deliverGenuine(of)));
			await Promise.all([...changing, ...delivering]);
		}
		expect(statuses).toEqual(new Set([200]));
	});

	test('forty secrets within a minute, with deliveries meanwhile', async () => {
		const seen: number[] = [];
		for (let round = 0; round < 40; round += 1) {
			const before = await newest();
			const [statuses] = await Promise.all([deliver(before, before), rotate()]);
			const after = await newest();
			seen.push(...statuses, ...(await deliver(after, before, { ...after, webhook_secret: before.webhook_secret })));
		}
		expect(new Set(seen)).toEqual(new Set([200]));
	});
});

describe('A clock that was forty days ahead', () => {
	test('does not make a replaced secret good for forty days, nor ends its hour', async () => {
		harness.setClockBack(-40 * DAY_MS);
		await rotate();
		harness.setClockBack(40 * DAY_MS);
		const ahead = await newest();
		expect(await deliver(ahead)).toEqual([200]);
		const { oldSecretAcceptedUntil } = (await rotate()) as { oldSecretAcceptedUntil: string };
		const left = Date.parse(oldSecretAcceptedUntil) - Date.now();
		expect(left).toBeGreaterThan(59 * MINUTE_MS);
		expect(left).toBeLessThanOrEqual(HOUR_MS);
		expect(await deliver(ahead, await newest())).toEqual([200, 200]);
		harness.skipTime(61 * MINUTE_MS);
		expect(await deliver(ahead, await newest())).toEqual([401, 200]);
	});
});

test.each(['Rotate Secret', 'a publication'])(
	'After %s, a retry under way is accepted at the old URL and at the new one, by the old secret and by the new one',
	async (how) => {
		const before = await newest();
		if (how === 'Rotate Secret') {
			await rotate();
		} else {
			await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
		}
		const after = await newest();
		await restart();
		const mixed = { webhook_url: before.webhook_url, webhook_secret: after.webhook_secret };
		const large = 'x'.repeat(1_100_000);
		expect(await deliver(mixed, before, after, { ...after, webhook_secret: before.webhook_secret })).toEqual([
			200, 200, 200, 200,
		]);
		const body = JSON.stringify({ id: 'large', large });
		const headers = { 'x-signature': hmac(before.webhook_secret, body) };
		expect((await send(after.webhook_url, body, headers)).status).toBe(200);
	},
);

test('Deliveries of strangers read the list at most every ten seconds, whatever they name', async () => {
	await restart();
	await deliver(await newest());
	const { url } = trigger.instance;
	const path = new URL((await newest()).webhook_url).pathname;
	const before = (await service.requests('GET', '/webhooks')).length;
	const forged = Array.from({ length: 30 }, (_, at) => ({
		webhook_url: `${url}${path}?campaign=${at % 2 === 0 ? active : `made-up-${at}`}&g=${1_900_000_000_000 + at}`,
		webhook_secret: 'guessed',
	}));
	expect(new Set(await deliver(...forged))).toEqual(new Set([401]));
	expect((await service.requests('GET', '/webhooks')).length - before).toBeLessThanOrEqual(1);
});

import { isRecord } from '../../../../nodes/shared/lib/isRecord.ts';
import { startChangedService } from '../../changedService.mts';
import { harness } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import { hmac, type Published, publishTrigger, type Registered, registered, send } from '../../triggers.mts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let service: Service;
let trigger: Published;
let events = 0;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => {
	await service.reset();
	trigger = await publishTrigger(service);
	service.n8nUrl = trigger.instance.url;
});
afterEach(() => {
	harness.restoreTime();
	service.n8nUrl = undefined;
});

/** The webhook of the trigger, as the service has it now. */
async function webhook(): Promise<Registered> {
	const [only, ...others] = await registered(service, trigger.deployment);
	expect(others).toEqual([]);
	return only as Registered;
}

/** The status of the answer to a delivery, which is signed now. */
async function deliver({
	webhook_url: url,
	webhook_secret: secret,
}: Pick<Registered, 'webhook_url' | 'webhook_secret'>) {
	events += 1;
	const body = JSON.stringify({ id: `event-${events}` });
	return (await send(url, body, { 'x-signature': hmac(secret, body) })).status;
}

async function rotate(): Promise<void> {
	const { outputs } = await service.run({
		...{ resource: 'webhook', operation: 'rotateSecret', campaign: byId(service.seed.campaigns.active) },
		webhook: byId(trigger.webhookId),
	});
	expect(outputs[0]).toMatchObject([{ json: { rotated: true } }]);
}

const listings = async () => (await service.requests('GET', '/webhooks')).length;
const failListings = async (times = 1000) =>
	await service.fault({
		match: { method: 'GET', path: `/api/v1/campaigns/${service.seed.campaigns.active}/webhooks` },
		kind: 'status',
		status: 503,
		times,
	});

describe('A replaced secret', () => {
	test('is accepted for an hour, at the former URL and at the new one, and no longer', async () => {
		const former = await webhook();
		harness.skipTime(3 * HOUR_MS);
		await rotate();
		const present = await webhook();
		const repeated = { ...present, webhook_secret: former.webhook_secret };
		for (const [minutes, status] of [
			[0, 200],
			[59, 200],
			[2, 401],
			[600, 401],
		] as const) {
			harness.skipTime(minutes * MINUTE_MS);
			expect([minutes, await deliver(former), await deliver(repeated), await deliver(present)]).toEqual([
				...[minutes, status, status, 200],
			]);
		}
	});

	test('is accepted for an hour after each of several rotations and publications, and no longer', async () => {
		const all = [await webhook()];
		harness.skipTime(3 * HOUR_MS);
		for (let time = 0; time < 3; time += 1) {
			harness.skipTime(10 * MINUTE_MS);
			await rotate();
			all.push(await webhook());
		}
		const statuses = async () => await Promise.all(all.map(async (one) => await deliver(one)));
		harness.skipTime(35 * MINUTE_MS);
		expect(await statuses()).toEqual([200, 200, 200, 200]);
		harness.skipTime(10 * MINUTE_MS);
		expect(await statuses()).toEqual([401, 200, 200, 200]);
		harness.skipTime(20 * MINUTE_MS);
		expect(await statuses()).toEqual([401, 401, 401, 200]);
		await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
		all.push(await webhook());
		expect(await statuses()).toEqual([401, 401, 401, 200, 200]);
		harness.skipTime(HOUR_MS + MINUTE_MS);
		expect(await statuses()).toEqual([401, 401, 401, 401, 200]);
	});

	test('is not accepted because somebody names it as the former one of another', async () => {
		const former = await webhook();
		harness.skipTime(3 * HOUR_MS);
		await rotate();
		harness.skipTime(3 * HOUR_MS);
		const [made, present] = [former, await webhook()].map(({ webhook_url }) =>
			new URL(webhook_url).searchParams.get('g'),
		);
		const url = former.webhook_url.replace(`&g=${made}`, `&g=${present}&f=${made}`);
		expect(await deliver({ ...former, webhook_url: url })).toBe(401);
		expect(await deliver(await webhook())).toBe(200);
	});

	test('stays replaced when the workflow is published again, and what was signed before that is accepted', async () => {
		const first = await webhook();
		harness.skipTime(3 * HOUR_MS);
		await rotate();
		const second = await webhook();
		harness.skipTime(3 * HOUR_MS);
		await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
		for (const minutes of [0, 2]) {
			harness.skipTime(minutes * MINUTE_MS);
			expect([await deliver(first), await deliver(second), await deliver(await webhook())]).toEqual([401, 200, 200]);
		}
	});

	test('is not accepted at a URL that does not name it', async () => {
		const { webhook_url: url, webhook_secret } = await webhook();
		harness.skipTime(3 * HOUR_MS);
		await rotate();
		harness.skipTime(3 * HOUR_MS);
		const [base] = url.split('?');
		const campaign = `campaign=${service.seed.campaigns.active}`;
		for (const query of ['', `?${campaign}`, `?${campaign}&g=1`, `?${campaign}&g=`]) {
			expect([query, await deliver({ webhook_url: `${base}${query}`, webhook_secret })]).toEqual([query, 401]);
		}
	});

	test('was replaced also if n8n has an older state of the workflow stored', async () => {
		const stored = trigger.deployment.storedStaticData();
		const former = await webhook();
		harness.skipTime(3 * HOUR_MS);
		await rotate();
		trigger.deployment.restoreStaticData(stored);
		harness.skipTime(HOUR_MS + MINUTE_MS);
		expect([await deliver(former), await deliver(await webhook())]).toEqual([401, 200]);
	});
});

describe('The list of the service, which tells what was replaced,', () => {
	test('is not read in the first hour, and once an hour then', async () => {
		const before = await listings();
		const present = await webhook();
		expect([await deliver(present), await deliver(present)]).toEqual([200, 200]);
		expect((await listings()) - before).toBe(0);
		for (const reads of [1, 2]) {
			harness.skipTime(HOUR_MS + MINUTE_MS);
			expect([await deliver(present), await deliver(present), await deliver(present)]).toEqual([200, 200, 200]);
			expect((await listings()) - before).toBe(reads);
		}
	});

	test('loses no event while it cannot be read, and is not asked at each delivery', async () => {
		const present = await webhook();
		harness.skipTime(3 * HOUR_MS);
		await failListings();
		const before = await listings();
		expect([await deliver(present), await deliver(present), await deliver(present)]).toEqual([200, 200, 200]);
		expect((await listings()) - before).toBe(1);
		const lines = harness.logLines
			.map(({ message }) => message)
			.filter((line) => line.includes('secrets were replaced'));
		expect(lines).toHaveLength(1);
	});

	test('counts as it was read last while it cannot be read', async () => {
		const former = await webhook();
		harness.skipTime(3 * HOUR_MS);
		await rotate();
		harness.skipTime(2 * HOUR_MS);
		expect(await deliver(former)).toBe(401);
		await failListings();
		harness.skipTime(2 * HOUR_MS);
		expect([await deliver(former), await deliver(await webhook())]).toEqual([401, 200]);
	});

	test('refuses nothing that is newer than what it said last', async () => {
		const first = await webhook();
		harness.skipTime(3 * HOUR_MS);
		expect(await deliver(first)).toBe(200);
		harness.skipTime(30 * MINUTE_MS);
		await rotate();
		const present = await webhook();
		await failListings();
		for (let hours = 0; hours < 4; hours += 1) {
			harness.skipTime(61 * MINUTE_MS);
			expect([await deliver(present), await deliver(present)]).toEqual([200, 200]);
		}
	});

	test('makes nobody read it who has no secret of the webhook', async () => {
		const { webhook_url: url } = await webhook();
		harness.skipTime(3 * HOUR_MS);
		const before = await listings();
		for (let time = 0; time < 20; time += 1) {
			expect(await deliver({ webhook_url: url, webhook_secret: `guess ${time}` })).toBe(401);
			const other = url.replace(/campaign=[^&]+/, `campaign=${time}`);
			expect(await deliver({ webhook_url: other, webhook_secret: 'guess' })).toBe(401);
			const plain = trigger.deployment.webhookUrl();
			expect(await deliver({ webhook_url: plain, webhook_secret: 'guess' })).toBe(401);
		}
		// Without any name, the URL can be that of the only campaign: that is looked up once a minute.
		expect((await listings()) - before).toBeLessThanOrEqual(1);
	});
});

describe('If the service drops or changes the query of the URL', () => {
	/** URLs that name less than the trigger has registered, or more. */
	const changed = (url: string) => {
		const [base, query = ''] = url.split('?');
		const [owner] = query.split('&');
		return [
			base,
			`${base}?${owner}`,
			`${url}&utm_source=x`,
			`${base}?${query.split('&').reverse().join('&')}`,
		] as string[];
	};

	test('a trigger with one campaign accepts its deliveries, also after a rotation and hours later', async () => {
		for (const hours of [0, 3]) {
			harness.skipTime(hours * HOUR_MS);
			if (hours > 0) {
				await rotate();
				harness.skipTime(2 * MINUTE_MS);
			}
			const present = await webhook();
			for (const url of changed(present.webhook_url)) {
				expect([url, await deliver({ ...present, webhook_url: url })]).toEqual([url, 200]);
				expect([url, await deliver({ webhook_url: url, webhook_secret: 'guess' })]).toEqual([url, 401]);
			}
		}
		const owner = { source: 'campaign', id: service.seed.campaigns.active };
		expect(trigger.instance.executions.map(({ items }) => items[0]?.webhookOwner)).toEqual(Array(8).fill(owner));
	});

	test('a trigger with several accepts those that name the campaign', async () => {
		const { active, paused } = service.seed.campaigns;
		await trigger.deployment.edit('Trigger', { parameters: { options: { additionalCampaigns: [paused] } } });
		const all = await registered(service, trigger.deployment);
		const present = all.find(({ campaign_id: id }) => id === active) as Registered;
		const statuses: number[] = [];
		for (const url of changed(present.webhook_url)) {
			statuses.push(await deliver({ ...present, webhook_url: url }));
		}
		expect(statuses).toEqual([401, 200, 200, 200]);
	});

	test('and does not even store it, a trigger with one campaign accepts its deliveries, and is said to be right', async () => {
		const withoutQueries = (body: unknown): unknown => {
			if (Array.isArray(body)) {
				return body.map(withoutQueries);
			}
			if (!isRecord(body)) {
				return body;
			}
			return Object.fromEntries(
				Object.entries(body).map(([name, value]) => [
					name,
					name === 'webhook_url' ? String(value).replace(/\?.*/, '') : withoutQueries(value),
				]),
			);
		};
		const other = await startChangedService(withoutQueries);
		trigger = await publishTrigger(other);
		other.n8nUrl = trigger.instance.url;
		for (const hours of [0, 3]) {
			harness.skipTime(hours * HOUR_MS);
			const [{ webhook_secret }] = await registered(other, trigger.deployment);
			expect(await deliver({ webhook_url: trigger.deployment.webhookUrl(), webhook_secret })).toBe(200);
		}
		const campaign = byId(other.seed.campaigns.active);
		const check = await other.run({ resource: 'webhook', operation: 'checkRegistration', campaign });
		expect(check.outputs[0]).toMatchObject([{ json: { ok: true, answers: true } }]);
		const parameters = { resource: 'webhook', operation: 'rotateSecret', campaign, webhook: byId(trigger.webhookId) };
		expect((await other.run(parameters)).run.error).toMatchObject({
			description: expect.stringContaining('Unpublish and publish'),
		});
		await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
		const [{ webhook_secret }] = await registered(other, trigger.deployment);
		expect(await deliver({ webhook_url: trigger.deployment.webhookUrl(), webhook_secret })).toBe(200);
	});
});

test('After the token of the credential was changed, Rotate Secret makes the trigger accept the deliveries again', async () => {
	const before = await webhook();
	expect(await deliver(before)).toBe(200);
	const token = 'another-token';
	const other = await startService({ token });
	// The same environment with another token: the webhook of the trigger is there.
	const campaign = other.seed.campaigns.active;
	const { body } = await other.api('POST', `campaigns/${campaign}/webhooks`, {
		...{ name: 'Kept', webhook_url: before.webhook_url, events: ['campaign_call.completed'] },
		webhook_secret: before.webhook_secret,
	});
	trigger.instance.setCredentials(other.credentials());
	// For a minute, the trigger goes on with what it knows of the credential.
	harness.skipTime(61_000);
	expect(await deliver(before)).toBe(401);
	other.n8nUrl = trigger.instance.url;
	const { outputs } = await other.run({
		...{ resource: 'webhook', operation: 'rotateSecret', campaign: byId(campaign) },
		webhook: byId((body.data as { id: string }).id),
	});
	expect(outputs[0]).toMatchObject([{ json: { rotated: true } }]);
	const [after] = await registered(other, trigger.deployment);
	expect([await deliver(after as Registered), await deliver(before)]).toEqual([200, 401]);
});

test('Who knows a secret, but not the token, can compute no other one', async () => {
	const { webhook_secret: secret, webhook_url: url } = await webhook();
	const made = new URL(url).searchParams.get('g');
	const guesses = [secret, hmac(secret, secret), hmac('', secret), hmac(secret, `${Number(made) + 1}`)];
	const later = url.replace(`g=${made}`, `g=${Number(made) + 1}`);
	for (const guess of guesses) {
		expect(await deliver({ webhook_url: later, webhook_secret: guess })).toBe(401);
	}
	// The same generation of a test run, and of another trigger.
	await trigger.deployment.listenForTest();
	const other = await publishTrigger(service);
	expect(await deliver({ webhook_url: url.replace('/webhook/', '/webhook-test/'), webhook_secret: secret })).toBe(401);
	expect(
		await deliver({ webhook_url: url.replace(/.*\?/, `${other.deployment.webhookUrl()}?`), webhook_secret: secret }),
	).toBe(401);
	expect(await deliver({ webhook_url: url, webhook_secret: secret })).toBe(200);
});

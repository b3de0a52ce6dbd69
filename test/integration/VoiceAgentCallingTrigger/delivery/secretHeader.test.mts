import { SECRET_HEADER } from '../../../../nodes/shared/nodeLink/deliverySecret.ts';
import { harness } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import { hmac, type Published, publishTrigger, type Registered, registered, send } from '../../triggers.mts';

const HOUR_MS = 3_600_000;
const one = { name: 'X-One', value: 'first-value-of-the-user' };
const byHeader = { verifyBy: 'header', extraHeaders: { values: [one] } };

let service: Service;
let trigger: Published;
let count = 0;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => {
	await service.reset();
	await publish(byHeader);
});
afterEach(() => harness.restoreTime());

async function publish(options: object): Promise<void> {
	trigger = await publishTrigger(service, { options } as never);
	service.n8nUrl = trigger.instance.url;
}

type Hook = Registered & { custom_headers: Array<{ key: string; value: string }> };

/** The webhook of a campaign, as the service has it now. */
async function webhook(campaign = service.seed.campaigns.active): Promise<Hook> {
	const all = (await registered(service, trigger.deployment)) as Hook[];
	return all.find(({ campaign_id: id }) => id === campaign) as Hook;
}

const secretIn = ({ custom_headers: headers }: Hook) => headers.find(({ key }) => key === SECRET_HEADER)?.value ?? '';
const othersIn = ({ custom_headers: headers }: Hook) => headers.filter(({ key }) => key !== SECRET_HEADER);

/** The status of the answer to a delivery with the header. */
async function deliver({ webhook_url: url }: Hook, value: string, headers = {}): Promise<number> {
	const body = JSON.stringify({ event: 'campaign_call.completed', id: `header-${(count += 1)}` });
	return (await send(url, body, { [SECRET_HEADER]: value, ...headers })).status;
}

/** Runs an operation on the webhook of the trigger. @returns its first item */
async function run(operation: string, more = {}, campaign = service.seed.campaigns.active) {
	const { id } = await webhook(campaign);
	const parameters = { resource: 'webhook', operation, campaign: byId(campaign), webhook: byId(id), ...more };
	const { outputs } = await service.run(parameters, undefined, { node: { onError: 'continueRegularOutput' } });
	return outputs[0]?.[0]?.json as Record<string, unknown>;
}

test('publishing registers a header of 256 bits beside those of the user, and the deliveries start the workflow without it', async () => {
	const hook = await webhook();
	expect(secretIn(hook)).toMatch(/^[0-9a-f]{64}$/);
	expect(secretIn(hook)).not.toBe(hook.webhook_secret);
	expect(othersIn(hook)).toEqual([{ key: one.name, value: one.value }]);
	expect((await service.deliver({ webhookId: hook.id })).attempts).toMatchObject([{ status: 200 }]);
	expect(trigger.instance.executions).toHaveLength(1);
	expect(JSON.stringify(trigger.instance.executions.map(({ items }) => items))).not.toContain(secretIn(hook));
});

test('only the header counts, and not a signature', async () => {
	const hook = await webhook();
	const right = secretIn(hook);
	expect(await deliver(hook, right, { 'x-signature': 'a'.repeat(64) })).toBe(200);
	for (const value of ['', right.slice(1), `${right}0`, right.toUpperCase(), hmac(right, ''), hook.webhook_secret]) {
		expect([value, await deliver(hook, value)]).toEqual([value, 401]);
	}
	const body = '{"id":"signed"}';
	const { length } = harness.logLines;
	expect((await send(hook.webhook_url, body, { 'x-signature': hmac(hook.webhook_secret, body) })).status).toBe(401);
	expect(JSON.stringify(harness.logLines.slice(length))).toContain('secret header missing or wrong');
	expect((await service.deliver({ webhookId: hook.id, tamper: 'secret' })).attempts).toMatchObject([{ status: 200 }]);
});

test('the header of another campaign, trigger or test run does not count', async () => {
	const { paused } = service.seed.campaigns;
	const first = trigger;
	await publish({ ...byHeader, additionalCampaigns: [paused] });
	const [hook, other] = [await webhook(), await webhook(paused)];
	expect([await deliver(hook, secretIn(hook)), await deliver(other, secretIn(other))]).toEqual([200, 200]);
	expect([await deliver(hook, secretIn(other)), await deliver(other, secretIn(hook))]).toEqual([401, 401]);
	const [elsewhere] = (await registered(service, first.deployment)) as Hook[];
	expect(await deliver(elsewhere as Hook, secretIn(hook))).toBe(401);
	await trigger.deployment.listenForTest();
	const test = { ...hook, webhook_url: hook.webhook_url.replace('/webhook/', '/webhook-test/') };
	expect(await deliver(test, secretIn(hook))).toBe(401);
});

test('changing Verify By and publishing again changes the webhook, and restarting does nothing more', async () => {
	const before = await webhook();
	await trigger.deployment.edit('Trigger', { parameters: { options: { extraHeaders: { values: [one] } } } });
	const signed = await webhook();
	expect(signed.custom_headers).toEqual([{ key: one.name, value: one.value }]);
	expect(await deliver(signed, secretIn(before))).toBe(401);
	expect((await service.deliver({ webhookId: signed.id })).attempts).toMatchObject([{ status: 200 }]);
	await trigger.deployment.edit('Trigger', { parameters: { options: byHeader } });
	const again = await webhook();
	expect(secretIn(again)).not.toBe(secretIn(before));
	expect(await deliver(again, secretIn(again))).toBe(200);
	const writes = async () => (await service.requests()).filter(({ method }) => method !== 'GET').length;
	const [count] = [await writes()];
	await trigger.deployment.publish();
	expect(await writes()).toBe(count);
});

test('a rotation renews the header, and the former one counts for an hour', async () => {
	const before = await webhook();
	harness.skipTime(3 * HOUR_MS);
	expect(await run('rotateSecret')).toMatchObject({ rotated: true });
	const after = await webhook();
	expect(secretIn(after)).not.toBe(secretIn(before));
	expect(othersIn(after)).toEqual(othersIn(before));
	expect([await deliver(before, secretIn(before)), await deliver(after, secretIn(before))]).toEqual([200, 200]);
	expect(await deliver(after, secretIn(after))).toBe(200);
	harness.skipTime(HOUR_MS + 120_000);
	expect([await deliver(after, secretIn(before)), await deliver(after, secretIn(after))]).toEqual([401, 200]);
});

test('an update of the extra headers or of another setting keeps the header', async () => {
	const before = await webhook();
	const two = { name: 'X-Two', value: 'second-value' };
	for (const [values, others] of [
		[[two], [{ key: two.name, value: two.value }]],
		[[{ name: SECRET_HEADER.toLowerCase(), value: 'mine' }], []],
	] as const) {
		await run('update', { updateFields: { extraHeaders: { values } } });
		expect(secretIn(await webhook())).toBe(secretIn(before));
		expect(othersIn(await webhook())).toEqual(others);
	}
	await run('update', { updateFields: { extraHeaders: { values: [two] } } });
	await run('update', { updateFields: { name: 'Renamed', webhookUrl: trigger.deployment.webhookUrl() } });
	const hook = await webhook();
	expect(hook).toMatchObject({ name: 'Renamed', webhook_url: before.webhook_url });
	expect(othersIn(hook)).toEqual([{ key: two.name, value: two.value }]);
	expect(await deliver(hook, secretIn(hook))).toBe(200);
});

test('a campaign that is connected gets the header, and is repaired if it was connected before', async () => {
	const { paused } = service.seed.campaigns;
	const target = { trigger: { __rl: true, mode: 'url', value: trigger.deployment.webhookUrl() } };
	const connect = async () =>
		await service.run({ resource: 'webhook', operation: 'connectToTrigger', campaign: byId(paused), ...target });
	await trigger.deployment.edit('Trigger', { parameters: { options: {} } });
	await connect();
	const signed = await webhook(paused);
	expect(signed.custom_headers).toEqual([]);
	await trigger.deployment.edit('Trigger', { parameters: { options: byHeader } });
	const checked = await run('checkRegistration', {}, paused);
	expect(checked).toMatchObject({ ok: false, problems: [{ code: 'SECRET_HEADER_MISSING' }] });
	expect(await run('rotateSecret', {}, paused)).toMatchObject({ rotated: true });
	const repaired = await webhook(paused);
	expect(await deliver(repaired, secretIn(repaired))).toBe(200);
	expect(await run('checkRegistration', {}, paused)).toMatchObject({ ok: true });
	await connect();
	const connected = await webhook(paused);
	expect(othersIn(connected)).toEqual([{ key: one.name, value: one.value }]);
	expect(await deliver(connected, secretIn(connected))).toBe(200);
});

test('the value of the header is in no output, log, error, or what n8n stores', async () => {
	const { length } = harness.logLines;
	const values = [secretIn(await webhook())];
	const shown: unknown[] = [];
	const note = async (work: Promise<unknown>) => {
		shown.push(await work);
		values.push(secretIn(await webhook()));
	};
	await note(run('rotateSecret'));
	await note(run('checkRegistration'));
	await note(run('update', { updateFields: { extraHeaders: { values: [one] } } }));
	const logs = { kind: 'status', status: 200, times: 1 } as const;
	const hook = await webhook();
	for (const name of [SECRET_HEADER, SECRET_HEADER.toLowerCase()]) {
		for (const data of [
			{ ...hook, custom_headers: [{ key: name, value: secretIn(hook) }] },
			{ request: `${name}: ${secretIn(hook)}` },
		]) {
			await service.fault({
				...logs,
				match: { method: 'GET' },
				body: { success: true, data: { id: hook.id, ...data } },
			});
			await note(run('get', { output: 'raw' }));
		}
	}
	await service.fault({
		match: { method: 'PUT' },
		kind: 'status',
		status: 422,
		body: { message: `No ${secretIn(hook)}` },
		times: 1,
	});
	await note(run('update', { updateFields: { extraHeaders: { values: [one] } } }));
	await deliver(hook, secretIn(hook).slice(1));
	await deliver(hook, secretIn(hook));
	const seen = JSON.stringify([
		shown,
		harness.logLines.slice(length),
		trigger.deployment.storedStaticData(),
		trigger.instance.executions.map(({ items }) => items),
	]);
	expect(seen).toContain('[hidden]');
	for (const value of values) {
		expect(value).toHaveLength(64);
		expect(seen).not.toContain(value);
	}
});

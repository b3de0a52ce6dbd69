import { SECRET_HEADER } from '../../../../nodes/shared/triggerSecrets/deliverySecret.ts';
import { harness } from '../../harness.mts';
import { byId, goesOn, jsonOf, useService } from '../../service.mts';
import { hmac, type Published, publishTrigger, type Registered, registered, send } from '../../triggers.mts';

const HOUR_MS = 3_600_000;
const one = { name: 'X-One', value: 'first-value-of-the-user' };
const two = { name: 'X-Two', value: 'second-value' };
const headers = (...values: object[]) => ({ extraHeaders: { values } });
const byHeader = { verifyBy: 'header', ...headers(one) };

const service = useService();
let trigger: Published;
let count = 0;
beforeEach(async () => await publish(byHeader));
afterEach(() => harness.restoreTime());

async function publish(options: object): Promise<void> {
	trigger = await publishTrigger(service, { options } as never);
	service.n8nUrl = trigger.instance.url;
}
const edit = async (options: object) =>
	await trigger.deployment.edit('Trigger', { parameters: { options: options as never } });

type Hook = Registered & { custom_headers: Array<{ key: string; value: string }> };

async function webhook(campaign = service.seed.campaigns.active, { deployment } = trigger): Promise<Hook> {
	const all = (await registered(service, deployment)) as Hook[];
	return all.find(({ campaign_id: id }) => id === campaign) as Hook;
}

const secretIn = (hook: Hook) => hook.custom_headers.find(({ key }) => key === SECRET_HEADER)?.value ?? '';
const othersIn = (hook: Hook) =>
	hook.custom_headers.filter(({ key }) => key !== SECRET_HEADER).map(({ key: name, value }) => ({ name, value }));

async function deliver({ webhook_url: url }: Hook, value: string, more = {}): Promise<number> {
	const body = JSON.stringify({ event: 'campaign_call.completed', id: `header-${(count += 1)}` });
	return (await send(url, body, { [SECRET_HEADER]: value, ...more })).status;
}

/** Runs an operation on the webhook of the trigger. @returns its first item */
async function run(operation: string, more = {}, campaign = service.seed.campaigns.active) {
	const { id } = await webhook(campaign);
	const parameters = { resource: 'webhook', operation, campaign: byId(campaign), webhook: byId(id), ...more };
	return jsonOf(await service.run(parameters, undefined, { node: goesOn }))[0] as Record<string, unknown>;
}
const update = async (updateFields: object) => await run('update', { updateFields });

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
	const { active, paused } = service.seed.campaigns;
	const first = trigger;
	await publish({ ...byHeader, additionalCampaigns: [paused] });
	const [hook, other] = [await webhook(), await webhook(paused)];
	expect([await deliver(hook, secretIn(hook)), await deliver(other, secretIn(other))]).toEqual([200, 200]);
	expect([await deliver(hook, secretIn(other)), await deliver(other, secretIn(hook))]).toEqual([401, 401]);
	expect(await deliver(await webhook(active, first), secretIn(hook))).toBe(401);
	await trigger.deployment.listenForTest();
	const test = { ...hook, webhook_url: hook.webhook_url.replace('/webhook/', '/webhook-test/') };
	expect(await deliver(test, secretIn(hook))).toBe(401);
});

test('changing Verify By and publishing again changes the webhook', async () => {
	const before = await webhook();
	await edit(headers(one));
	const signed = await webhook();
	expect([secretIn(signed), othersIn(signed)]).toEqual(['', [one]]);
	expect(await deliver(signed, secretIn(before))).toBe(401);
	expect((await service.deliver({ webhookId: signed.id })).attempts).toMatchObject([{ status: 200 }]);
	await edit(byHeader);
	const again = await webhook();
	expect(secretIn(again)).not.toBe(secretIn(before));
	expect(await deliver(again, secretIn(again))).toBe(200);
});

test('a rotation renews the header, and the former one counts for an hour', async () => {
	const before = await webhook();
	harness.skipTime(3 * HOUR_MS);
	expect(await run('rotateSecret')).toMatchObject({ rotated: true });
	const after = await webhook();
	expect(secretIn(after)).not.toBe(secretIn(before));
	expect(othersIn(after)).toEqual([one]);
	const former = async () => [await deliver(before, secretIn(before)), await deliver(after, secretIn(before))];
	expect([...(await former()), await deliver(after, secretIn(after))]).toEqual([200, 200, 200]);
	harness.skipTime(HOUR_MS + 120_000);
	expect([...(await former()), await deliver(after, secretIn(after))]).toEqual([401, 401, 200]);
});

test('an update of the extra headers or of another setting keeps the header', async () => {
	const before = await webhook();
	for (const [values, others] of [
		[{ name: SECRET_HEADER.toLowerCase(), value: 'mine' }, []],
		[two, [two]],
	] as const) {
		await update(headers(values));
		expect([secretIn(await webhook()), othersIn(await webhook())]).toEqual([secretIn(before), others]);
	}
	await update({ name: 'Renamed', webhookUrl: trigger.deployment.webhookUrl() });
	const hook = await webhook();
	expect(hook).toMatchObject({ name: 'Renamed', webhook_url: before.webhook_url });
	expect([await deliver(hook, secretIn(before)), othersIn(hook)]).toEqual([200, [two]]);
});

test('a campaign that is connected gets the header, and is repaired if it was connected before', async () => {
	const { paused } = service.seed.campaigns;
	const target = { __rl: true, mode: 'url', value: trigger.deployment.webhookUrl() };
	const connecting = { resource: 'webhook', operation: 'connectToTrigger', campaign: byId(paused), trigger: target };
	await edit({});
	await service.run(connecting);
	expect((await webhook(paused)).custom_headers).toEqual([]);
	await edit(byHeader);
	const checked = async () => await run('checkRegistration', {}, paused);
	expect(await checked()).toMatchObject({ ok: false, problems: [{ code: 'SECRET_HEADER_MISSING' }] });
	await run('rotateSecret', {}, paused);
	const repaired = await webhook(paused);
	expect([await deliver(repaired, secretIn(repaired)), await checked()]).toMatchObject([200, { ok: true }]);
	await service.run(connecting);
	const connected = await webhook(paused);
	expect([await deliver(connected, secretIn(connected)), othersIn(connected)]).toEqual([200, [one]]);
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
	await note(update(headers(one)));
	const hook = await webhook();
	const value = secretIn(hook);
	for (const key of [SECRET_HEADER, SECRET_HEADER.toLowerCase()]) {
		for (const data of [{ ...hook, custom_headers: [{ key, value }] }, { request: `${key}: ${value}` }]) {
			const body = { success: true, data: { id: hook.id, ...data } };
			await service.fault({ match: { method: 'GET' }, kind: 'status', status: 200, body });
			await note(run('get', { output: 'raw' }));
		}
	}
	await service.fault({ match: { method: 'PUT' }, kind: 'status', status: 422, body: { message: `No ${value}` } });
	await note(update(headers(one)));
	await deliver(hook, value.slice(1));
	await deliver(hook, value);
	const { deployment, instance } = trigger;
	const items = instance.executions.map((execution) => execution.items);
	const seen = JSON.stringify([shown, harness.logLines.slice(length), deployment.storedStaticData(), items]);
	expect(seen).toContain('[hidden]');
	for (const secret of values) {
		expect(secret).toHaveLength(64);
		expect(seen).not.toContain(secret);
	}
});

import { randomInt } from 'node:crypto';

import { until } from '../../scripts/lib/waiting.mts';
import { tableRows } from './example.mts';
import { Instance } from './instance.mts';
import { importLargeCampaign, type LedgerChoices, type Row, tally } from './ledger.mts';
import { inWords, size } from './size.mts';

/** The example itself has 20,000 contacts, in 40 batches. */
const EXAMPLE = 20_000;
const CONTACTS = size({ small: 1000, full: EXAMPLE });
const BATCH = CONTACTS === EXAMPLE ? 500 : 100;

/** Between which of its batches n8n is killed, as a share of all, once in each range. */
const KILLS = [
	[0.2, 0.4],
	[0.55, 0.8],
] as const;

/** How fast the workflow works through the ledger: the small one with short executions. */
const PACE: Pick<LedgerChoices, 'everySeconds' | 'timeoutSeconds' | 'settings'> =
	CONTACTS === EXAMPLE
		? { everySeconds: 10, timeoutSeconds: 30, settings: { minutesPerRun: 0.3, claimMinutes: 0.7 } }
		: { everySeconds: 2, timeoutSeconds: 5, settings: { batchSize: BATCH, minutesPerRun: 0.05, claimMinutes: 0.12 } };

let n8n: Instance;
let campaigns: { active: string; paused: string };

beforeAll(async () => {
	// At this speed a call is over a second after it was queued, and the service would take the number again: here
	// nothing but the ledger keeps a contact from being called twice. The ledger's times must not depend on the zone.
	const env = { TZ: 'America/New_York', GENERIC_TIMEZONE: 'America/New_York' };
	n8n = await Instance.start({ env, options: ['--rate-limit', '10000000'] });
	campaigns = (await n8n.service.get('/_sandbox/seed')).data.campaigns;
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** The numbers of all calls that a campaign has, in order. */
async function calledIn(campaignId: string): Promise<string[]> {
	const { data } = await n8n.service.get(`/api/v1/campaigns/${campaignId}`);
	return data.data.calls.map(({ to }: { to: string }) => to).sort();
}

/** How many calls a campaign has, without the whole list of them. */
async function callCount(campaignId: string): Promise<number> {
	const { data } = await n8n.service.get('/api/v1/campaigns', { params: { status: 'active' } });
	return data.data.find(({ id }: { id: string }) => id === campaignId).stats.total_calls;
}

/** Waits until a ledger has that many contacts in a state; gives its rows. */
async function rowsWith(table: string, state: string, count: number, seconds: number): Promise<Row[]> {
	let rows: Row[] = [];
	const states = () => tally(rows.map((row) => row.state));
	const ask = async () => {
		rows = await tableRows<Row>(n8n, table);
		return states()[state] === count ? rows : undefined;
	};
	const otherwise = () => new Error(`The ledger stayed ${JSON.stringify(states())}`);
	return await until(ask, { seconds, every: 250, otherwise });
}

test('A contact is refused, stays waiting or is looked up, depending on the answer to its request', async () => {
	const table = 'Small Ledger';
	const campaignId = campaigns.paused;
	const numbers = Array.from({ length: 20 }, (_, index) => `+442079460${900 + index}`);
	const people = [...numbers, 'not yet known', '+44 (0)20 7946-0900'];
	const contacts = people.map((number, index) => ({ contact: `c-${index}`, name: `Contact ${index}`, number }));
	const settings = { batchSize: 21, minutesPerRun: 0.05, claimMinutes: 0.12 };
	const id = await importLargeCampaign(n8n, {
		campaignId,
		table,
		everySeconds: 2,
		timeoutSeconds: 60,
		settings,
		contacts,
	});

	// Twice: nobody is added a second time, nor by another spelling of the number.
	for (const times of [1, 2]) {
		await n8n.editor.run(id, 'Fill the Ledger');
		await n8n.finished(id, times);
	}
	await rowsWith(table, 'waiting', 21, 5);

	await n8n.editor.publish(id);
	const isFailed = ({ status }: { status: string }) => status === 'error';
	const failed = await until(async () => (await n8n.editor.executions(id)).find(isFailed), {
		seconds: 20,
		otherwise: () => new Error('No execution says that the campaign is not active'),
	});
	expect((await n8n.editor.execution(failed.id)).data).toMatch(/not active[^"]*Nobody is forgotten/);
	expect(tally((await rowsWith(table, 'waiting', 20, 20)).map(({ state }) => state))).toEqual({
		waiting: 20,
		refused: 1,
	});

	await n8n.unpublish(id);
	await n8n.finished(id, 3);
	const match = { method: 'POST', path: `/api/v1/campaigns/${campaignId}/call` };
	for (const kind of ['drop-after', 'drop-before']) {
		await n8n.service.post('/_sandbox/faults', { match, kind });
	}
	await n8n.service.patch(`/api/v1/campaigns/${campaignId}/status`, { status: 'active' });
	await n8n.editor.publish(id);
	await rowsWith(table, 'unknown', 2, 30);
	const rows = await rowsWith(table, 'queued', 20, 60);

	const queued = rows.filter(({ state }) => state === 'queued');
	expect(tally(queued.map(({ message }) => message))).toEqual({
		'': 19,
		'Cut off, and found among the calls of the campaign': 1,
	});
	expect(rows.find(({ state }) => state === 'refused')).toMatchObject({
		contact: 'c-20',
		message: expect.stringContaining('number'),
	});
	expect(await calledIn(campaignId)).toEqual(numbers);
	await n8n.unpublish(id);
}, 150_000);

test('Retry in the list of executions sends no contact that another execution may have sent', async () => {
	const table = 'Retried Ledger';
	const campaignId = campaigns.active;
	const before = await calledIn(campaignId);
	const numbers = Array.from({ length: 20 }, (_, index) => `+120255501${10 + index}`);
	const contacts = numbers.map((number, index) => ({ contact: `c-${index}`, name: `Contact ${index}`, number }));
	const settings = { minutesPerRun: 0.05, claimMinutes: 0.12 };
	const queueCall = { onError: 'stopWorkflow' };
	const id = await importLargeCampaign(n8n, {
		campaignId,
		table,
		everySeconds: 2,
		timeoutSeconds: 60,
		settings,
		contacts,
		queueCall,
	});
	await n8n.editor.run(id, 'Fill the Ledger');
	await n8n.finished(id, 1);

	const path = `/api/v1/campaigns/${campaignId}/call`;
	const sent = async () => (await n8n.requests()).filter((request) => request.path === path).length;
	await n8n.service.post('/_sandbox/faults', { match: { path }, kind: 'status', status: 500 });
	const failed = await n8n.editor.run(id, 'Every Five Minutes');
	expect((await n8n.finished(id, 2))[0]).toMatchObject({ id: failed, status: 'error' });
	const count = await sent();
	expect(count).toBeLessThan(20);

	await n8n.editor.request('POST', `/rest/executions/${failed}/retry`, { loadWorkflow: false });
	await n8n.finished(id, 3);
	expect(await sent()).toBe(count);
	await rowsWith(table, 'sending', 20, 1);

	await n8n.editor.publish(id);
	await rowsWith(table, 'queued', 20, 60);
	expect(await calledIn(campaignId)).toEqual([...before, ...numbers].sort());
	await n8n.unpublish(id);
}, 120_000);

/** So many contacts in place of the example's own, where those are more. */
const contacts = Array.from({ length: CONTACTS }, (_, index) => {
	return { contact: `c-${index}`, name: `Contact ${index}`, number: `+1202${5_600_000 + index}` };
});

test(`${inWords(CONTACTS)} contacts are queued, each once, although n8n is killed twice on the way`, async () => {
	const table = 'Large Ledger';
	const campaignId = campaigns.active;
	const before = await callCount(campaignId);
	const earlier = (await n8n.requests()).length;
	const started = Date.now();
	const log: string[] = [];
	const note = (what: string) => log.push(`${((Date.now() - started) / 1000).toFixed(0).padStart(4)} s  ${what}`);

	const own = CONTACTS === EXAMPLE ? undefined : contacts;
	const id = await importLargeCampaign(n8n, { campaignId, table, ...PACE, contacts: own });
	await n8n.editor.run(id, 'Fill the Ledger');
	await rowsWith(table, 'waiting', CONTACTS, 60);
	note(`${CONTACTS} contacts wait`);
	await n8n.editor.publish(id);
	for (const [from, to] of KILLS) {
		// Somewhere in the middle of a batch.
		const [first, last] = [from, to].map((share) => Math.round((share * CONTACTS) / BATCH));
		const at = randomInt(first!, last!) * BATCH + randomInt(BATCH / 4, (BATCH * 3) / 4);
		let count = 0;
		const isThere = async () => {
			count = (await callCount(campaignId)) - before;
			return count >= at || undefined;
		};
		await until(isThere, { seconds: 120, every: 20, otherwise: () => new Error(`${count} calls, not ${at}`) });
		note(`${count} are queued: n8n is killed`);
		await n8n.restartN8n('SIGKILL');
		note('n8n is there again');
	}
	const rows = await rowsWith(table, 'queued', CONTACTS, 180);
	note('all are queued');

	const path = `/api/v1/campaigns/${campaignId}/call`;
	const sent = (await n8n.requests()).slice(earlier).filter((request) => request.path === path);
	const found = rows.filter(({ message }) => message.startsWith('Cut off')).length;
	note(`${sent.length} requests; ${found} contacts cut off and found among the campaign's calls`);
	const executions = tally((await n8n.editor.executions(id)).map(({ status }) => status));
	note(`executions that n8n kept: ${JSON.stringify(executions)}`);
	console.log(log.join('\n'));

	const taken = sent.filter(({ status }) => status === 201).map(({ body }) => String(body?.to));
	const numbers = rows.map(({ number }) => number).sort();
	expect(new Set(numbers).size).toBe(CONTACTS);
	expect(taken.sort()).toEqual(numbers);
	expect(await callCount(campaignId)).toBe(before + CONTACTS);
	// A kill without a running execution would prove nothing.
	expect(executions.crashed).toBeGreaterThanOrEqual(KILLS.length);
	await n8n.unpublish(id);
}, 400_000);

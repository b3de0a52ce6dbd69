import { randomInt } from 'node:crypto';

import { until } from '../../scripts/lib/process.mts';
import { tally } from './eventStream.mts';
import { comes } from './eventually.mts';
import { addOptions, enter, importExample, nodeOf, tableRows } from './example.mts';
import { byId, Instance } from './instance.mts';
import { inWords, size } from './size.mts';

/** One contact as the ledger has it. */
interface Row {
	number: string;
	contact: string;
	state: string;
	message: string;
}

/** The example itself has 20,000 contacts, in 40 batches. */
const EXAMPLE = 20_000;
const CONTACTS = size({ small: 400, full: EXAMPLE });
const IS_FULL = CONTACTS === EXAMPLE;
const BATCH = IS_FULL ? 500 : 50;

/** Between which of its batches n8n is killed, as a share of all, once in each range. */
const KILLS = IS_FULL
	? [
			[0.2, 0.4],
			[0.55, 0.8],
		]
	: [[0.3, 0.7]];

/** How fast the workflow works through the ledger: the small one with short executions. */
const PACE: Pick<Choices, 'every' | 'timeout' | 'settings'> = IS_FULL
	? { every: 10, timeout: 30, settings: { minutesPerRun: 0.3, claimMinutes: 0.7 } }
	: { every: 2, timeout: 5, settings: { batchSize: BATCH, minutesPerRun: 0.05, claimMinutes: 0.12 } };

let n8n: Instance;
let campaigns: { active: string; paused: string };

beforeAll(async () => {
	// At this speed a call is over a second after it was queued, and the service would take the number again: here
	// nothing but the ledger keeps a contact from being called twice. The ledger's times must not depend on the zone.
	const env = { TZ: 'America/New_York', GENERIC_TIMEZONE: 'America/New_York' };
	n8n = await Instance.start({ env, options: ['--rate-limit', '10000000'] });
	campaigns = (await n8n.service.get('/_sandbox/seed')).data.campaigns;
});

/** What a person changes about the example after importing it. */
interface Choices {
	campaignId: string;
	/** The name of the ledger, which is one for each campaign. */
	table: string;
	/** How often the workflow starts by itself, and when n8n ends an execution, in seconds. */
	every: number;
	timeout: number;
	/** Other values in the node of that name. */
	settings: Record<string, number>;
	/** Numbers in place of the example's own contacts. */
	numbers?: string[] | undefined;
	/** The country of numbers without +. */
	country?: string | undefined;
	/** Other settings of the node that sends. */
	queueCall?: object;
}

/** Imports the example, and fills its ledger. */
async function fill(choices: Choices): Promise<string> {
	const { campaignId, table, every, timeout, settings, numbers, country, queueCall } = choices;
	const id = await importExample(n8n, 'queue-a-large-campaign.json', (example) => {
		example.name += `: ${table}`;
		example.settings = { ...(example.settings as object), executionTimeout: timeout };
		const change = (node: string, parameters: object) => Object.assign(nodeOf(example, node).parameters, parameters);
		for (const name of ['Read the Numbers', 'What the Service Has', 'Queue Call']) {
			change(name, { campaign: byId(campaignId) });
		}
		change('Every Five Minutes', { rule: { interval: [{ field: 'seconds', secondsInterval: every }] } });
		change('Ledger', { tableName: table });
		change('Add to the Ledger', { dataTableId: { __rl: true, mode: 'name', value: table } });
		if (country) {
			addOptions(nodeOf(example, 'Read the Numbers'), { defaultCountry: country });
		}
		enter(example, 'Settings', settings);
		if (numbers) {
			const contacts = numbers.map((phone, index) => ({ contact: `c-${index}`, name: `Contact ${index}`, phone }));
			change('Contacts', { jsCode: `return ${JSON.stringify(contacts.map((json) => ({ json })))};` });
		}
		Object.assign(nodeOf(example, 'Queue Call'), queueCall);
	});
	await n8n.run(id, 'Fill the Ledger');
	return id;
}

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

const small = { every: 2, timeout: 60, settings: { batchSize: 21, minutesPerRun: 0.05, claimMinutes: 0.12 } };

test('A contact is refused, stays waiting or is looked up, depending on the answer to its request', async () => {
	const table = 'Small Ledger';
	const campaignId = campaigns.paused;
	const numbers = Array.from({ length: 20 }, (_, index) => `+442079460${900 + index}`);
	const people = [...numbers, 'not yet known', '+44 (0)20 7946-0900'];
	const id = await fill({ campaignId, table, ...small, numbers: people });
	// A second time: nobody is added again.
	await n8n.run(id, 'Fill the Ledger');
	const filled = await rowsWith(table, 'waiting', 20, 5);
	expect(filled.filter(({ state }) => state !== 'waiting')).toMatchObject([
		{ contact: 'c-20', state: 'refused', number: 'not yet known', message: expect.stringContaining('number') },
		{ contact: 'c-21', state: 'refused', number: numbers[0], message: 'The same number as c-0' },
	]);

	await n8n.editor.publish(id);
	const isFailed = ({ status }: { status: string }) => status === 'error';
	const failed = await comes(async () => (await n8n.editor.executions(id)).find(isFailed), 'a failed execution');
	expect((await n8n.editor.execution(failed.id)).data).toMatch(/not active[^"]*Nobody is forgotten/);
	const states = (await rowsWith(table, 'waiting', 20, 20)).map(({ state }) => state);
	expect(tally(states)).toEqual({ waiting: 20, refused: 2 });

	await n8n.editor.unpublish(id);
	await n8n.finished(id, 3);
	for (const kind of ['drop-after', 'drop-before']) {
		await n8n.fault('POST', `/api/v1/campaigns/${campaignId}/call`, { kind });
	}
	await n8n.service.patch(`/api/v1/campaigns/${campaignId}/status`, { status: 'active' });
	await n8n.editor.publish(id);
	await rowsWith(table, 'unknown', 2, 30);
	const rows = await rowsWith(table, 'queued', 20, 60);
	expect(tally(rows.filter(({ state }) => state === 'queued').map(({ message }) => message))).toEqual({
		'': 19,
		'Cut off, and found among the calls of the campaign': 1,
	});
	expect(await calledIn(campaignId)).toEqual(numbers);
	await n8n.editor.unpublish(id);
});

test('A contact that the service refuses stops nobody behind it', async () => {
	const table = 'Ledger With a Refusal';
	const campaignId = campaigns.active;
	const numbers = ['+12025550201', '+12025550202', '+12025550203'];
	const settings = { batchSize: 1, minutesPerRun: 1, claimMinutes: 2 };
	const id = await fill({ campaignId, table, every: 3600, timeout: 60, settings, numbers });
	const message = 'Calls to this country are not allowed';
	await n8n.fault('POST', `/api/v1/campaigns/${campaignId}/call`, { kind: 'status', status: 403, body: { message } });
	expect((await n8n.run(id, 'Every Five Minutes')).status).toBe('error');
	expect(tally((await rowsWith(table, 'waiting', 3, 1)).map(({ message }) => message))).toEqual({ '': 3 });
	const before = (await n8n.placed()).length;
	expect((await n8n.run(id, 'Every Five Minutes')).status).toBe('success');
	expect((await n8n.placed()).slice(before).map(({ body }) => body?.to)).toEqual([...numbers.slice(1), numbers[0]]);
});

test('Retry in the list of executions sends no contact that another execution may have sent', async () => {
	const table = 'Retried Ledger';
	const campaignId = campaigns.active;
	const before = await calledIn(campaignId);
	const numbers = Array.from({ length: 20 }, (_, index) => `+120255501${10 + index}`);
	const id = await fill({ campaignId, table, ...small, numbers, queueCall: { onError: 'stopWorkflow' } });

	await n8n.fault('POST', `/api/v1/campaigns/${campaignId}/call`, { kind: 'status', status: 500 });
	const failed = await n8n.run(id, 'Every Five Minutes');
	expect(failed.status).toBe('error');
	const count = (await n8n.placed()).length;
	await n8n.editor.request('POST', `/rest/executions/${failed.id}/retry`, { loadWorkflow: false });
	await n8n.finished(id, 3);
	expect(await n8n.placed()).toHaveLength(count);
	await rowsWith(table, 'sending', 20, 1);

	await n8n.editor.publish(id);
	await rowsWith(table, 'queued', 20, 60);
	expect(await calledIn(campaignId)).toEqual([...before, ...numbers].sort());
	await n8n.editor.unpublish(id);
});

/** The same number in the notations that lists have, each for some of the contacts: as it is written, and as it is dialed. */
function notation(index: number): { written: string; dialed: string } {
	const [short, long] = [String(index).padStart(3, '0'), String(5_600_000 + index)];
	const notations = [
		{ written: `+1202${long}`, dialed: `+1202${long}` },
		{ written: `'+1202${long}`, dialed: `+1202${long}` },
		{ written: `001 202 ${long}`, dialed: `+1202${long}` },
		{ written: `020 7946 0${short}`, dialed: `+442079460${short}` },
		{ written: `+44 (0)29 2018 0${short}`, dialed: `+442920180${short}` },
	];
	return notations[index % notations.length]!;
}

const howOften = KILLS.length === 1 ? 'once' : 'twice';

test(`${inWords(CONTACTS)} contacts are queued, each once, although n8n is killed ${howOften} on the way`, async () => {
	const table = 'Large Ledger';
	const campaignId = campaigns.active;
	const before = await callCount(campaignId);
	const earlier = (await n8n.requests()).length;
	const own = Array.from({ length: IS_FULL ? 0 : CONTACTS }, (_, index) => notation(index));
	// Some people are in the list twice, the second time in another notation.
	const twice = own.filter((_, index) => index % 7 === 0).map(({ dialed }) => dialed.replace(/^[+]/, '00 '));
	const numbers = IS_FULL ? undefined : [...own.map(({ written }) => written), ...twice];
	const id = await fill({ campaignId, table, ...PACE, numbers, country: IS_FULL ? undefined : 'GB' });
	await rowsWith(table, 'waiting', CONTACTS, 60);
	await n8n.editor.publish(id);
	for (const range of KILLS) {
		// Somewhere in the middle of a batch.
		const [first, last] = range.map((share) => Math.round((share * CONTACTS) / BATCH));
		const at = randomInt(first!, last!) * BATCH + randomInt(Math.ceil(BATCH / 4), Math.floor((BATCH * 3) / 4));
		const isThere = async () => (await callCount(campaignId)) - before >= at || undefined;
		await until(isThere, { seconds: 120, every: 20, otherwise: () => new Error(`There are no ${at} calls`) });
		await n8n.restartN8n('SIGKILL');
	}
	const rows = await rowsWith(table, 'queued', CONTACTS, 180);
	const sent = (await n8n.requests())
		.slice(earlier)
		.filter(({ path }) => path === `/api/v1/campaigns/${campaignId}/call`);
	const executions = tally((await n8n.editor.executions(id)).map(({ status }) => status));
	const taken = sent.filter(({ status }) => status === 201).map(({ body }) => String(body?.to));
	const due = rows.filter(({ state }) => state !== 'refused').map(({ number }) => number);
	expect(new Set(due).size).toBe(CONTACTS);
	expect(taken.sort()).toEqual(due.sort());
	expect(rows.filter(({ state }) => state === 'refused')).toHaveLength(twice.length);
	expect(due).toEqual(expect.arrayContaining(own.map(({ dialed }) => dialed)));
	expect(await callCount(campaignId)).toBe(before + CONTACTS);
	// A kill without a running execution would prove nothing.
	expect(executions.crashed).toBeGreaterThanOrEqual(KILLS.length);
}, 400_000);

import { until } from '../../scripts/lib/waiting.mts';
import { addOptions, importExample, nodeOf, tableRows } from './example.mts';
import { outputOf } from './executionData.mts';
import { Instance } from './instance.mts';

const MINUTE_MS = 60_000;
/** The header that CRM and SMS gateway send. */
const secret = { 'X-Secret': 'shared-1' };

let n8n: Instance;
let header: { id: string; name: string };

beforeAll(async () => {
	n8n = await Instance.start();
	const data = { name: 'X-Secret', value: 'shared-1' };
	header = { id: await n8n.createCredential('Shared secret', 'httpHeaderAuth', data), name: 'Shared secret' };
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** Sends JSON to a webhook of n8n. */
async function send(path: string, body: object, headers: Record<string, string> = secret) {
	const response = await fetch(`${n8n.n8n.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
	return { status: response.status, text: await response.text() };
}

/** How often the service was asked to call a number. */
async function dialed(to: string): Promise<number> {
	return (await n8n.requests()).filter(({ path, body }) => path.endsWith('/call') && body?.to === to).length;
}

describe('Speed to lead', () => {
	interface Lead {
		id: number;
		number: string;
		name: string;
		state: string;
		details: string;
		call_id: string;
		call_at: string;
		called_after_seconds: number | null;
	}

	/** A time zone in which it is about noon: the hours of the test do not pass midnight. */
	const noon = () => {
		const hour = 12 - new Date().getUTCHours();
		// The sign of these zones is the other way round.
		return `Etc/GMT${hour > 0 ? '-' : '+'}${Math.abs(hour)}`;
	};
	const zone = noon();
	/** When the hours of one lead begin: long enough from the start that n8n stores the execution. */
	let opensAt: number;

	const leads = async (name: string) => (await tableRows<Lead>(n8n, 'Leads')).filter((row) => row.name === name);

	/** The only row of somebody, once it has a state. */
	async function lead(name: string, state: string, seconds = 30): Promise<Lead> {
		let rows: Lead[] = [];
		const ask = async () => {
			rows = await leads(name);
			return rows.find((row) => row.state === state);
		};
		return await until(ask, { seconds, otherwise: () => new Error(`The rows stayed ${JSON.stringify(rows)}`) });
	}

	let workflowId: string;

	beforeAll(async () => {
		opensAt = Math.ceil((Date.now() + 110_000) / MINUTE_MS) * MINUTE_MS;
		const opens = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(
			opensAt,
		);
		workflowId = await importExample(n8n, 'call-a-new-lead-at-once.json', (workflow) => {
			nodeOf(workflow, 'New Lead').credentials = { httpHeaderAuth: header };
			const from = `={{ $('Lead').first().json.name === 'Katherine' ? '${opens}' : '00:00' }}`;
			const { callingHours } = nodeOf(workflow, 'Call the Lead').parameters.options as {
				callingHours: { values: object };
			};
			addOptions(nodeOf(workflow, 'Call the Lead'), {
				callingHours: { values: { ...callingHours.values, from, to: '24:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7] } },
			});
		});
		await n8n.editor.publish(workflowId);
	}, 60_000);

	test('a lead outside the calling hours waits for them, and a restart of n8n does not matter', async () => {
		const body = { name: 'Katherine', phone: '+44 20 7946 0003', time_zone: zone };
		expect(await send('new-lead', body)).toMatchObject({ status: 202 });
		const row = await lead('Katherine', 'waiting');
		expect(Date.parse(row.call_at)).toBe(opensAt);
		expect(row.details).toContain('outside the calling hours');
		const sleeps = async () => {
			const [execution] = await n8n.editor.executions(workflowId);
			return execution?.status === 'waiting' || undefined;
		};
		await until(sleeps, { seconds: 20, otherwise: () => new Error('The execution does not wait') });
		await n8n.restartN8n('SIGKILL');
		expect(await dialed('+442079460003')).toBe(0);
	}, 90_000);

	test('a new lead is called within 30 seconds, and the table says how long it took', async () => {
		const start = Date.now();
		const answer = await send('new-lead', { name: 'Ada', phone: '+44 (0)20 7946 0001' });
		expect([answer.status, JSON.parse(answer.text)]).toEqual([202, { state: 'accepted', lead: expect.any(Number) }]);
		const ringing = async () => {
			const { data } = await n8n.service.get<Array<{ to: string; status: string }>>('/_sandbox/calls');
			const call = data.find(({ to }) => to === '+442079460001');
			return call && call.status !== 'initiated' ? Date.now() : undefined;
		};
		const end = await until(ringing, { seconds: 40, otherwise: () => new Error('No phone rang') });
		expect(end - start).toBeLessThan(30_000);
		const row = await lead('Ada', 'called');
		expect(row).toMatchObject({
			number: '+442079460001',
			details: '',
			call_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
		});
		expect(row.called_after_seconds).toBeLessThanOrEqual((Date.now() - start) / 1000);
		expect(row.called_after_seconds).toBeGreaterThan(0);
		const [request] = (await n8n.requests()).filter(({ body }) => body?.to === '+442079460001' && 'context' in body);
		expect(request?.body).toMatchObject({ payload: { name: 'Ada' }, context: { lead: row.id }, is_testing: false });
	}, 60_000);

	test('a lead that comes several times within a minute is called once, also at the same moment', async () => {
		const numbers = ['+44 20 7946 0104', '0044 20 79460104', '+442079460104'];
		const answers = await Promise.all(numbers.map((phone) => send('new-lead', { name: 'Hedy', phone })));
		answers.push(await send('new-lead', { name: 'Hedy', phone: numbers[0] }));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 202]);
		await lead('Hedy', 'called');
		expect((await leads('Hedy')).map(({ state }) => state).sort()).toEqual([
			'called',
			'repeated',
			'repeated',
			'repeated',
		]);
		expect(await dialed('+442079460104')).toBe(1);
	}, 60_000);

	test('a number that cannot be called is answered with the reason, and an unclear time zone is in the table', async () => {
		const answer = await send('new-lead', { name: 'Emmy', phone: '020 7946 0102' });
		expect(answer.status).toBe(422);
		expect(JSON.parse(answer.text)).toEqual({ state: 'not called', reason: expect.stringContaining('country code') });
		expect(await leads('Emmy')).toEqual([]);
		expect(await send('new-lead', { name: 'Grace', phone: '+1 202 555 0101' })).toMatchObject({ status: 202 });
		expect((await lead('Grace', 'not called')).details).toContain('time zone of the number is not clear');
		expect(await dialed('+12025550101')).toBe(0);
	}, 60_000);

	test('a lead that comes again after the service did not answer is called', async () => {
		const match = { method: 'GET', path: '/api/v1/agents/*' };
		await n8n.service.post('/_sandbox/faults', { match, kind: 'status', status: 500, times: 10 });
		const body = { name: 'Mary', phone: '+442079460106' };
		expect(await send('new-lead', body)).toMatchObject({ status: 503, text: expect.stringContaining('reason') });
		await n8n.service.delete('/_sandbox/faults');
		expect(await send('new-lead', body)).toMatchObject({ status: 202 });
		await lead('Mary', 'called');
		expect(await dialed('+442079460106')).toBe(1);
	}, 60_000);

	test('nobody is called for a request without the header', async () => {
		expect((await send('new-lead', { name: 'Joan', phone: '+442079460107' }, {})).status).toBe(403);
		expect(await leads('Joan')).toEqual([]);
		expect(await dialed('+442079460107')).toBe(0);
	});

	test('the lead that waited is called when the hours begin, once', async () => {
		const body = { name: 'Katherine', phone: '+442079460003', time_zone: zone };
		if (Date.now() < opensAt - 5000) {
			expect(await send('new-lead', body)).toMatchObject({ status: 200 });
		}
		const row = await lead('Katherine', 'called', 180);
		expect(Date.parse(row.call_at)).toBeGreaterThanOrEqual(opensAt);
		expect(Date.parse(row.call_at)).toBeLessThan(opensAt + 30_000);
		expect(await dialed('+442079460003')).toBe(1);
	}, 240_000);
});

describe('Opt-out', () => {
	interface OptOut {
		phone: string;
		source: string;
		said: string;
	}

	const people = [
		{ id: 'a', name: 'Ada', phone: '+44 (0)20 7946 0201' },
		{ id: 'b', name: 'Grace', phone: '+442079460202' },
		{ id: 'c', name: 'Emmy', phone: 'no number' },
		{ id: 'd', name: 'Hedy', phone: '0044 20 7946 0203' },
	];

	let workflowId: string;

	const list = async () => await tableRows<OptOut>(n8n, 'Do-Not-Call List');

	/** Runs the calling part by hand; gives what came out at both ends. */
	async function call() {
		const id = await n8n.editor.run(workflowId, 'When You Click Execute');
		const over = async () => {
			const { status } = await n8n.editor.execution(id);
			return ['success', 'error'].includes(status) ? status : undefined;
		};
		const status = await until(over, { seconds: 30, otherwise: () => new Error('The execution did not end') });
		const names = async (node: string) => {
			const items = await outputOf(n8n.editor, id, node);
			return items.map(({ to, result, code }) => [to, result, ...(code ? [code] : [])]);
		};
		return { status, blocked: await names('Not Called'), others: await names('Everybody Else') };
	}

	/** Queues a call in which the person says something, and waits until its transcript has been looked at. */
	async function say(to: string, text: string): Promise<void> {
		const steps = [
			{ after: 1, do: 'answer' },
			{ after: 1, do: 'say', text },
			{ after: 1, do: 'hangUp' },
		];
		await n8n.service.post('/_sandbox/script', { to, steps });
		await n8n.service.post(`/api/v1/campaigns/${n8n.sandbox.campaignId}/call`, { to });
		const seen = async () => {
			for (const { id, status } of await n8n.editor.executions(workflowId)) {
				const heard = status === 'success' ? await outputOf(n8n.editor, id, 'Said in a Call') : [];
				if (heard.some((said) => said.phone === to && said.text === text)) {
					return true;
				}
			}
			return undefined;
		};
		await until(seen, { seconds: 30, every: 500, otherwise: () => new Error(`The transcript of ${to} did not come`) });
	}

	beforeAll(async () => {
		workflowId = await importExample(n8n, 'keep-a-do-not-call-list.json', (workflow) => {
			nodeOf(workflow, 'SMS').credentials = { httpHeaderAuth: header };
			nodeOf(workflow, 'Contacts').parameters.jsonOutput = JSON.stringify({ contacts: people });
		});
		await n8n.editor.publish(workflowId);
		await n8n.webhooksWhen(n8n.sandbox.campaignId, ({ length }) => length === 1);
	}, 60_000);

	test('without an opt-out everybody is called', async () => {
		expect(await call()).toEqual({
			status: 'success',
			blocked: [],
			others: [
				['+442079460201', 'queued'],
				['+442079460202', 'queued'],
				['no number', 'failed', 'INVALID_PHONE_NUMBER'],
				['+442079460203', 'queued'],
			],
		});
	}, 60_000);

	test('nobody is called who opted out by SMS or in a call, however the number is written, and others are', async () => {
		// The calls of the first run are over.
		await n8n.service.post('/_sandbox/advance', { seconds: 600 });
		expect((await send('sms-opt-out', { from: '0044 20 7946 0201', text: 'Stop.' })).status).toBe(200);
		await say('+442079460203', 'Please stop calling me, will you?');
		expect(await list()).toMatchObject([
			{ phone: '0044 20 7946 0201', source: 'SMS', said: 'Stop.' },
			{ phone: '+442079460203', source: 'call', said: 'Please stop calling me, will you?' },
		]);
		await n8n.service.post('/_sandbox/advance', { seconds: 600 });
		const before = [await dialed('+442079460201'), await dialed('+442079460202'), await dialed('+442079460203')];
		const { status, blocked, others } = await call();
		expect(status).toBe('success');
		expect(blocked).toEqual([
			['+44 (0)20 7946 0201', 'blocked', 'DO_NOT_CALL'],
			['0044 20 7946 0203', 'blocked', 'DO_NOT_CALL'],
		]);
		expect(others).toEqual([
			['+442079460202', 'queued'],
			['no number', 'failed', 'INVALID_PHONE_NUMBER'],
		]);
		const after = [await dialed('+442079460201'), await dialed('+442079460202'), await dialed('+442079460203')];
		expect(after).toEqual([before[0], Number(before[1]) + 1, before[2]]);
	}, 90_000);

	test.each(['STOP', 'unsubscribe', 'Take me off your list', 'Do not call me again', 'Don’t ever call me', 'opt out'])(
		'“%s” is an opt-out, and a second one changes nothing',
		async (text) => {
			for (const from of ['+442079460301', '+44 20 7946 0301']) {
				expect((await send('sms-opt-out', { from, text })).status).toBe(200);
			}
			const rows = (await list()).filter(({ phone }) => phone === '+442079460301');
			expect(rows).toMatchObject([{ said: text }]);
		},
	);

	test('what is no opt-out, has no readable number or no secret leaves the list as it is', async () => {
		const before = await list();
		await say('+442079460204', 'Yes, can you stop by on Tuesday? I take my time.');
		expect((await send('sms-opt-out', { from: '+442079460205', text: 'Call me at 5' })).status).toBe(200);
		expect((await send('sms-opt-out', { from: 'PARCELS', text: 'STOP' })).status).toBe(200);
		expect((await send('sms-opt-out', { text: 'STOP' })).status).toBe(200);
		expect((await send('sms-opt-out', { from: '+442079460205', text: 'STOP' }, {})).status).toBe(403);
		expect(await list()).toEqual(before);
	}, 60_000);

	test('nobody is called while the list has an entry that cannot be read', async () => {
		const { data } = await n8n.editor.request<{ data: Array<{ id: string; name: string; projectId: string }> }>(
			'GET',
			'/rest/data-tables-global',
		);
		const table = data.find(({ name }) => name === 'Do-Not-Call List');
		await n8n.editor.request('POST', `/rest/projects/${table?.projectId}/data-tables/${table?.id}/insert`, {
			data: [{ phone: 'ask Ada', source: 'by hand', said: '' }],
			returnType: 'id',
		});
		const before = (await n8n.requests()).length;
		const { others, blocked } = await call();
		expect(blocked).toEqual([]);
		expect(others.map(([, result]) => result)).not.toContain('queued');
		const sent = (await n8n.requests()).slice(before).filter(({ path }) => path.endsWith('/call'));
		expect(sent).toEqual([]);
	}, 60_000);
});

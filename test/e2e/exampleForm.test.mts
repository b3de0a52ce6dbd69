import { until } from '../../scripts/lib/waiting.mts';
import { addOptions, importExample, nodeOf, submitForm, tableRows } from './example.mts';
import { Instance } from './instance.mts';

interface Row {
	name: string;
	phone: string;
	state: string;
	details: string;
	call_id: string;
	duration: number;
}

const authorization = `Basic ${Buffer.from('ada:form-1').toString('base64')}`;

let n8n: Instance;
let workflowId: string;
let form: string;

beforeAll(async () => {
	n8n = await Instance.share();
	const { id, name } = await n8n.editor.request<{ id: string; name: string }>('POST', '/rest/credentials', {
		name: 'Form',
		type: 'httpBasicAuth',
		data: { user: 'ada', password: 'form-1' },
	});
	workflowId = await importExample(n8n, 'inbound-form.json', (workflow) => {
		const node = Object(nodeOf(workflow, 'Ask for a Call'));
		form = `${n8n.n8n.url}/form/${String(node.webhookId)}`;
		node.credentials = { httpBasicAuth: { id, name } };
		addOptions(nodeOf(workflow, 'Queue Call and Wait'), {
			timeLimit: {
				values: {
					amount: "={{ $('Ask for a Call').first().json.Name === 'Katherine' ? 0.1 : 60 }}",
					unit: 'minutes',
				},
			},
		});
	});
	await n8n.editor.publish(workflowId);
	await n8n.webhooksWhen(n8n.sandbox.campaignId, (webhooks) => webhooks.length === 1);
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** Submits the form; gives the status. */
async function submit(name: string, phone: string, headers: Record<string, string> = { authorization }) {
	return await submitForm(form, [name, phone], headers);
}

/**
 * Waits until somebody's row says what came of the request; gives it.
 *
 * @param hours by how much the sandbox's clock is moved on before each look
 */
async function answered(name: string, { hours = 0, seconds = 40 } = {}): Promise<Row> {
	let found: Row | undefined;
	const ask = async () => {
		if (hours > 0) {
			await n8n.service.post('/_sandbox/advance', { seconds: hours * 3600 });
		}
		found = (await tableRows<Row>(n8n, 'Call Requests')).find((row) => row.name === name);
		return found !== undefined && found.state !== 'waiting' ? found : undefined;
	};
	return await until(ask, { seconds, otherwise: () => new Error(`The row stayed ${JSON.stringify(found)}`) });
}

/** What the sandbox was asked to queue for a number. */
async function queued(to: string) {
	const requests = await n8n.requests();
	return requests.filter(({ path, body }) => path.endsWith('/call') && body?.to === to).map(({ body }) => body);
}

test.each([
	['Ada', '+44 (0)20 7946-0001', '+442079460001', 'completed'],
	['Annie', '+442079460005', '+442079460005', 'voicemail'],
])(
	'%s submits the form, is called once, and the outcome is in the table',
	async (name, written, phone, outcome) => {
		expect(await submit(name, written)).toBe(200);
		const row = await answered(name);
		expect(row).toMatchObject({
			phone: written,
			state: outcome,
			details: '',
			call_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
		});
		expect(row.duration).toBeGreaterThan(0);
		expect(await queued(phone)).toMatchObject([
			{ payload: { name }, context: { request_id: expect.anything() }, is_testing: false },
		]);
	},
	90_000,
);

test('The outcome of a busy line comes after the last retry of the campaign', async () => {
	expect(await submit('Grace', '+442079460002')).toBe(200);
	expect(await answered('Grace', { hours: 1 })).toMatchObject({ state: 'busy', duration: 0 });
	expect(await queued('+442079460002')).toHaveLength(1);
}, 60_000);

test('The table says when the time limit passed before the outcome', async () => {
	expect(await submit('Katherine', '+442079460003')).toBe(200);
	const row = await answered('Katherine', { seconds: 90 });
	expect(row).toMatchObject({
		state: 'no outcome yet',
		details: '',
		call_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
	});
}, 120_000);

test('An invalid number is not called, and the table says why', async () => {
	expect(await submit('Emmy', '020 7946 0102')).toBe(200);
	expect(await answered('Emmy')).toMatchObject({
		state: 'not ready',
		details: expect.stringContaining('country code'),
	});
	expect(await queued('020 7946 0102')).toEqual([]);
}, 60_000);

test('A refused request and an unanswered one are in the table too', async () => {
	const match = { method: 'POST', path: `/api/v1/campaigns/${n8n.sandbox.campaignId}/call` };
	await n8n.service.post('/_sandbox/faults', {
		match,
		kind: 'status',
		status: 422,
		body: { message: 'Not in this country.' },
	});
	expect(await submit('Hedy', '+442079460104')).toBe(200);
	expect(await answered('Hedy')).toMatchObject({
		state: 'refused',
		details: expect.stringContaining('Not in this country.'),
	});
	await n8n.service.post('/_sandbox/faults', { match, kind: 'drop-before' });
	expect(await submit('Mary', '+442079460106')).toBe(200);
	expect(await answered('Mary')).toMatchObject({ state: 'unknown' });
}, 90_000);

test('A form submission without the password is rejected', async () => {
	expect(await submit('Joan', '+442079460107', {})).toBe(401);
	expect(await queued('+442079460107')).toEqual([]);
});

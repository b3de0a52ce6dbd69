import { addOptions, authorization, nodeOf, publishForm, rowWhen, submitForm } from './example.mts';
import { Instance } from './instance.mts';

interface Row {
	name: string;
	state: string;
	duration: number;
}

const countryCode = expect.stringContaining('country code');
const call_id = expect.stringMatching(/^[0-9a-f-]{36}$/);

let n8n: Instance;
let form: string;
let queueing: string;

beforeAll(async () => {
	n8n = await Instance.share();
	queueing = `/api/v1/campaigns/${n8n.sandbox.campaignId}/call`;
	({ form } = await publishForm(n8n, 'inbound-form.json', 'Ask for a Call', (workflow) => {
		const amount = "={{ $('Ask for a Call').first().json.Name === 'Katherine' ? 0.05 : 60 }}";
		addOptions(nodeOf(workflow, 'Queue Call and Wait'), { timeLimit: { values: { amount, unit: 'minutes' } } });
	}));
	await n8n.soleWebhook();
});

/** Submits the form; gives somebody's row once it says what came of the request. */
async function asks(name: string, phone: string, hours = 0): Promise<Row> {
	expect(await submitForm(form, [name, phone], { authorization })).toBe(200);
	const isAnswered = ({ state }: Row) => state !== 'waiting';
	return await rowWhen<Row>(n8n, 'Call Requests', (row) => row.name === name, isAnswered, { hours });
}

test('Who submits the form is called once, and the outcome is in the table, also a busy line and none in time', async () => {
	const row = await asks('Ada', '+44 (0)20 7946-0001');
	expect(row).toMatchObject({ phone: '+442079460001', state: 'completed', details: '', call_id });
	expect(row.duration).toBeGreaterThan(0);
	const call = { payload: { name: 'Ada' }, context: { request_id: expect.anything() }, is_testing: false };
	expect(await n8n.dialed('+442079460001')).toMatchObject([call]);
	// After the last retry of the campaign.
	expect(await asks('Grace', '+442079460002', 1)).toMatchObject({ state: 'busy', duration: 0 });
	expect(await n8n.dialed('+442079460002')).toHaveLength(1);
	await n8n.ringsForAnHour('+442079460003');
	expect(await asks('Katherine', '+442079460003')).toMatchObject({ state: 'no outcome yet', details: '', call_id });
});

test('An invalid number, a refused request and an unanswered one are in the table too; nobody asks without the password', async () => {
	expect(await asks('Emmy', '020 7946 0102')).toMatchObject({ state: 'not called', details: countryCode });
	await n8n.fault('POST', queueing, { kind: 'status', status: 422, body: { message: 'Not in this country.' } });
	const details = expect.stringContaining('Not in this country.');
	expect(await asks('Hedy', '+442079460104')).toMatchObject({ state: 'not called', details });
	await n8n.fault('POST', queueing, { kind: 'drop-before' });
	expect(await asks('Mary', '+442079460106')).toMatchObject({ state: 'unknown' });
	expect(await submitForm(form, ['Joan', '+442079460107'])).toBe(401);
	expect(await n8n.dialed('+442079460107')).toEqual([]);
});

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { n8nProgram } from '../../scripts/n8n/environment.mts';
import { importExample, nodeOf, submitForm } from './example.mts';
import { filesOf, outputOf } from './executionData.mts';
import { Instance } from './instance.mts';

/** The library by which n8n itself reads and writes spreadsheets. */
const xlsx = createRequire(join(dirname(n8nProgram), '..', '..', 'n8n-nodes-base', 'package.json'))(
	'@e965/xlsx',
) as Spreadsheets;

interface Spreadsheets {
	read(data: string, options: { type: 'base64' }): { Sheets: Record<string, object> };
	write(book: object, options: { type: 'buffer'; bookType: 'xlsx' }): Buffer;
	utils: {
		book_new(): object;
		book_append_sheet(book: object, sheet: object, name: string): void;
		json_to_sheet(rows: object[]): object;
		sheet_to_json<Row>(sheet: object, options: { defval: string }): Row[];
	};
}

const authorization = `Basic ${Buffer.from('ada:form-1').toString('base64')}`;

let n8n: Instance;
let workflowId: string;
let form: string;

beforeAll(async () => {
	n8n = await Instance.start({ env: { N8N_DEFAULT_BINARY_DATA_MODE: 'default' }, speed: 1 });
	const id = await n8n.createCredential('Form', 'httpBasicAuth', { user: 'ada', password: 'form-1' });
	workflowId = await importExample(n8n, 'call-contacts-of-a-spreadsheet.json', (workflow) => {
		const upload = Object(nodeOf(workflow, 'Upload Contacts'));
		form = `${n8n.n8n.url}/form/${String(upload.webhookId)}`;
		upload.credentials = { httpBasicAuth: { id, name: 'Form' } };
	});
	await n8n.editor.publish(workflowId);
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** Submits the form; gives the status. */
async function submit(
	content: string | Uint8Array<ArrayBuffer>,
	name: string,
	headers: Record<string, string> = { authorization },
) {
	// What Windows says of CSV too, where Excel is installed.
	const file = new File([content], name, { type: 'application/vnd.ms-excel' });
	return await submitForm(form, [file], headers);
}

/** Uploads a file and waits for what comes of it: the report as it can be read in the file, and the summary. */
async function report(content: string | Uint8Array<ArrayBuffer>, name: string) {
	const before = (await n8n.editor.executions(workflowId)).length;
	expect(await submit(content, name)).toBe(200);
	const [{ id, status }] = await n8n.finished(workflowId, before + 1);
	expect(status).toBe('success');
	const [{ data }] = await filesOf(n8n.editor, id, 'Report File');
	const { Sheets } = xlsx.read(data, { type: 'base64' });
	const [sheet] = Object.values(Sheets);
	const rows = xlsx.utils.sheet_to_json<Record<string, unknown>>(sheet, { defval: '' });
	return { rows, summary: await outputOf(n8n.editor, id, 'Summary') };
}

/** What the sandbox was asked to queue. */
async function queued() {
	const path = `/api/v1/campaigns/${n8n.sandbox.campaignId}/call`;
	return (await n8n.requests()).filter((request) => request.path === path);
}

test('Each valid contact of a CSV file is called, and the report has the result of every row', async () => {
	const path = `/api/v1/campaigns/${n8n.sandbox.campaignId}/call`;
	await n8n.service.post(path, { to: '+442079460107' });
	// Of the three that are ready, one is refused, one stays without an answer, one is queued.
	const match = { method: 'POST', path };
	await n8n.service.post('/_sandbox/faults', {
		match,
		kind: 'status',
		status: 422,
		body: { message: 'Not in this country.' },
	});
	await n8n.service.post('/_sandbox/faults', { match, kind: 'drop-after' });
	const people = [
		['c-1', 'Ada', '+44 (0)20 7946-0101'],
		['c-2', 'Grace', '020 7946 0102'],
		['c-3', 'Katherine', '+442079460101'],
		['c-4', 'Hedy', '+442079460104'],
		['c-5', 'Annie', ''],
		['c-6', '"Johnson, Mary"', '00442079460106'],
		['c-7', 'Joan', '+44 20 7946 0107'],
	];
	const { rows, summary } = await report(
		['\ufeffid,name,phone', ...people.map((each) => each.join())].join('\r\n'),
		'contacts.csv',
	);

	expect(rows.map(({ row, id }) => [row, id])).toEqual(people.map(([id], index) => [index + 2, id]));
	const byId = Object.fromEntries(rows.map((each) => [String(each.id), each]));
	const ready = ['c-1', 'c-4', 'c-6'];
	expect(ready.map((id) => byId[id].outcome).sort()).toEqual(['queued', 'refused', 'unknown']);
	expect(rows.find(({ outcome }) => outcome === 'refused')?.details).toContain('Not in this country.');
	expect(rows.find(({ outcome }) => outcome === 'queued')?.call_id).toMatch(/^[0-9a-f-]{36}$/);
	expect(byId['c-2']).toMatchObject({ outcome: 'not ready', details: expect.stringContaining('country code') });
	expect(byId['c-3']).toMatchObject({ outcome: 'not ready', details: expect.stringContaining('same number') });
	expect(byId['c-5']).toMatchObject({
		outcome: 'not ready',
		details: expect.stringContaining('phone number is missing'),
	});
	expect(byId['c-7']).toMatchObject({ outcome: 'not ready', details: expect.stringContaining('already') });
	const counts = Object.fromEntries(summary.map(({ outcome, count_row }) => [outcome, count_row]));
	expect(counts).toEqual({ queued: 1, refused: 1, unknown: 1, 'not ready': 4 });

	const [, ...sent] = (await queued()).map(({ body }) => body);
	expect(sent).toHaveLength(3);
	expect(sent).toContainEqual({
		to: '+442079460106',
		payload: { name: 'Johnson, Mary' },
		context: { contact_id: 'c-6' },
		is_testing: false,
	});
}, 60_000);

test('An Excel file is read too, and a number without its + is not guessed', async () => {
	const book = xlsx.utils.book_new();
	const people = [
		{ phone: '+442079460201', name: 'Ada', id: 1, city: 'London' },
		{ phone: 442079460202, name: 'Grace', id: 2, city: 'Leeds' },
	];
	xlsx.utils.book_append_sheet(book, xlsx.utils.json_to_sheet(people), 'People');
	const before = (await queued()).length;
	const { rows } = await report(
		new Uint8Array(xlsx.write(book, { type: 'buffer', bookType: 'xlsx' })),
		'contacts.xlsx',
	);
	expect(rows).toMatchObject([
		{ id: '1', phone: '+442079460201', outcome: 'queued', details: '' },
		{ id: '2', phone: '442079460202', outcome: 'not ready', details: expect.stringContaining('country code') },
	]);
	const sent = (await queued()).slice(before).map(({ body }) => body);
	expect(sent).toMatchObject([{ to: '+442079460201', payload: { name: 'Ada' }, context: { contact_id: '1' } }]);
}, 60_000);

test('An upload without the password calls nobody', async () => {
	const before = (await n8n.editor.executions(workflowId)).length;
	expect(await submit('id,name,phone\n1,Ada,+442079460301', 'contacts.csv', {})).toBe(401);
	expect(await n8n.editor.executions(workflowId)).toHaveLength(before);
});

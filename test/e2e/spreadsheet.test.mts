import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { authorization, publishForm, submitForm } from './example.mts';
import { outputsOf } from './executionData.mts';
import { byId, Instance, type WorkflowNode } from './instance.mts';
import { ofN8n } from './mailServer.mts';

/** The library by which n8n itself reads and writes spreadsheets. */
const xlsx = ofN8n('@e965/xlsx') as {
	read(data: string, options: { type: 'base64' }): { Sheets: Record<string, object> };
	utils: { sheet_to_json<Row>(sheet: object, options: { defval: string }): Row[] };
};

let n8n: Instance;
let workflowId: string;
let form: string;
let queueing: string;

beforeAll(async () => {
	n8n = await Instance.share({ speed: 1 });
	queueing = `/api/v1/campaigns/${n8n.sandbox.campaignId}/call`;
	({ form, workflowId } = await publishForm(n8n, 'call-contacts-of-a-spreadsheet.json', 'Upload Contacts'));
});

/** Submits the form with a file, which has the type that Windows says of CSV too, where Excel is installed. */
const submit = async (content: string, headers = {}) =>
	await submitForm(form, [new File([content], 'contacts.csv', { type: 'application/vnd.ms-excel' })], headers);

/** Uploads a file and waits for what comes of it: the report as it can be read in the file, and the summary. */
async function report(content: string) {
	expect(await submit(content, { authorization })).toBe(200);
	const [{ id, status }] = await n8n.finished(workflowId, 1);
	expect(status).toBe('success');
	const [file] = (await outputsOf(n8n.editor, id, 'Report File')).files;
	const [sheet] = Object.values(xlsx.read(file!.data, { type: 'base64' }).Sheets);
	const rows = xlsx.utils.sheet_to_json<Record<string, string>>(sheet!, { defval: '' });
	return { rows, summary: await n8n.outputOf(id, 'Summary') };
}

/** A row that is not ready, for a reason. */
const notReady = (id: string, reason: string) => ({
	id,
	outcome: 'not ready',
	details: expect.stringContaining(reason),
});

test('Each valid contact of a CSV file is called, and the report has the result of every row; nobody uploads without the password', async () => {
	expect(await submit('id,name,phone\n1,Ada,+442079460301')).toBe(401);
	await n8n.service.post(queueing, { to: '+442079460107' });
	// Of the three that are ready, the service refuses one, one stays without an answer, one is queued.
	await n8n.fault('POST', queueing, { kind: 'status', status: 422, body: { message: 'Not in this country.' } });
	await n8n.fault('POST', queueing, { kind: 'drop-after' });
	const people = [
		'c-1,Ada,+44 (0)20 7946-0101',
		'c-2,Grace,020 7946 0102',
		'c-3,Katherine,+442079460101',
		'c-4,Hedy,+442079460104',
		'c-5,Annie,',
		'c-6,"Johnson, Mary",00442079460106',
		'c-7,Joan,+44 20 7946 0107',
	];
	const { rows, summary } = await report(['\ufeffid,name,phone', ...people].join('\r\n'));
	const ready = { outcome: expect.stringMatching(/^(queued|not called|unknown)$/) };
	expect(rows).toMatchObject([
		ready,
		notReady('c-2', 'country code'),
		notReady('c-3', 'same number'),
		ready,
		notReady('c-5', 'phone number is missing'),
		ready,
		notReady('c-7', 'already'),
	]);
	expect(rows.map(({ row }) => row)).toEqual([2, 3, 4, 5, 6, 7, 8]);
	expect(rows.find(({ outcome }) => outcome === 'not called')?.details).toContain('Not in this country.');
	expect(rows.find(({ outcome }) => outcome === 'queued')?.call_id).toMatch(/^[0-9a-f-]{36}$/);
	const counts = Object.fromEntries(summary.map(({ outcome, count_row }) => [outcome, count_row]));
	expect(counts).toEqual({ queued: 1, 'not called': 1, unknown: 1, 'not ready': 4 });
	const [, ...sent] = await n8n.dialed();
	expect(sent).toHaveLength(3);
	const [payload, context] = [{ name: 'Johnson, Mary' }, { contact_id: 'c-6' }];
	expect(sent).toContainEqual({ to: '+442079460106', payload, context, is_testing: false });
});

describe('A CSV file as Excel saves it, with a byte order mark, semicolons and Windows line ends', () => {
	const csv = '\ufeff' + ['phone;name', '+442079460201;Zoë', '+44 20 7946 0202;"Smith; Jane"', ''].join('\r\n');

	/** Calls the contacts of the file as docs/call-a-list.md says. @param options of Extract from File */
	async function results(options: object): Promise<unknown[]> {
		const data = Buffer.from(csv).toString('base64');
		const file = { data, mimeType: 'text/csv', fileName: 'contacts.csv' };
		const jsCode = `return [{ json: {}, binary: { data: ${JSON.stringify(file)} } }];`;
		const call = n8n.action('Call', { resource: 'call', operation: 'place', phoneNumber: '={{ $json.phone }}' });
		Object.assign(call, { onError: 'continueRegularOutput' });
		Object.assign(call.parameters, {
			agent: byId(n8n.sandbox.agentId),
			options: { metadataFields: { values: [{ name: 'name', value: '={{ $json.name }}' }] } },
		});
		const nodes: WorkflowNode[] = [
			n8n.node('File', 'n8n-nodes-base.code', 2, { jsCode }),
			n8n.node('Rows', 'n8n-nodes-base.extractFromFile', 1, { operation: 'csv', options }),
			call,
		];
		const { id } = await n8n.runOnce(nodes);
		return (await n8n.outputOf(id, 'Call')).map(({ result, to, context }) => [result, to, Object(context).name]);
	}

	test('is read with two options, whose names in n8n the page has', async () => {
		expect(await results({ delimiter: ';', enableBOM: true })).toEqual([
			['placed', '+442079460201', 'Zoë'],
			['placed', '+442079460202', 'Smith; Jane'],
		]);
		const { fromFileOptions } = ofN8n('./dist/nodes/SpreadsheetFile/description.js') as {
			fromFileOptions: { options: Array<{ name: string; displayName: string }> };
		};
		const page = readFileSync(join(root, 'docs', 'call-a-list.md'), 'utf8');
		for (const name of ['delimiter', 'enableBOM']) {
			const { displayName } = fromFileOptions.options.find((option) => option.name === name)!;
			expect(page).toContain(`**Options → ${displayName}**`);
		}
	});

	test('without the option, the expression for the first column finds nothing, and nobody is called', async () => {
		const nobody = ['failed', undefined, expect.any(String)];
		const before = (await n8n.dialed()).length;
		expect(await results({ delimiter: ';' })).toMatchObject([nobody, nobody]);
		expect(await n8n.dialed()).toHaveLength(before);
	});
});

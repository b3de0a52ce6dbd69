import { type INodeParameters, NodeHelpers } from 'n8n-workflow';

import { VoiceAgentCalling } from '../../../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { harness } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const nobody = '00000000-0000-4000-8000-000000000000';
const password = ['pa55', 'word', 'of-the-server'].join('-');
const key = ['-----BEGIN OPENSSH', 'PRIVATE KEY-----\nYWJjZGVm\nZ2hpamts\n-----END OPENSSH', 'PRIVATE KEY-----\n'].join(
	' ',
);
const server = { host: 'sftp.example.com', username: 'ada', auth_type: 'password', password };

const operation = (name: string, more = {}) => ({
	resource: 'campaignSftp',
	operation: name,
	campaign: byId('={{ $json.id }}'),
	...more,
});
const path = (id: unknown, ...more: string[]) => ['campaigns', id, 'sftp', ...more].join('/');
const login = { host: '={{ $json.host }}', username: 'ada', authType: 'password', password };

/** Three campaigns: one with a server that responds, one with a server that does not, one without SFTP. */
async function three() {
	const { active, draft, paused } = service.seed.campaigns;
	await service.api('POST', path(active), server);
	await service.api('POST', path(draft), { ...server, host: 'sftp.invalid' });
	return [active, draft, paused].map((id) => ({ id }));
}

/** Enables SFTP for the active campaign. */
async function enabled() {
	const { active: id } = service.seed.campaigns;
	await service.api('POST', path(id), server);
	await service.api('POST', path(id, 'test-connection'));
	await service.api('PUT', path(id), { is_enabled: true });
	return { id };
}

describe('Campaign SFTP', () => {
	test('Create sends only what was set; the output contains no secret', async () => {
		const { active, draft, paused } = service.seed.campaigns;
		const options = {
			port: 2222,
			importPath: '/in',
			exportPath: '/out',
			importSchedule: 'hourly',
			privateKeyPassphrase: 'not for a password',
		};
		const items = [
			{ id: active, host: 'sftp.example.com' },
			{ id: nobody, host: 'sftp.example.com' },
			{ id: draft, host: 'sftp://example.com' },
			{ id: paused, host: '192.0.2.7' },
		];
		const sent = await expectItems(service, operation('create', { ...login, options }), items, [
			{ id: expect.any(String), campaign_id: active, is_enabled: false },
			failed('NOT_FOUND'),
			failed('INVALID_INPUT', { message: expect.stringContaining('\'Host\' cannot be "sftp://example.com"') }),
			{ campaign_id: paused, host: '192.0.2.7' },
		]);
		const body = {
			username: 'ada',
			auth_type: 'password',
			password,
			port: 2222,
			import_path: '/in',
			export_path: '/out',
			import_schedule: 'hourly',
		};
		expect(sent).toEqualInAnyOrder(
			[0, 1, 3].map((item) => ['POST', path(items[item]?.id), { ...body, host: items[item]?.host }]),
		);
		const least = await expectItems(
			service,
			operation('create', login),
			[{ id: draft, host: 'sftp.example.com' }],
			[{ campaign_id: draft }],
		);
		expect(least).toEqual([['POST', path(draft), server]]);
		const { outputs } = await service.run(operation('get', { output: 'raw' }), items, {
			node: { onError: 'continueRegularOutput' },
		});
		expect(JSON.stringify(outputs)).not.toContain(password);
	});

	test('Create sends a private key with its line breaks, and does not quote an incomplete one', async () => {
		const { active, draft, paused } = service.seed.campaigns;
		const parameters = operation('create', {
			host: 'sftp.example.com',
			username: 'ada',
			authType: 'private_key',
			privateKey: '={{ $json.key }}',
			options: { privateKeyPassphrase: 'open' },
		});
		const cut = key.slice(0, -9);
		const sent = await expectItems(
			service,
			parameters,
			[
				{ id: active, key },
				{ id: draft, key: cut },
				{ id: paused, key: '' },
			],
			[
				{ campaign_id: active },
				failed('INVALID_INPUT', { message: expect.stringContaining('with their line breaks') }),
				failed('INVALID_INPUT', { message: expect.stringContaining("'Private Key' is empty") }),
			],
		);
		expect(sent).toEqualInAnyOrder([
			[
				'POST',
				path(active),
				{
					host: 'sftp.example.com',
					username: 'ada',
					auth_type: 'private_key',
					private_key: key,
					private_key_passphrase: 'open',
				},
			],
		]);
		const { outputs } = await service.run(parameters, [{ id: draft, key: cut }], {
			node: { onError: 'continueRegularOutput' },
		});
		expect(JSON.stringify(outputs)).not.toContain('YWJjZGVm');
	});

	test.each(['', ' '])(
		'Create restores the line breaks of a private key that the editor replaced with "%s"',
		async (between) => {
			const id = service.seed.campaigns.active;
			const oneLine = key.trim().replaceAll('\n', between);
			const parameters = operation('create', {
				host: 'sftp.example.com',
				username: 'ada',
				authType: 'private_key',
				privateKey: oneLine,
			});
			const sent = await expectItems(service, parameters, [{ id }], [{ campaign_id: id }]);
			const { private_key } = sent[0]?.[2] as { private_key: string };
			expect(private_key.replace(/\n/g, '')).toBe(key.replace(/\n/g, ''));
			expect(private_key).toMatch(/^-----BEGIN [A-Z ]+-----\n[\w+/=\n]+\n-----END [A-Z ]+-----\n$/);
		},
	);

	test('credentials in an error message of the service are hidden', async () => {
		const { active: id } = service.seed.campaigns;
		const secrets = { authType: 'private_key', privateKey: key, privateKeyPassphrase: 'open sesame' };
		for (const updateFields of [{ authType: 'password', password }, secrets]) {
			const message = `You sent ${JSON.stringify(updateFields)}`;
			await service.fault({ kind: 'status', status: 422, body: { success: false, message } });
			const { outputs } = await service.run(operation('update', { updateFields }), [{ id }], {
				node: { onError: 'continueRegularOutput' },
			});
			expect(outputs[0]?.[0]?.json).toMatchObject({ message: expect.stringContaining('[hidden]') });
			for (const secret of [password, 'YWJjZGVm', 'Z2hpamts', 'open sesame']) {
				expect(JSON.stringify(outputs)).not.toContain(secret);
			}
		}
	});

	test('Get reads the configuration, and gives advice if there is none', async () => {
		const items = await three();
		const sent = await expectItems(
			service,
			operation('get'),
			[...items, { id: '..' }],
			[
				{ campaign_id: items[0]?.id, host: 'sftp.example.com', is_enabled: false, last_test_success: null },
				{ campaign_id: items[1]?.id, host: 'sftp.invalid' },
				failed('NOT_FOUND', { message: expect.stringContaining('create one with Campaign SFTP → Create') }),
				failed('INVALID_INPUT'),
			],
		);
		expect(sent).toEqualInAnyOrder(items.map(({ id }) => ['GET', path(id)]));
		const whole = await service.run(operation('get', { output: 'raw' }), items.slice(0, 1));
		expect(whole.outputs[0]?.[0]?.json).toEqual((await service.api('GET', path(items[0]?.id))).body.data);
		const simple = await service.run(operation('get'), items.slice(0, 1));
		expect(Object.keys(simple.outputs[0]?.[0]?.json ?? {})).toHaveLength(10);
	});

	test('Update sends only what was added; enabling requires a test first', async () => {
		const items = await three();
		await service.api('POST', path(items[0]?.id, 'test-connection'));
		const update = (updateFields: object) => operation('update', { updateFields });
		const sent = await expectItems(
			service,
			update({ enabled: true, importSchedule: '={{ $json.schedule }}' }),
			[
				{ ...items[0], schedule: 'daily' },
				{ ...items[1], schedule: 'hourly' },
				{ ...items[0], schedule: 'weekly' },
			],
			[
				{ is_enabled: true, import_schedule: 'daily', updated_at: expect.any(String) },
				failed('SFTP_TEST_REQUIRED', { message: expect.stringContaining('Test Connection') }),
				failed('INVALID_INPUT', { message: expect.stringContaining('\'Import Schedule\' cannot be "weekly"') }),
			],
		);
		expect(sent).toEqualInAnyOrder([
			['PUT', path(items[0]?.id), { is_enabled: true, import_schedule: 'daily' }],
			['PUT', path(items[1]?.id), { is_enabled: true, import_schedule: 'hourly' }],
		]);
	});

	test('Update sends a password or a key with its authentication type', async () => {
		const [item = {}] = await three();
		const update = async (updateFields: object, expected: object) =>
			await expectItems(service, operation('update', { updateFields }), [item], [expected as never]);
		const secrets = { password, privateKey: key, privateKeyPassphrase: 'open' };
		expect(await update({ authType: 'password', ...secrets }, { is_enabled: false })).toMatchObject([
			['PUT', path(service.seed.campaigns.active), { auth_type: 'password', password }],
		]);
		const [[, , body] = []] = await update({ authType: 'private_key', ...secrets }, { is_enabled: false });
		expect(body).toEqual({ auth_type: 'private_key', private_key: key, private_key_passphrase: 'open' });
		expect(
			await update(secrets, failed('INVALID_INPUT', { message: expect.stringContaining('nothing to update') })),
		).toEqual([]);
	});

	test('Test Connection returns a result, even if the test failed', async () => {
		const items = await three();
		const sent = await expectItems(
			service,
			operation('testConnection'),
			[...items, { id: '' }],
			[
				{
					success: true,
					message: expect.any(String),
					tested_at: expect.any(String),
					import_path_accessible: true,
					export_path_accessible: true,
				},
				{ success: false, message: expect.any(String), tested_at: expect.any(String), error: expect.any(String) },
				failed('NOT_FOUND'),
				failed('INVALID_INPUT'),
			],
		);
		expect(sent).toEqualInAnyOrder(items.map(({ id }) => ['POST', path(id, 'test-connection')]));
		const data = { tested_at: '2026-01-01T00:00:00Z', error: 'No answer.' };
		await service.fault({ kind: 'status', status: 502, body: { success: false, message: 'Failed.', data } });
		await expectItems(service, operation('testConnection'), items.slice(0, 1), [
			{ success: false, message: 'Failed.', ...data },
		]);
		await service.fault({ kind: 'status', status: 500, body: { success: false, message: 'Server error.' } });
		await expectItems(service, operation('testConnection'), items.slice(0, 1), [failed('SERVER_ERROR')]);
	});

	test('Trigger Import starts one import at a time, and Get Logs shows its outcome', async () => {
		const [, , without] = await three();
		await service.reset();
		const active = await enabled();
		const sent = await expectItems(
			service,
			operation('triggerImport'),
			[active, without ?? {}, active, { id: '' }],
			[
				{ job_id: expect.any(String), queued_at: expect.any(String) },
				failed('NOT_FOUND'),
				failed('SFTP_IMPORT_IN_PROGRESS', { message: expect.stringContaining('Get Logs') }),
				failed('INVALID_INPUT'),
			],
		);
		expect(sent).toEqualInAnyOrder([active, without, active].map((item) => ['POST', path(item?.id, 'trigger-import')]));
		const logs = operation('getLogs', { returnAll: true });
		await expectItems(service, logs, [active], [{ type: 'import', status: 'running' }]);
		await service.advance(10);
		await expectItems(
			service,
			logs,
			[active, without ?? {}, { id: '' }],
			[
				{
					type: 'import',
					status: 'succeeded',
					files_processed: 1,
					rows_processed: 3,
					completed_at: expect.any(String),
				},
				failed('NOT_FOUND'),
				failed('INVALID_INPUT'),
			],
		);
		expect((await service.requests('GET', '/logs')).map(({ query }) => query)).toEqual(
			[1, 2, 3].map(() => ({ page: '1', per_page: '100' })),
		);
	});

	test('Trigger Import is not retried when the response is lost', async () => {
		const active = await enabled();
		await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { run } = await service.run(operation('triggerImport'), [active], { node });
		expect(run.error?.message).toContain('Outcome unknown');
		expect(await service.requests('POST', 'trigger-import')).toHaveLength(1);
	});

	test('Trigger Export exports the results of the files in the menu', async () => {
		const active = await enabled();
		await service.api('POST', path(active.id, 'trigger-import'));
		await service.advance(10);
		const type = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';
		const menu = await harness.loadOptions({
			type,
			method: 'getCampaignFiles',
			credentials: service.credentials(),
			parameters: { ...operation('triggerExport'), campaign: byId(active.id) },
		});
		expect(menu).toEqual([{ name: 'contacts-1.csv', value: expect.any(String), description: 'processed' }]);
		const file = String(menu[0]?.value);
		const items = [
			{ ...active, files: [file] },
			{ ...active, files: nobody },
			{ ...active, files: [] },
			{ ...active, files: ['contacts-1.csv'] },
		];
		const sent = await expectItems(
			service,
			operation('triggerExport', { campaignFiles: '={{ $json.files }}' }),
			items,
			[
				{ job_id: expect.any(String), files_count: 1 },
				failed('VALIDATION_ERROR', { message: expect.stringContaining('file_data_ids.0') }),
				failed('INVALID_INPUT', { message: expect.stringContaining('Choose at least one') }),
				failed('INVALID_INPUT', { message: expect.stringContaining('Use IDs') }),
			],
		);
		expect(sent).toEqualInAnyOrder(
			[[file], [nobody]].map((file_data_ids) => ['POST', path(active.id, 'trigger-export'), { file_data_ids }]),
		);
	});
	test.each(['password', 'private_key'])('n8n shows only the fields of the authentication type %s', (authType) => {
		const { description } = new VoiceAgentCalling();
		const secrets = { authType, password: 'x', privateKey: 'x', privateKeyPassphrase: 'x' };
		const shown = (parameters: INodeParameters) =>
			NodeHelpers.getNodeParameters(description.properties, parameters, false, false, null, description);
		const own = authType === 'password' ? ['password'] : ['privateKey', 'privateKeyPassphrase'];
		const created = shown({ ...operation('create'), ...secrets, options: secrets });
		expect(
			Object.keys({ ...created, ...Object(created?.options) }).filter((name) => /^p(assword|rivate)/.test(name)),
		).toEqual(own);
		const updated = shown({ ...operation('update'), updateFields: secrets });
		expect(Object.keys(Object(updated?.updateFields)).sort()).toEqual(['authType', ...own].sort());
	});
});

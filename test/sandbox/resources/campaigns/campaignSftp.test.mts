import { type SandboxClient, startClient } from '../../client.mts';
import { sftpOn } from '../../objects.mts';

const minimal = { host: 'sftp.example.com', username: 'ada', auth_type: 'password', password: 'secret one' };
const KEY = ['-----BEGIN OPENSSH', 'PRIVATE KEY-----\nYWJjZGVm\n-----END OPENSSH', 'PRIVATE KEY-----\n'].join(' ');
const withKey = { ...minimal, auth_type: 'private_key', password: undefined, private_key: KEY };

describe('a campaign’s SFTP configuration', () => {
	let service: SandboxClient;
	let path: string;
	beforeAll(async () => {
		service = await startClient();
		path = `/campaigns/${service.seed.campaigns.active}/sftp`;
	});
	afterAll(() => service.close());
	beforeEach(() => service.control('reset', {}));

	const create = (changes: object = {}) => service.api('POST', path, { ...minimal, ...changes });
	const update = (body: object) => service.api('PUT', path, body);
	const test = () => service.api('POST', `${path}/test-connection`);
	const read = async () => (await service.api('GET', path)).data.data;

	it('is created disabled, with the defaults for what is not sent, and read without a secret', async () => {
		const { status, data } = await create({ is_enabled: true });
		expect(status).toBe(201);
		expect(data).toEqual({
			success: true,
			data: {
				id: expect.any(String),
				campaign_id: service.seed.campaigns.active,
				host: 'sftp.example.com',
				is_enabled: false,
				created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
			},
		});
		const { status: found, data: whole } = await service.api('GET', path);
		expect(found).toBe(200);
		expect(whole).toEqual({
			success: true,
			data: {
				...data.data,
				port: 22,
				username: 'ada',
				auth_type: 'password',
				import_path: null,
				export_path: null,
				import_schedule: 'manual',
				last_test_at: null,
				last_test_success: null,
			},
		});
	});

	it('takes every setting, and shows none of its secrets', async () => {
		const settings = { port: 65_535, import_path: '/in', export_path: '/out', import_schedule: 'daily' };
		const made = await create({ ...withKey, ...settings, private_key_passphrase: 'secret two' });
		expect(made.status).toBe(201);
		const updated = await update({ password: 'secret three' });
		expect(await read()).toMatchObject({ ...settings, auth_type: 'private_key' });
		expect(JSON.stringify([made.data, updated.data, await read()])).not.toMatch(/secret|PRIVATE KEY|passphrase/);
	});

	it.each<[string, unknown]>([
		['host', undefined],
		['host', ''],
		['host', 'x'.repeat(256)],
		['host', 5],
		['host', 'sftp://sftp.example.com'],
		['host', 'sftp.example.com:22'],
		['port', 0],
		['port', 65_536],
		['port', 22.5],
		['port', '22'],
		['username', undefined],
		['username', ''],
		['auth_type', undefined],
		['auth_type', 'agent'],
		['password', undefined],
		['password', null],
		['password', ''],
		['private_key', 'not a PEM'],
		['private_key_passphrase', 5],
		['import_path', ''],
		['import_path', ['/in']],
		['export_path', ''],
		['import_schedule', 'weekly'],
	])('is refused with %s %j, on creation and on update', async (field, value) => {
		const refused = await create({ [field]: value });
		expect([refused.status, refused.data]).toEqual([
			422,
			{
				success: false,
				message: expect.any(String),
				errors: { [field]: expect.arrayContaining([expect.any(String)]) },
			},
		]);
		if (value === undefined) {
			return;
		}
		await create();
		const { status, data } = await update({ [field]: value });
		expect([status, Object.keys(data.errors)]).toEqual([422, [field]]);
	});

	it('needs the secret that its auth_type takes', async () => {
		const refused = await create({ auth_type: 'private_key' });
		expect([refused.status, Object.keys(refused.data.errors)]).toEqual([422, ['private_key']]);
		expect((await create(withKey)).status).toBe(201);
		const changed = await update({ auth_type: 'password' });
		expect([changed.status, Object.keys(changed.data.errors)]).toEqual([422, ['password']]);
		expect((await update({ auth_type: 'password', password: 'secret' })).status).toBe(200);
		expect((await update({ auth_type: 'private_key' })).status).toBe(200);
	});

	it('is refused with an is_enabled that is neither true nor false', async () => {
		await create();
		const { status, data } = await update({ is_enabled: 'yes' });
		expect([status, Object.keys(data.errors)]).toEqual([422, ['is_enabled']]);
	});

	it('exists once: a second creation answers 409 and changes nothing', async () => {
		await create();
		const { status, data } = await create({ host: 'other.example.com' });
		expect([status, data]).toEqual([409, { success: false, message: expect.any(String) }]);
		expect((await read()).host).toBe('sftp.example.com');
	});

	it('changes only in the fields that an update sends; null takes a path away', async () => {
		await create({ import_path: '/in', export_path: '/out', port: 2222 });
		const { status, data } = await update({ import_path: null, import_schedule: 'hourly' });
		expect(status).toBe(200);
		expect(data).toEqual({
			success: true,
			data: {
				id: expect.any(String),
				import_schedule: 'hourly',
				is_enabled: false,
				updated_at: expect.stringMatching(/Z$/),
			},
		});
		expect(await read()).toMatchObject({ import_path: null, export_path: '/out', port: 2222 });
	});

	it.each([
		['GET', ''],
		['PUT', ''],
		['POST', '/test-connection'],
		['POST', '/trigger-import'],
		['POST', '/trigger-export'],
		['GET', '/logs'],
	])('that does not exist answers 404 to %s sftp%s, like an unknown campaign', async (method, route) => {
		const none = await service.api(method, `${path}${route}`, method === 'GET' ? undefined : { file_data_ids: [] });
		expect([none.status, none.data]).toEqual([404, { success: false, message: 'SFTP configuration not found.' }]);
		const unknown = await service.api(method, `/campaigns/unknown/sftp${route}`);
		expect([unknown.status, unknown.data]).toEqual([404, { success: false, message: 'Campaign not found.' }]);
	});

	it('of an unknown campaign cannot be created', async () => {
		const { status, data } = await service.api('POST', '/campaigns/unknown/sftp', minimal);
		expect([status, data]).toEqual([404, { success: false, message: 'Campaign not found.' }]);
	});

	it.each([
		['POST', ''],
		['PUT', ''],
		['POST', '/test-connection'],
		['POST', '/trigger-import'],
		['POST', '/trigger-export'],
	])('refuses %s sftp%s to a token that may only read, and a wrong token with 401', async (method, route) => {
		const { status, data } = await service.api(method, `${path}${route}`, minimal, 'TOKEN-readonly');
		expect([status, data]).toEqual([403, { success: false, message: expect.any(String) }]);
		const wrong = await service.api(method, `${path}${route}`, minimal, 'wrong');
		expect([wrong.status, wrong.data]).toEqual([401, { success: false, message: 'Unauthorized' }]);
	});

	it('is deleted with its campaign', async () => {
		const draft = service.seed.campaigns.draft;
		const own = await sftpOn(service, draft, { import_schedule: 'hourly' });
		expect((await service.api('DELETE', `/campaigns/${draft}`)).status).toBe(200);
		expect((await service.api('GET', own)).data).toEqual({ success: false, message: 'Campaign not found.' });
	});

	describe('and a test of its connection', () => {
		it('checks both folders, and is recorded', async () => {
			await create({ import_path: '/in.invalid', export_path: '/out' });
			const { status, data } = await test();
			expect([status, data]).toEqual([
				200,
				{
					success: true,
					message: expect.any(String),
					data: {
						tested_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
						import_path_accessible: false,
						export_path_accessible: true,
					},
				},
			]);
			expect(await read()).toMatchObject({ last_test_success: true, last_test_at: data.data.tested_at });
		});

		it('uses the folder of the login if no path is set', async () => {
			await create();
			expect((await test()).data.data).toMatchObject({ import_path_accessible: true, export_path_accessible: true });
		});

		it.each(['sftp.example.com', '192.0.2.1', '127.0.0.1', 'localhost', 'invalid.example.com'])(
			'succeeds for %s, to which nothing is sent',
			async (host) => {
				await create({ host, port: 1 });
				expect((await test()).data.success).toBe(true);
			},
		);

		it.each(['sftp.invalid', 'sftp.INVALID.'])('fails for %s with the reason, and is recorded', async (host) => {
			await create({ host });
			const { status, data } = await test();
			expect([status, data]).toEqual([
				200,
				{
					success: false,
					message: expect.any(String),
					data: { tested_at: expect.any(String), error: expect.stringMatching(/\w{3}/) },
				},
			]);
			expect(await read()).toMatchObject({ last_test_success: false, last_test_at: data.data.tested_at });
		});
	});

	describe('and is_enabled', () => {
		const required = [422, { success: false, message: expect.any(String), code: 'SFTP_TEST_REQUIRED' }];
		const enable = async (more: object = {}) => {
			const { status, data } = await update({ is_enabled: true, ...more });
			return [status, data];
		};

		it('needs a test; a rejected update changes nothing', async () => {
			await create();
			expect(await enable({ import_path: '/in' })).toEqual(required);
			expect(await read()).toMatchObject({ is_enabled: false, import_path: null });
		});

		it('needs a test that succeeded', async () => {
			await create({ host: 'sftp.invalid' });
			await test();
			expect(await enable()).toEqual(required);
		});

		it('is true after one, and false again when an update says so', async () => {
			await create();
			await test();
			expect(await enable()).toMatchObject([200, { data: { is_enabled: true } }]);
			expect((await update({ export_path: '/out' })).data.data.is_enabled).toBe(true);
			expect((await update({ is_enabled: false })).data.data.is_enabled).toBe(false);
			expect((await enable())[0]).toBe(200);
		});

		it.each<[string, unknown]>([
			['host', 'other.example.com'],
			['port', 2222],
			['username', 'grace'],
			['auth_type', 'private_key'],
			['password', 'another'],
			['private_key', KEY.replace('OPENSSH', 'RSA')],
			['private_key_passphrase', 'another'],
		])('is false after a change of the connection’s %s, and the test result is reset', async (field, value) => {
			await create({ private_key: KEY });
			await test();
			await enable();
			expect(await enable({ [field]: value })).toEqual(required);
			expect(await read()).toMatchObject({ is_enabled: true, last_test_success: true });
			expect((await update({ [field]: value })).data.data.is_enabled).toBe(false);
			expect(await read()).toMatchObject({ is_enabled: false, last_test_at: null, last_test_success: null });
			expect(await enable()).toEqual(required);
		});

		it('stays enabled if an update sends the same connection', async () => {
			await create();
			await test();
			await enable();
			expect((await update(minimal)).data.data.is_enabled).toBe(true);
			expect((await read()).last_test_success).toBe(true);
		});
	});
});

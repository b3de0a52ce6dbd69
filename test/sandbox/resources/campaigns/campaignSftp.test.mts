import { useService } from '../../use.mts';

const minimal = { host: 'sftp.example.com', username: 'ada', auth_type: 'password', password: 'secret one' };
const KEY = ['-----BEGIN OPENSSH', 'PRIVATE KEY-----\nYWJjZGVm\n-----END OPENSSH', 'PRIVATE KEY-----\n'].join(' ');

describe('a campaign’s SFTP configuration', () => {
	const service = useService();
	let path: string;
	beforeEach(() => {
		path = `/campaigns/${service.seed.campaigns.active}/sftp`;
	});

	const create = (changes: object = {}) => service.api('POST', path, { ...minimal, ...changes });
	const update = (body: object) => service.api('PUT', path, body);
	const enable = async (more: object = {}) => {
		const { data } = await update({ is_enabled: true, ...more });
		return data.code ?? data.data.is_enabled;
	};
	const test = async () => (await service.api('POST', `${path}/test-connection`)).data;
	const read = async () => (await service.api('GET', path)).data.data;

	it.each([
		['sftp.example.com', true],
		['127.0.0.1', true],
		['invalid.example.com', true],
		['sftp.invalid', false],
		['sftp.INVALID.', false],
	])('has a test for %s, to which nothing is sent, and needs its success to be enabled: %s', async (host, works) => {
		await create({ host, port: 1 });
		expect(await enable({ import_path: '/in' })).toBe('SFTP_TEST_REQUIRED');
		expect(await read()).toMatchObject({ is_enabled: false, import_path: null });
		const { success, data } = await test();
		expect([success, data.error]).toEqual([works, works ? undefined : expect.any(String)]);
		expect((await read()).last_test_success).toBe(works);
		expect(await enable()).toBe(works || 'SFTP_TEST_REQUIRED');
	});

	it.each<[string, unknown]>([
		['host', 'other.example.com'],
		['port', 2222],
		['username', 'grace'],
		['auth_type', 'private_key'],
		['password', 'another'],
		['private_key', KEY.replace('OPENSSH', 'RSA')],
		['private_key_passphrase', 'another'],
	])('is disabled by a change of the connection’s %s, and only by such a one', async (field, value) => {
		await create({ private_key: KEY });
		await test();
		await enable();
		for (const same of [minimal, { export_path: '/out' }]) {
			expect((await update(same)).data.data.is_enabled).toBe(true);
		}
		expect(await enable({ [field]: value })).toBe('SFTP_TEST_REQUIRED');
		expect(await read()).toMatchObject({ is_enabled: true, last_test_success: true });
		await update({ [field]: value });
		expect(await read()).toMatchObject({ is_enabled: false, last_test_at: null, last_test_success: null });
		expect(await enable()).toBe('SFTP_TEST_REQUIRED');
	});
});

import { type AddressInfo, createServer, type Socket } from 'node:net';

import { isLoopback } from '../../../../sandbox/engine/sftp/remote.mts';
import { type SandboxClient, startClient } from '../../client.mts';
import { KEY, LOGIN, type SftpServer, startSftpServer } from './sftpServer.mts';

const BROKEN_KEY = '-----BEGIN PRIVATE KEY-----\nguess what\n-----END PRIVATE KEY-----';

describe('a test of an SFTP connection', () => {
	let service: SandboxClient;
	let server: SftpServer;
	let campaign: string;
	beforeAll(async () => {
		service = await startClient();
		server = await startSftpServer();
	});
	afterAll(async () => {
		await service.close();
		await server.close();
	});
	beforeEach(async () => {
		await service.control('reset', {});
		campaign = service.seed.campaigns.active;
	});

	/** Creates a configuration and tests its connection. */
	const test = async (settings: object) => {
		const body = { host: '127.0.0.1', port: server.port, ...LOGIN, ...settings };
		const created = await service.api('POST', `/campaigns/${campaign}/sftp`, body);
		if (created.status !== 201) {
			throw new Error(JSON.stringify(created.data));
		}
		return service.api('POST', `/campaigns/${campaign}/sftp/test-connection`);
	};
	const onRecord = async () => {
		const { data } = (await service.api('GET', `/campaigns/${campaign}/sftp`)).data;
		return [data.last_test_success, data.last_test_at];
	};

	it('logs in with the password, checks both folders, and is recorded', async () => {
		const before = server.logins();
		const { status, data } = await test({ import_path: '/in', export_path: '/out/' });
		expect(server.logins()).toBe(before + 1);
		expect(status).toBe(200);
		expect(data).toEqual({
			success: true,
			message: expect.any(String),
			data: {
				tested_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
				import_path_accessible: true,
				export_path_accessible: true,
			},
		});
		expect(await onRecord()).toEqual([true, data.data.tested_at]);
	});

	it('uses the folder of the login if no path is set', async () => {
		expect((await test({})).data.data).toMatchObject({ import_path_accessible: true, export_path_accessible: true });
	});

	it('succeeds with a folder that is missing, and says which', async () => {
		const { data } = await test({ import_path: '/missing', export_path: '/out' });
		expect(data).toMatchObject({
			success: true,
			data: { import_path_accessible: false, export_path_accessible: true },
		});
	});

	it('logs in with a private key and its passphrase', async () => {
		const key = { auth_type: 'private_key', private_key: KEY.private, private_key_passphrase: KEY.passphrase };
		expect((await test({ ...key, password: null })).data.success).toBe(true);
	});

	it.each([
		['a wrong password', { password: 'guess what' }],
		['an unknown user', { username: 'eve' }],
		['a wrong passphrase', { auth_type: 'private_key', private_key: KEY.private, private_key_passphrase: 'wrong' }],
		['no passphrase', { auth_type: 'private_key', private_key: KEY.private }],
		['a key that cannot be read', { auth_type: 'private_key', private_key: BROKEN_KEY }],
		['a port on which nothing listens', { port: 1 }],
		['such a port and such a key', { port: 1, auth_type: 'private_key', private_key: BROKEN_KEY }],
	])('fails with %s, reports it without a secret, and is recorded', async (_what, settings) => {
		const { status, data } = await test(settings);
		expect(status).toBe(200);
		expect(data).toEqual({
			success: false,
			message: expect.any(String),
			data: { tested_at: expect.any(String), error: expect.stringMatching(/\w{3}/) },
		});
		expect(JSON.stringify(data)).not.toMatch(/guess what|wrong/);
		expect(await onRecord()).toEqual([false, data.data.tested_at]);
	});

	it.each([
		['sftp.example.com', true],
		['192.0.2.1', true],
		['127.0.0.1.example.com', true],
		['sftp.invalid', false],
		['sftp.INVALID.', false],
	])('of %s is simulated: success %s', async (host, success) => {
		const before = server.logins();
		const { data } = await test({ host });
		expect(data.success).toBe(success);
		expect(Object.keys(data.data)).toEqual(
			success ? ['tested_at', 'import_path_accessible', 'export_path_accessible'] : ['tested_at', 'error'],
		);
		expect(server.logins()).toBe(before);
	});

	it('is not recorded for a connection that was changed meanwhile', async () => {
		await test({ host: 'sftp.example.com' });
		const put = (body: object) => service.api('PUT', `/campaigns/${campaign}/sftp`, body);
		const silent = await startSilentServer();
		await put({ host: '127.0.0.1', port: silent.port });
		const tested = service.api('POST', `/campaigns/${campaign}/sftp/test-connection`);
		const socket = await silent.connected;
		await put({ host: 'sftp.example.com' });
		socket.destroy();
		expect((await tested).data.success).toBe(false);
		expect(await onRecord()).toEqual([null, null]);
		silent.close();
	});

	it('ends at its time limit if the server never responds', async () => {
		const hasty = await startClient({ sftpLimitMs: 100 });
		const silent = await startSilentServer();
		const path = `/campaigns/${hasty.seed.campaigns.active}/sftp`;
		await hasty.api('POST', path, { host: '127.0.0.1', ...LOGIN, port: silent.port });
		const { data } = await hasty.api('POST', `${path}/test-connection`);
		expect(data).toMatchObject({ success: false, data: { error: 'The session did not end within 0.1 s.' } });
		await silent.disconnected;
		await hasty.close();
		silent.close();
	});

	it.each(['close', 'reset'])('ends with the %s of the sandbox', async (end) => {
		const other = await startClient();
		const silent = await startSilentServer();
		const path = `/campaigns/${other.seed.campaigns.active}/sftp`;
		await other.api('POST', path, { host: 'localhost', ...LOGIN, port: silent.port });
		const tested = other.api('POST', `${path}/test-connection`).catch(() => undefined);
		await silent.connected;
		await (end === 'close' ? other.close() : other.control('reset', {}));
		await Promise.all([silent.disconnected, tested]);
		if (end === 'reset') {
			await other.close();
		}
		silent.close();
	});
});

describe('the hosts that the sandbox logs in to', () => {
	it.each(['localhost', 'LocalHost', '127.0.0.1', '127.8.9.10', '::1'])('are on this machine: %s', (host) => {
		expect(isLoopback(host)).toBe(true);
	});

	it.each(['127.example.com', 'localhost.example.com', '0.0.0.0', '10.0.0.1', '128.0.0.1', '::2', '127.0.0.1:22', ''])(
		'are no others: %s',
		(host) => {
			expect(isLoopback(host)).toBe(false);
		},
	);
});

/** A server that accepts connections and never sends anything. */
async function startSilentServer() {
	const server = createServer();
	const connected = new Promise<Socket>((resolve) => server.once('connection', resolve));
	const disconnected = connected.then(
		(socket) =>
			new Promise<void>((resolve) => {
				socket.on('error', () => {});
				socket.once('close', () => resolve());
				socket.resume();
			}),
	);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { port: (server.address() as AddressInfo).port, connected, disconnected, close: () => server.close() };
}

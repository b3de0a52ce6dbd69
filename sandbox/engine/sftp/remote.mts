import { connect, isIPv4 } from 'node:net';
import SftpClient from 'ssh2-sftp-client';

import type { SftpConfiguration, SftpConnection } from '../../world/sftp.mts';
import type { World } from '../../world/world.mts';
import type { Remote } from './session.mts';
import { simulatedRemote } from './simulated.mts';

/**
 * Logs in, does `work` and logs out. Only servers on this machine are contacted; all others are simulated. A real
 * session is cut after `sftpLimitMs`, and when the world ends.
 * @throws an error whose message has no secret
 */
export async function withRemote<Result>(
	world: World,
	sftp: SftpConfiguration,
	work: (remote: Remote) => Promise<Result>,
): Promise<Result> {
	if (!isLoopback(sftp.connection.host)) {
		return work(simulatedRemote(sftp));
	}
	if (world.ended) {
		throw new Error('The sandbox has ended.');
	}
	const { host, port } = sftp.connection;
	const { sftpLimitMs } = world.options;
	const session = new AbortController();
	const tooLong = new Error(`The session did not end within ${sftpLimitMs / 1000} s.`);
	const deadline = setTimeout(() => session.abort(tooLong), sftpLimitMs);
	world.sending.add(session);
	// Its own socket: the client cannot be aborted during the login.
	const socket = connect({ host, port, noDelay: true });
	// A client that rejects its key has no error listener.
	socket.on('error', () => {});
	const stopped = new Promise<never>((_resolve, reject) => {
		session.signal.addEventListener('abort', () => {
			socket.destroy();
			reject(session.signal.reason as Error);
		});
	});
	const client = new SftpClient('sandbox', { error() {}, end() {}, close() {} });
	const worked = client.connect({ sock: socket, ...login(sftp.connection) }).then(() => work(remoteOf(client)));
	try {
		return await Promise.race([worked, stopped]);
	} finally {
		clearTimeout(deadline);
		world.sending.delete(session);
		client.end().catch(() => {});
		socket.destroySoon();
	}
}

/** Whether a host is this machine: `localhost`, `127.0.0.0/8` or `::1`. */
export function isLoopback(host: string): boolean {
	return host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

function login(connection: SftpConnection): SftpClient.ConnectOptions {
	const { username, auth_type, password, private_key, private_key_passphrase } = connection;
	if (auth_type === 'password') {
		return { username, password: password ?? '' };
	}
	return {
		username,
		privateKey: private_key ?? '',
		...(private_key_passphrase === null ? {} : { passphrase: private_key_passphrase }),
	};
}

function remoteOf(client: SftpClient): Remote {
	const at = (folder: string | null, name: string) =>
		folder === null ? name : `${folder.replace(/\/+$/, '')}/${name}`;
	const inFolder = (folder: string | null) => client.list(folder ?? '.');
	return {
		isFolder: async (folder) =>
			inFolder(folder).then(
				() => true,
				() => false,
			),
		list: async (folder) =>
			(await inFolder(folder))
				.filter(({ type }) => type === '-')
				.map(({ name, size, modifyTime }) => ({ name, size, modified: modifyTime })),
		read: async (folder, name) => (await client.get(at(folder, name))) as Buffer,
		write: async (folder, name, text) => {
			await client.put(Buffer.from(text, 'utf8'), at(folder, name));
		},
	};
}

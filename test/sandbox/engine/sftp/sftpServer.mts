import { createRequire } from 'node:module';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import type { AuthContext, Connection, SFTPWrapper } from 'ssh2';

// The sandbox's own copy: the project's tools install an older one of the same name.
const ssh2 = createRequire(createRequire(import.meta.url).resolve('../../../../sandbox/package.json'))(
	'ssh2',
) as typeof import('ssh2');
const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;

/** A pair of keys. The library sometimes generates one that it cannot read: then another one. */
function keyPair(options?: { passphrase: string; cipher: string; rounds: number }) {
	for (;;) {
		const pair = ssh2.utils.generateKeyPairSync('ed25519', options);
		if (!(ssh2.utils.parseKey(pair.private, options?.passphrase) instanceof Error)) {
			return pair;
		}
	}
}

/** A login key whose private half is protected by a passphrase. */
export const KEY = {
	passphrase: 'open sesame',
	...keyPair({ passphrase: 'open sesame', cipher: 'aes256-cbc', rounds: 4 }),
};

const HOST_KEY = keyPair().private;
const USER = 'ada';
const PASSWORD = 'correct horse';

/** What to log in with. */
export const LOGIN = { username: USER, auth_type: 'password', password: PASSWORD };

/** An SFTP server with files in memory. */
export interface SftpServer {
	port: number;
	/** Its folders, without a slash at the end. The login leads to `/home`. */
	folders: Set<string>;
	/** Its files by full path. */
	files: Map<string, { content: Buffer; modified: number }>;
	/** Puts a file there. */
	put(path: string, text: string): void;
	/** The logins that succeeded. */
	logins(): number;
	/** Called, if set, before a file is opened. */
	onOpen: (() => void) | undefined;
	/** Cuts all connections. */
	cut(): void;
	close(): Promise<void>;
}

/** Starts an SFTP server on 127.0.0.1 with the folders `/home`, `/in` and `/out`. */
export async function startSftpServer(): Promise<SftpServer> {
	const connections = new Set<Connection>();
	let logins = 0;
	const server = new ssh2.Server({ hostKeys: [HOST_KEY] }, (connection) => {
		connections.add(connection);
		// Otherwise each response waits for the acknowledgment of the previous one. The types lack it.
		(connection as Connection & { setNoDelay(on: boolean): void }).setNoDelay(true);
		connection.on('error', () => {});
		connection.on('close', () => connections.delete(connection));
		connection.on('authentication', authenticate);
		connection.on('ready', () => {
			logins += 1;
			connection.on('session', (accept) => {
				accept().on('sftp', (acceptSftp) => serve(acceptSftp(), sftp));
			});
		});
	}) as import('ssh2').Server & TcpServer;
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const sftp: SftpServer = {
		port: (server.address() as AddressInfo).port,
		folders: new Set(['/home', '/in', '/out']),
		files: new Map(),
		put: (path, text) => sftp.files.set(path, { content: Buffer.from(text), modified: Math.floor(Date.now() / 1000) }),
		logins: () => logins,
		onOpen: undefined,
		cut: () => {
			for (const connection of connections) {
				connection.end();
			}
		},
		close: () =>
			new Promise((resolve) => {
				sftp.cut();
				server.close(() => resolve());
			}),
	};
	return sftp;
}

function authenticate(context: AuthContext): void {
	const allowed = ssh2.utils.parseKey(KEY.public);
	if (allowed instanceof Error) {
		throw allowed;
	}
	if (context.username !== USER) {
		return context.reject();
	}
	if (context.method === 'password') {
		return context.password === PASSWORD ? context.accept() : context.reject();
	}
	if (context.method !== 'publickey' || !context.key.data.equals(allowed.getPublicSSH())) {
		return context.reject();
	}
	const verified = !context.signature || allowed.verify(context.blob!, context.signature, context.hashAlgo) === true;
	return verified ? context.accept() : context.reject();
}

/** The part of the protocol that listing, reading and writing need. */
function serve(sftp: SFTPWrapper, server: SftpServer): void {
	const { folders, files } = server;
	const handles = new Map<string, { path: string; listed: boolean }>();
	const fileOf = (handle: Buffer) => files.get(handles.get(handle.toString())!.path)!;
	const open = (id: number, path: string) => {
		const handle = Buffer.from(String(id));
		handles.set(handle.toString(), { path, listed: false });
		sftp.handle(id, handle);
	};
	const whole = (path: string) => (path.startsWith('/') ? path : `/home/${path}`).replace(/\/\.?$/, '');
	sftp.on('REALPATH', (id, path) => sftp.name(id, [{ filename: whole(path), longname: '', attrs: attributes(0, 0) }]));
	sftp.on('OPENDIR', (id, path) => {
		if (folders.has(whole(path))) {
			open(id, whole(path));
		} else {
			sftp.status(id, STATUS_CODE.NO_SUCH_FILE, 'No such file');
		}
	});
	sftp.on('READDIR', (id, handle) => {
		const folder = handles.get(handle.toString())!;
		if (folder.listed) {
			return sftp.status(id, STATUS_CODE.EOF);
		}
		folder.listed = true;
		const here = (path: string) => path.slice(0, path.lastIndexOf('/')) === folder.path;
		const name = (path: string) => path.slice(path.lastIndexOf('/') + 1);
		sftp.name(id, [
			...[...folders].filter(here).map((path) => ({
				filename: name(path),
				longname: `drwxr-xr-x 1 ada ada 0 Jan 1 00:00 ${name(path)}`,
				attrs: attributes(0, 0),
			})),
			...[...files]
				.filter(([path]) => here(path))
				.map(([path, { content, modified }]) => ({
					filename: name(path),
					longname: `-rw-r--r-- 1 ada ada ${content.length} Jan 1 00:00 ${name(path)}`,
					attrs: attributes(content.length, modified),
				})),
		]);
	});
	sftp.on('OPEN', (id, path, flags) => {
		server.onOpen?.();
		const file = whole(path);
		const writes = (flags & OPEN_MODE.WRITE) !== 0;
		if (writes && folders.has(file.slice(0, file.lastIndexOf('/')))) {
			files.set(file, { content: Buffer.alloc(0), modified: 0 });
		}
		if (files.has(file)) {
			open(id, file);
		} else {
			sftp.status(id, STATUS_CODE.NO_SUCH_FILE, 'No such file');
		}
	});
	sftp.on('READ', (id, handle, offset, length) => {
		const { content } = fileOf(handle);
		if (offset >= content.length) {
			return sftp.status(id, STATUS_CODE.EOF);
		}
		sftp.data(id, content.subarray(offset, offset + length));
	});
	sftp.on('WRITE', (id, handle, offset, data) => {
		const file = fileOf(handle);
		file.content = Buffer.concat([file.content.subarray(0, offset), data]);
		sftp.status(id, STATUS_CODE.OK);
	});
	sftp.on('FSTAT', (id, handle) => {
		const { content, modified } = fileOf(handle);
		sftp.attrs(id, attributes(content.length, modified));
	});
	sftp.on('FSETSTAT', (id) => sftp.status(id, STATUS_CODE.OK));
	sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK));
}

function attributes(size: number, modified: number) {
	return { mode: 0o644, uid: 1, gid: 1, size, atime: modified, mtime: modified };
}

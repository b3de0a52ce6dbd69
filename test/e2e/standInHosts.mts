import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createSecureContext } from 'node:tls';

import { certificate } from '../integration/certificates.mts';

/** A server on this machine that a program reaches instead of hosts on the internet: by a proxy, over HTTPS. */
export interface StandInHosts {
	/** The settings with which a Node.js program uses the proxy and trusts the server. */
	env: { HTTPS_PROXY: string; NODE_EXTRA_CA_CERTS: string };
	/** The other hosts that were asked for. Nobody reaches them by the proxy. */
	refusedHosts: string[];
	stop(): Promise<void>;
}

/**
 * @param isOwn whether it stands in for a host
 * @param answer answers the requests to all of them; the header Host says which one
 */
export async function standInFor(isOwn: (host: string) => boolean, answer: RequestListener): Promise<StandInHosts> {
	const authority = certificate('Authority of the test', { isAuthority: true });
	const secure = createSecureServer(
		{
			SNICallback: (host, done) => done(null, createSecureContext(certificate(host, { issuer: authority, host }))),
		},
		answer,
	);
	const refusedHosts: string[] = [];
	const tunnels = new Set<Duplex>();
	const proxy = createServer().on('connect', ({ url = '' }: IncomingMessage, socket: Duplex) => {
		const [host = ''] = url.split(':');
		tunnels.add(socket.on('error', () => {}).on('close', () => tunnels.delete(socket)));
		if (!isOwn(host)) {
			refusedHosts.push(host);
			socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			return;
		}
		const tunnel = connect(portOf(secure), '127.0.0.1', () => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			tunnel.pipe(socket).pipe(tunnel);
		});
		tunnel.on('error', () => socket.destroy());
		socket.on('close', () => tunnel.destroy());
	});
	const servers = [secure, proxy];
	await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))));
	const file = join(mkdtempSync(join(tmpdir(), 'authority-')), 'authority.pem');
	writeFileSync(file, authority.cert);
	return {
		env: { HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`, NODE_EXTRA_CA_CERTS: file },
		refusedHosts,
		async stop() {
			for (const tunnel of tunnels) {
				tunnel.destroy();
			}
			for (const server of servers) {
				server.closeAllConnections();
			}
			await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
		},
	};
}

function portOf(server: Server): number {
	return (server.address() as AddressInfo).port;
}

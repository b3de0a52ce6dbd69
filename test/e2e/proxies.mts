import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { userFolders } from '../../scripts/lib/places.mts';
import { isFree } from '../../scripts/lib/ports.mts';
import type { OwnProcess } from '../../scripts/lib/process.mts';
import { until } from '../../scripts/lib/waiting.mts';
import type { Certificate } from '../integration/certificates.mts';

/** A program that answers at ports of this machine, and can be started again with another configuration. */
abstract class Configured {
	protected readonly folder: string;
	private running: OwnProcess | undefined;
	private starts = 0;
	private readonly name: string;
	private readonly program: string;

	constructor(name: string, program: string | undefined) {
		if (program === undefined) {
			throw new Error(`Nothing says where ${name} is: run this by "npm run test:e2e".`);
		}
		this.name = name;
		this.program = program;
		this.folder = mkdtempSync(join(userFolders, `e2e-${name}-`));
	}

	async stop(): Promise<void> {
		await this.running?.stop();
	}

	/** @param args with which it stays in the foreground, given its configuration file */
	protected async restart(configuration: string, args: (file: string) => string[], port: number): Promise<void> {
		await this.stop();
		const file = join(this.folder, `${this.starts++}.conf`);
		writeFileSync(file, configuration);
		const server = harness.startProcess({
			name: this.name,
			program: this.program,
			args: args(file),
			cwd: this.folder,
			env: process.env,
			logFile: join(this.folder, 'log'),
		});
		this.running = server;
		await until(async () => (server.isRunning() && !(await isFree(port))) || undefined, {
			seconds: 20,
			otherwise: () => server.failure('does not listen'),
		});
	}
}

/** One server of {@link Nginx}. */
export interface SecureServer {
	port: number;
	certificate: Certificate;
	/** What it does with a request, such as `deny all;`. */
	does: string;
}

/** nginx, as it stands before n8n or the service. It listens on 127.0.0.1 only. */
export class Nginx extends Configured {
	constructor() {
		super('nginx', process.env.NGINX_PATH);
	}

	async serve(...servers: SecureServer[]): Promise<void> {
		const blocks = servers.map(({ port, certificate, does }) => {
			const file = join(this.folder, `${port}.pem`);
			writeFileSync(file, certificate.cert + certificate.key);
			return `server { listen 127.0.0.1:${port} ssl; ssl_certificate ${file}; ssl_certificate_key ${file}; location / { ${does} } }`;
		});
		const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
		const configuration = [
			'daemon off; master_process off; pid pid; error_log stderr;',
			`events {} http { access_log off; ${paths.join(' ')} ${blocks.join('\n')} }`,
		].join('\n');
		await this.restart(configuration, (file) => ['-p', this.folder, '-c', file], servers[0]?.port ?? 0);
	}
}

/** tinyproxy, as a company has it between its machines and the internet. It listens on 127.0.0.1 only. */
export class Tinyproxy extends Configured {
	readonly port: number;

	constructor(port: number) {
		super('tinyproxy', process.env.TINYPROXY_PATH);
		this.port = port;
	}

	/** @param more lines of its configuration, such as `ConnectPort 443` */
	async serve(...more: string[]): Promise<void> {
		const lines = [`Port ${this.port}`, 'Listen 127.0.0.1', 'Timeout 60', 'MaxClients 50', ...more];
		await this.restart(lines.join('\n'), (file) => ['-d', '-c', file], this.port);
	}
}

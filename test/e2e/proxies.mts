import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { userFolders } from '../../scripts/lib/places.mts';
import { isFree, type OwnProcess } from '../../scripts/lib/process.mts';
import type { Certificate } from '../integration/certificates.mts';
import { comes } from './eventually.mts';

/**
 * Starts nginx, as it stands before n8n, on 127.0.0.1 only.
 *
 * @param does what it does with a request, such as `deny all;`
 */
export async function startNginx(port: number, certificate: Certificate, does: string): Promise<OwnProcess> {
	const program = process.env.NGINX_PATH;
	if (program === undefined) {
		throw new Error('Nothing says where nginx is: run this by "npm run test:e2e -- deployments".');
	}
	const folder = mkdtempSync(join(userFolders, 'e2e-nginx-'));
	const pem = join(folder, 'certificate.pem');
	writeFileSync(pem, certificate.cert + certificate.key);
	const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
	const server = `server { listen 127.0.0.1:${port} ssl; ssl_certificate ${pem}; ssl_certificate_key ${pem}; location / { ${does} } }`;
	const file = join(folder, 'nginx.conf');
	const first = 'daemon off; master_process off; pid pid; error_log stderr;';
	writeFileSync(file, `${first}\nevents {} http { access_log off; ${paths.join(' ')} ${server} }`);
	const nginx = harness.startProcess({
		name: 'nginx',
		program,
		args: ['-p', folder, '-c', file],
		cwd: folder,
		env: process.env,
		logFile: join(folder, 'log'),
	});
	await comes(async () => nginx.isRunning() && !(await isFree(port)), 'an nginx that listens');
	return nginx;
}

// Prepares the user folder that each n8n of the tests gets a copy of: node test/e2e/prepare.mts <tarball>
// The package is installed in it, n8n's database is there, and the owner is set up and logged in.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Editor } from '../../scripts/n8n/editor.mts';
import { installPackage } from '../../scripts/n8n/install.mts';
import { startN8n } from '../../scripts/n8n/server.mts';
import { cookieFile, fastStart, firstPort, preparedFolder } from './harness.mts';
import { owner } from './owner.mts';

const [tarball] = process.argv.slice(2);
mkdirSync(preparedFolder, { recursive: true });
await installPackage(tarball!, preparedFolder, join(preparedFolder, 'install.log'));
const n8n = await startN8n({
	userFolder: preparedFolder,
	logFile: join(preparedFolder, 'n8n.log'),
	port: firstPort,
	env: fastStart,
});
try {
	const editor = new Editor(n8n.url);
	await editor.setUpOwner(owner);
	writeFileSync(join(preparedFolder, cookieFile), editor.cookie);
} finally {
	await n8n.stop();
}

// Prepares the user folder that each n8n of the tests gets a copy of: node test/e2e/prepare.mts <folder of the package>
// n8n's database is there, and the owner is set up and logged in. The package, packed meanwhile, is installed in it.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Editor } from '../../scripts/lib/editor.mts';
import { installPackage, startN8n } from '../../scripts/lib/n8n.mts';
import { installOldVersions } from '../../scripts/lib/oldVersions.mts';
import { packPackage } from '../../scripts/lib/packPackage.mts';
import { cookieFile, fastStart, firstPort, preparedFolder } from './harness.mts';
import { owner } from './owner.mts';

const [folder] = process.argv.slice(2);
const log = (name: string) => join(preparedFolder, `${name}.log`);

async function startFirst(): Promise<void> {
	if (existsSync(join(preparedFolder, cookieFile))) {
		return;
	}
	const n8n = await startN8n({
		userFolder: preparedFolder,
		logFile: log('n8n'),
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
}

mkdirSync(preparedFolder, { recursive: true });
const [tarball] = await Promise.all([packPackage(folder!, log('pack')), startFirst(), installOldVersions()]);
await installPackage(tarball, preparedFolder, log('install'));

import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { runProcess } from '../../scripts/lib/process.mts';
import { preparedFolder } from '../e2e/harness.mts';
import { QueueMode, type QueueModeChoice } from '../e2e/queueMode.mts';
import { folder } from './lab.mts';

/** Builds and installs the package as n8n does, and starts n8n in queue mode with its databases. */
export async function startQueueMode(choice: QueueModeChoice): Promise<QueueMode> {
	globalThis.harness = await import('../e2e/harness.mts');
	rmSync(preparedFolder, { recursive: true, force: true, maxRetries: 3 });
	await runProcess({
		name: 'Preparing n8n',
		args: [join(root, 'test', 'e2e', 'prepare.mts'), folder],
		cwd: root,
		env: process.env,
		logFile: join(folder, 'logs', 'prepare.log'),
	});
	return await QueueMode.start(choice);
}

// Runs both examples and the checks that depend on the version in one n8n; started by scripts/compat.mts:
// node scripts/lib/compatRun.mts <version> <result file>
// The environment variable N8N_TO_TRY names n8n's folder in `.cache`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { redirectChecks } from '../../test/compat/redirects.mts';
import { exampleChecks, n8nTextChecks, nodesOf, ownVersion, versions } from './compatChecks.mts';
import { Editor } from './editor.mts';
import { countsTable, judge } from './outcome.mts';
import { root } from './places.mts';
import { claimFolder, runQuickStart, type Started } from './quickStart.mts';

const [version, resultFile = ''] = process.argv.slice(2);
const loopbackNames = join(root, 'test', 'compat', 'loopbackNames.cjs');
const started: Started = {};

/** Stops n8n, then the sandbox that it uses. */
async function stop(): Promise<void> {
	await started.n8n?.stop();
	await started.sandbox?.process.stop();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => void stop().finally(() => process.exit(1)));
}

try {
	const folder = claimFolder();
	const { records, owner } = await runQuickStart(folder, started, {
		env: { NODE_OPTIONS: `--require "${loopbackNames}"` },
	});
	const { counts, checks } = judge(records);
	checks.push(...(await n8nTextChecks(started, version === ownVersion)));
	const editor = new Editor(started.n8n?.url ?? '');
	await editor.logIn(owner);
	checks.push(...(await redirectChecks(editor)));
	checks.push(...exampleChecks(version, await nodesOf(started.n8n?.url ?? '', editor.cookie), versions));
	console.log(
		`\n${countsTable(counts)}\n\n${checks.map(({ text, passed }) => `  ${passed ? '✓' : '✗'} ${text}`).join('\n')}\n`,
	);
	const failed = checks.filter(({ passed }) => !passed).length;
	writeFileSync(resultFile, JSON.stringify({ passed: checks.length - failed, failed }));
	if (failed > 0) {
		console.log(`Some checks failed. The logs are in ${join(folder, 'logs')}\n`);
	}
	process.exitCode = failed > 0 ? 1 : 0;
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
}
await stop();

// The quick start. Checks the options before anything is installed.
import { runWith } from './setup/install.mjs';
import { explainStart } from './setup/startOptions.mjs';

await runWith({
	explain: explainStart,
	needs: ['project', 'n8n'],
	run: ['scripts/start.mts', ...process.argv.slice(2)],
});

// n8n for the work on the nodes. Checks the options before anything is installed.
import { explainDev } from './setup/devOptions.mjs';
import { runWith } from './setup/runWith.mjs';

await runWith({ explain: explainDev, needs: ['project', 'n8n'], run: ['scripts/dev.mts', ...process.argv.slice(2)] });

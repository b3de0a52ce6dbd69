// What `npm run dev` relies on: n8n loads a package again once its files have changed.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { reloadPackage } from '../../scripts/lib/n8n.mts';
import { comes } from './eventually.mts';
import { Instance } from './instance.mts';

const CHANGED = 'Changed while n8n runs';
const PACKAGE = 'n8n-nodes-voice-agent-calling';
let n8n: Instance;
let built: string;

beforeAll(async () => {
	n8n = await Instance.start({ env: { N8N_DEV_RELOAD: 'true' } });
	built = mkdtempSync(join(tmpdir(), 'dev-built-'));
}, 120_000);

afterAll(() => rmSync(built, { recursive: true, force: true }));

/** The description of the trigger that n8n gives to its editor. */
async function described(): Promise<string> {
	const nodeInfos = [{ name: `${PACKAGE}.voiceAgentCallingTrigger`, version: 1 }];
	const [node] = await n8n.editor.request<Array<{ description: string }>>('POST', '/rest/node-types', { nodeInfos });
	return node?.description ?? '';
}

/** The built files with a text, as a change of the source leads to: the code, and where there is one, the metadata. */
function filesWith(text: string): string[] {
	return readdirSync(built, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && /\.(js|json)$/.test(entry.name))
		.map(({ parentPath, name }) => join(parentPath, name))
		.filter((file) => readFileSync(file, 'utf8').includes(text));
}

test('n8n shows a changed description without a restart, and the trigger still registers', async () => {
	const installed = join(n8n.folder, '.n8n', 'nodes', 'node_modules', PACKAGE, 'dist');
	cpSync(installed, built, { recursive: true });
	const before = await described();
	expect(before).not.toBe('');
	const { campaigns } = (await n8n.service.get('/_sandbox/seed')).data;
	const workflowId = await n8n.createWorkflow('Kept', [n8n.trigger(campaigns.active)]);

	for (const file of filesWith(before)) {
		writeFileSync(file, readFileSync(file, 'utf8').replaceAll(before, CHANGED));
	}
	expect(await reloadPackage(built, dirname(installed), PACKAGE, join(n8n.folder, 'n8n.log'))).toBe(true);
	await comes(async () => (await described()) === CHANGED, 'the new description');
	await n8n.editor.publish(workflowId);
	await n8n.soleWebhook(campaigns.active);
}, 120_000);

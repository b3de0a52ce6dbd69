// Lints the whole tree with n8n's own rules, and once more what the nodes look like to n8n: their
// descriptions are put together at load time, where the rules cannot see into them.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import type { INodeType } from 'n8n-workflow';
import { cache, root } from './lib/places.mts';

const rendered = join(cache, 'rendered');
const nodes = ['VoiceAgentCalling', 'VoiceAgentCallingTrigger'];

/** Writes the description of a built node as one literal, in a place where the rules for nodes apply. */
async function render(name: string): Promise<void> {
	const path = join('nodes', name, `${name}.node`);
	const built = createRequire(import.meta.url)(join(root, 'dist', `${path}.js`)) as Record<
		string,
		new () => INodeType
	>;
	// Without its lifecycle methods a description with webhooks is incomplete to the rules.
	const description = { ...new built[name]().description, webhooks: undefined };
	const literal = JSON.stringify(description, null, '\t')
		.replace(/"([A-Za-z_$][\w$]*)":/g, '$1:')
		.replace(/(inputs|outputs): \[\s*"main"\s*\]/g, '$1: [NodeConnectionTypes.Main]');
	await mkdir(join(rendered, 'nodes', name), { recursive: true });
	await writeFile(
		join(rendered, `${path}.ts`),
		[
			"import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';",
			`export class ${name} implements INodeType {`,
			`description: INodeTypeDescription = ${literal};`,
			'}',
			'',
		].join('\n'),
	);
}

await rm(rendered, { recursive: true, force: true });
await cp(join(root, 'icons'), join(rendered, 'icons'), { recursive: true });
for (const name of nodes) await render(name);

const eslint = join(root, 'tools', 'lint', 'node_modules', 'eslint', 'bin', 'eslint.js');
const config = join(root, 'tools', 'lint', 'eslint.config.mjs');
const { status } = spawnSync(
	process.execPath,
	[eslint, '--config', config, '--max-warnings', '0', '.', rendered],
	{ cwd: root, stdio: 'inherit' },
);
process.exitCode = status ?? 1;

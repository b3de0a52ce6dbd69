import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { connectBuilder } from './builderMcp.mts';
import { judges } from './builders/jobs.mts';
import { World } from './builders/world.mts';
import { Instance } from './instance.mts';

/** Made by AI models, with the IDs of the n8n in which they were made; never changed by hand. */
const folder = join(import.meta.dirname, 'builders');
const { madeWith, jobs, wrong } = JSON.parse(readFileSync(join(folder, 'jobs.json'), 'utf8')) as {
	madeWith: { credentials: string[]; tables: Record<string, { id: string; columns: string }> };
	jobs: Record<string, string>;
	/** The jobs that the model did not get right, and why. */
	wrong: Record<string, string>;
};

let n8n: Instance;
let mcp: Awaited<ReturnType<typeof connectBuilder>>;
let world: World;
/** The IDs here, by those in the codes. */
const ids = new Map<string, string>();

beforeAll(async () => {
	n8n = await Instance.start({ env: { N8N_DISABLED_MODULES: '' } });
	mcp = await connectBuilder(n8n);
	const { id: projectId } = await n8n.editor.request<{ id: string }>('GET', '/rest/projects/personal');
	const tables: Record<string, string> = {};
	for (const [name, { id, columns: list }] of Object.entries(madeWith.tables)) {
		const columns = list.split(', ').map((column) => {
			const [columnName, type] = column.split(' ');
			return { name: columnName, type };
		});
		const made = JSON.parse(await mcp.call('create_data_table', { name, projectId, columns })) as { id: string };
		tables[name] = made.id;
		ids.set(id, made.id);
	}
	for (const id of madeWith.credentials) {
		ids.set(id, n8n.credential.id);
	}
	const { data: agents } = await n8n.service.get<Array<{ id: string; name: string }>>('/_sandbox/agents');
	const agentId = String(agents.find(({ name }) => name === 'Odette')?.id);
	const { campaignId } = n8n.sandbox;
	const tool = async (name: string, args: object) => await mcp.call(name, args);
	world = new World({ tool, n8n, tables, projectId, agentId, campaignId });
});

afterAll(async () => await mcp?.close());

/** What the jobs speak of: an agent Odette who needs no variables, a campaign Spring check-up, and empty tables. */
beforeEach(async () => {
	await n8n.service.post('/_sandbox/reset');
	const { agentId, campaignId, projectId, tables } = world.parts;
	await n8n.givePrompt(agentId, 'You are Odette. Be friendly, and tell people why you call.', 'Hello, this is Odette.');
	await n8n.service.put(`/api/v1/campaigns/${campaignId}`, { name: 'Spring check-up' });
	const filter = JSON.stringify({ type: 'and', filters: [{ columnName: 'id', condition: 'gte', value: 0 }] });
	for (const id of Object.values(tables)) {
		const path = `/rest/projects/${projectId}/data-tables/${id}/rows?${new URLSearchParams({ filter })}`;
		await n8n.editor.request('DELETE', path);
	}
	await world.forget();
});

const fileOf = (name: string) => join(folder, 'code', `${name}.txt`);
const codeOf = (name: string) =>
	[...ids].reduce((code, [from, to]) => code.replaceAll(from, to), readFileSync(fileOf(name), 'utf8'));

test.each(Object.entries(jobs))('%s: %s', async (name) => {
	let code = codeOf(name);
	if (existsSync(fileOf(`${name}.2`))) {
		const inner = await world.create(codeOf(`${name}.2`));
		expect(inner.problems).toEqual([]);
		await world.publish(inner.id);
		code = code.replaceAll('SUBWORKFLOW_ID', inner.id);
	}
	const { id, problems } = await world.create(code);
	expect(problems).toEqual([]);
	const found = Object.entries(await judges[name]!(world, id)).filter(([, holds]) => !holds);
	const unmet = found.map(([what]) => what);
	expect(unmet).toEqual(name in wrong ? expect.arrayContaining([expect.any(String)]) : []);
	await world.unpublish(id);
});

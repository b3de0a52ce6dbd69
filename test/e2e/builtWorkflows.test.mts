import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { connectBuilder } from './builderMcp.mts';
import { jobs } from './builders/jobs.mts';
import { World } from './builders/world.mts';
import { Instance } from './instance.mts';

/** Made by AI models, with the IDs of the n8n in which they were made; never changed by hand. */
const folder = join(import.meta.dirname, 'builders', 'code');
/** The credential in the codes. */
const credentialId = 'qxvXaK6hXzvQtzYz';
/** The data tables: their IDs in the codes, and their columns. */
const dataTables = {
	already_called: { id: 'c1DLb77yYKr3TDZ5', columns: 'phone string, name string, call_id string, called_at date' },
	call_log: {
		id: 'egYGd020WYZRI5j8',
		columns: 'call_id string, phone string, outcome string, length number, end_time date, transcript string',
	},
	transcripts: {
		id: 'tPL943OsBRJE5QN8',
		columns: 'call_id string, phone string, transcript string, mentions_cancel boolean',
	},
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
	for (const [name, { id, columns: list }] of Object.entries(dataTables)) {
		const columns = list.split(', ').map((column) => {
			const [columnName, type] = column.split(' ');
			return { name: columnName, type };
		});
		const made = JSON.parse(await mcp.call('create_data_table', { name, projectId, columns })) as { id: string };
		tables[name] = made.id;
		ids.set(id, made.id);
	}
	ids.set(credentialId, n8n.credential.id);
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

const codeOf = (file: string) =>
	[...ids].reduce((code, [from, to]) => code.replaceAll(from, to), readFileSync(join(folder, file), 'utf8'));

const sentences = Object.entries(jobs).map(([name, { said }]) => [name, said] as const);

test.each(sentences)('%s: %s', async (name) => {
	// A job may have a second workflow, which collects what the first one reads.
	if (existsSync(join(folder, `${name}.2.txt`))) {
		const second = await world.create(codeOf(`${name}.2.txt`));
		expect(second.problems).toEqual([]);
		await world.publish(second.id);
	}
	const { id, problems } = await world.create(codeOf(`${name}.txt`));
	expect(problems).toEqual([]);
	const unmet = Object.entries(await jobs[name]!.judge(world, id)).filter(([, holds]) => !holds);
	expect(unmet.map(([what]) => what)).toEqual([]);
	await world.unpublish(id);
});

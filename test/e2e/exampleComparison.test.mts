import { stillClock } from './callAndWait.mts';
import { addOptions, importExample, nodeOf, tableRows } from './example.mts';
import { byId, Instance } from './instance.mts';

interface Row {
	comparison: string;
	contact_id: string;
	variant: 'A' | 'B';
	state: string;
}

let n8n: Instance;
let agents: { A: string; B: string };
let workflowId: string;

/** One number for each outcome, one that is none, and enough others for both agents. */
const contacts = [
	'+442079460001',
	'+442079460002',
	'+442079460003',
	'+442079460005',
	'no number',
	...Array.from({ length: 15 }, (_, index) => `+4420794601${10 + index}`),
].map((phone, index) => ({ id: index + 1, name: 'Ada', phone }));

const allRows = async () => await tableRows<Row>(n8n, 'Agent Comparison');

beforeAll(async () => {
	n8n = await Instance.share(stillClock);
	const { data } = await n8n.service.get('/api/v1/agents', { params: { per_page: 100 } });
	const other = (data.data as Array<{ id: string; name: string }>).find(({ name }) => name === 'Dmitri');
	agents = { A: n8n.sandbox.agentId, B: String(other?.id) };
	workflowId = await importExample(n8n, 'compare-two-agents.json', (workflow) => {
		nodeOf(workflow, 'Agent B').parameters.agent = byId(agents.B);
		// By hand, Automatic calls five phones only.
		nodeOf(workflow, 'Place and Wait').parameters.testCall = 'always';
		addOptions(nodeOf(workflow, 'Call Events'), { additionalAgents: [agents.B] });
		nodeOf(workflow, 'Contacts').parameters.jsonOutput = JSON.stringify({ contacts });
	});
});

/** Starts the workflow of the calls by hand. */
const begin = async () => await n8n.editor.run(workflowId, 'Weekdays at Ten');

test('Each contact is then called once by the agent of its variant, and its outcome is a row', async () => {
	await n8n.editor.publish(workflowId);
	for (const agent of Object.values(agents)) {
		await n8n.agentWebhook(agent);
	}
	const calling = await begin();
	await n8n.statusBecomes(calling, 'waiting');
	// Only now does a call end: the service tells it to an execution that still places calls again later.
	await n8n.sandbox.setSpeed(60);
	expect(await n8n.ended(calling)).toBe('success');
	const rows = await allRows();
	expect(rows.map(({ contact_id }) => contact_id)).toEqual(contacts.map(({ id }) => String(id)));
	expect(rows.map(({ state }) => state)).toEqual([
		'completed',
		'busy',
		'noAnswer',
		'voicemail',
		'not called',
		...contacts.slice(5).map(() => 'completed'),
	]);
	expect(new Set(rows.map(({ variant }) => variant))).toEqual(new Set(['A', 'B']));
	for (const row of rows) {
		expect(row).toMatchObject({ comparison: 'Greeting 1 (test calls)', is_test: true, agent_id: agents[row.variant] });
	}
	const placed = await n8n.placed();
	const numbers = contacts.map(({ phone }) => phone).filter((phone) => phone !== 'no number');
	expect(placed.map(({ body }) => body?.to).sort()).toEqual(numbers.sort());
	for (const { path, body } of placed) {
		const { comparison, contact_id, variant } = body?.context as Row;
		expect(path).toBe(`/api/v1/agents/${agents[variant]}/call`);
		expect(rows).toContainEqual(expect.objectContaining({ comparison, contact_id, variant }));
		expect(body).toMatchObject({ is_testing: true, payload: { name: 'Ada' } });
	}

	// A second run calls nobody again, and each contact keeps its agent.
	expect(await n8n.ended(await begin())).toBe('success');
	expect((await allRows()).map(({ variant }) => variant)).toEqual(rows.map(({ variant }) => variant));
	expect(await n8n.placed()).toHaveLength(placed.length);
});

test.each([
	['without an ID', [{ name: 'Eve' }, { name: 'Joe' }]],
	['with the ID of another one', [{ id: 7 }, { id: '7' }]],
])('A contact %s stops the run before anybody is called or written down', async (_what, wrong) => {
	const [before, rows] = [await n8n.placed(), await allRows()];
	const id = await importExample(n8n, 'compare-two-agents.json', (workflow) => {
		const people = wrong.map((person, index) => ({ ...person, phone: `+4420794602${10 + index}` }));
		nodeOf(workflow, 'Contacts').parameters.jsonOutput = JSON.stringify({ contacts: people });
	});
	expect((await n8n.run(id, 'Weekdays at Ten')).status).toBe('error');
	expect([await n8n.placed(), await allRows()]).toEqual([before, rows]);
});

// What it counts and says, test/project/agentComparison.test.mts has.
test('The report has the calls of each variant, with its agent and its price', async () => {
	const { id, status } = await n8n.run(workflowId, 'Every Monday');
	expect(status).toBe('success');
	const rows = (await allRows()).filter(({ state }) => state !== 'not called');
	const variants = (['A', 'B'] as const).map((variant) => {
		const calls = rows.filter((row) => row.variant === variant).length;
		return { variant, agents: [agents[variant]], calls, cost: 0 };
	});
	expect(await n8n.outputOf(id, 'Report')).toMatchObject([{ comparison: 'Greeting 1 (test calls)', variants }]);
});

import { evaluate } from './evaluations.mts';
import { importExample, makeTable, modelFor, nodeOf } from './example.mts';
import { byId, Instance } from './instance.mts';

const BOOKED = 'agent: May I book you for Tuesday?\nperson: Yes, Tuesday is fine.';
const NOT_BOOKED = 'agent: May I book you for Tuesday?\nperson: No. What does it cost?\nagent: Goodbye.';

let n8n: Instance;
let model: Awaited<ReturnType<typeof modelFor>>;
/** What the model was given to read. */
const read: string[] = [];

beforeAll(async () => {
	n8n = await Instance.share();
	model = await modelFor(n8n, (said) => {
		read.push(said);
		const isBooked = said.includes('fine');
		const marks = { goal_reached: isBooked, answered_questions: isBooked, politeness: isBooked ? 5 : 2 };
		return {
			say: said.includes('nonsense') ? 'This is nonsense.' : JSON.stringify({ ...marks, reason: 'As it was said.' }),
		};
	});
});

/** Evaluates the example with a table of transcripts; gives the run, and its cases. @param since from when rows are read */
async function judge(texts: string[], since?: string) {
	read.length = 0;
	const rows = texts.map((transcript) => ({ transcript }));
	const table = await makeTable(n8n, `Transcripts ${crypto.randomUUID()}`, rows);
	const workflowId = await importExample(n8n, 'judge-conversations.json', (workflow) => {
		model.use(nodeOf(workflow, 'Chat Model'));
		const { parameters } = nodeOf(workflow, 'Transcripts');
		parameters.dataTableId = byId(table);
		const { conditions } = parameters.filters as { conditions: Array<{ keyName: string }> };
		const created = conditions.find(({ keyName }) => keyName === 'createdAt') ?? {};
		Object.assign(created, since !== undefined && { keyValue: since });
	});
	return await evaluate(n8n, workflowId);
}

test('An evaluation has the marks of each transcript and their means; what is not judged fails, and an empty row is no case', async () => {
	const { run, cases } = await judge([BOOKED, NOT_BOOKED, 'agent: nonsense', '']);
	expect(cases.map(({ status }) => status).sort()).toEqual(['error', 'success', 'success']);
	expect(cases.map(({ metrics }) => metrics)).toEqual(
		expect.arrayContaining([
			expect.objectContaining({ goal_reached: 1, answered_questions: 1, politeness: 5 }),
			expect.objectContaining({ goal_reached: 0, answered_questions: 0, politeness: 2 }),
		]),
	);
	expect(run.metrics).toMatchObject({ goal_reached: 0.5, answered_questions: 0.5, politeness: 3.5 });
	expect(read.slice(0, 2)).toEqual([BOOKED, NOT_BOOKED]);
	expect(await n8n.placed()).toEqual([]);
});

test('The limit of rows is the most that one run sends to the model, and only rows since the moment set are', async () => {
	const { cases } = await judge(Array(25).fill(BOOKED));
	expect([cases.length, read.length]).toEqual([20, 20]);
	const { run, cases: none } = await judge([BOOKED], '={{ $now.plus({ days: 1 }).toISO() }}');
	expect([run.status, none, read]).toEqual(['error', [], []]);
});

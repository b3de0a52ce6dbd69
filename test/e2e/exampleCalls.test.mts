import type { WorkflowFile } from '../../scripts/lib/examples.mts';
import { addOptions, nodeOf, publishExample } from './example.mts';
import { Instance } from './instance.mts';

const people = ['Ada +442079460001', 'Grace +442079460002', 'Katherine +442079460003', 'Hedy +442079460004', 'Annie no']
	.map((text) => text.split(' '))
	.map(([name, phone]) => ({ id: name, name, phone }));
/** Somebody whose phone rings for an hour: a minute of this sandbox. */
const mary = { id: 'Mary', name: 'Mary', phone: '+442079460006' };

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.share();
});

/** Imports and publishes an example with these contacts, runs it by hand until it is over, and unpublishes it. */
async function run(file: string, contacts: object[], change: (workflow: WorkflowFile) => void) {
	const before = (await n8n.placed()).length;
	await n8n.ringsForAnHour(mary.phone);
	const workflowId = await publishExample(n8n, file, (workflow) => {
		nodeOf(workflow, 'Contacts').parameters.jsonOutput = JSON.stringify({ contacts });
		change(workflow);
	});
	await n8n.agentWebhook(n8n.sandbox.agentId);
	const { id, status } = await n8n.run(workflowId, 'When You Click Execute');
	// What an execution waits for starts no other one.
	expect([status, (await n8n.editor.executions(workflowId)).length]).toEqual(['success', 1]);
	await n8n.editor.unpublish(workflowId);
	await n8n.agentWebhook(n8n.sandbox.agentId, false);
	const came = async (node: string) => await n8n.outputOf(id, node);
	const dialed = (await n8n.dialed()).slice(before).map(({ to }) => String(to));
	return { came, dialed: dialed.sort() };
}

/** Gives a node ten seconds for the outcomes. */
const tenSeconds = (workflow: WorkflowFile, node: string) =>
	addOptions(nodeOf(workflow, node), { timeLimit: { values: { amount: 10, unit: 'seconds' } } });

test('Call and continue by outcome sends each contact down the branch of its outcome', async () => {
	const file = 'call-and-continue-by-outcome.json';
	const { came, dialed } = await run(file, [...people, mary], (workflow) => tenSeconds(workflow, 'Place and Wait'));
	const branches = ['Line Was Busy', 'Nobody Answered', 'Call Failed', 'Timed Out'];
	const names = await Promise.all(branches.map(async (node) => (await came(node)).map(({ name }) => name)));
	expect(names).toEqual([['Grace'], ['Katherine'], ['Hedy'], ['Mary']]);
	const result = expect.stringMatching(/^Reached: the call took \d+ seconds$/);
	expect(await came('Reached')).toMatchObject([{ contact_id: 'Ada', phone: '+442079460001', result }]);
	const why = expect.stringMatching(/^Not called: 'Phone Number' cannot be "no"/);
	expect(await came('Not Called')).toMatchObject([{ contact_id: 'Annie', result: why }]);
	expect(dialed).toEqual([...people.slice(0, 4), mary].map(({ phone }) => phone));
	// Its end must not start the next example.
	await n8n.advance(3600);
});

test('Call again when busy calls only the busy contact a second time, and none whose outcome is unknown', async () => {
	const { came, dialed } = await run('call-again-when-busy.json', [...people.slice(0, 3), mary], (workflow) => {
		nodeOf(workflow, 'Ten Minutes Later').parameters = { amount: 1, unit: 'seconds' };
		tenSeconds(workflow, 'Call');
	});
	expect(await came('After One Call')).toMatchObject([
		{ contact_id: 'Ada', calls: 1, outcome: 'completed' },
		{ contact_id: 'Katherine', calls: 1, outcome: 'noAnswer' },
		{ contact_id: 'Mary', calls: 1, outcome: 'timedOut' },
	]);
	expect(await came('After the Second Call')).toMatchObject([{ contact_id: 'Grace', calls: 2, outcome: 'busy' }]);
	expect(dialed).toEqual(['+442079460001', '+442079460002', '+442079460002', '+442079460003', mary.phone]);
});

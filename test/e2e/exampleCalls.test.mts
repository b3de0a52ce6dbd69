import { until } from '../../scripts/lib/waiting.mts';
import type { WorkflowFile } from '../../scripts/quickstart/examples.mts';
import { addOptions, importExample, nodeOf } from './example.mts';
import { outputOf } from './executionData.mts';
import { Instance } from './instance.mts';

let n8n: Instance;
/** How many requests the sandbox had before the test. */
let seen = 0;

beforeAll(async () => {
	n8n = await Instance.share();
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

beforeEach(async () => {
	seen = (await n8n.requests()).length;
});

/** The webhooks of the agent, once there are that many. */
async function agentWebhooks(count: number) {
	const path = `/api/v1/agents/${n8n.sandbox.agentId}/webhooks`;
	const ask = async () => {
		const { webhooks } = (await n8n.service.get(path)).data.data as { webhooks: Array<{ id: string }> };
		return webhooks.length === count ? webhooks : undefined;
	};
	return await until(ask, {
		seconds: 20,
		otherwise: () => new Error(`The agent did not come to have ${count} webhooks`),
	});
}

/** Imports and publishes an example, does something with it, and unpublishes it. */
async function published(
	file: string,
	change: (workflow: WorkflowFile) => void,
	use: (workflowId: string) => Promise<void>,
) {
	const id = await importExample(n8n, file, change);
	await n8n.editor.publish(id);
	await agentWebhooks(1);
	try {
		await use(id);
	} finally {
		await n8n.unpublish(id);
		await agentWebhooks(0);
	}
}

/** Runs a published example by hand until it is over; gives its only execution. */
async function run(workflowId: string): Promise<string> {
	const id = await n8n.editor.run(workflowId, 'When You Click Execute');
	const [execution, ...others] = await n8n.finished(workflowId, 1);
	expect(execution).toMatchObject({ id, status: 'success' });
	// What an execution waits for starts no other one.
	expect(others).toEqual([]);
	return id;
}

/** The contacts of an example, in place of its own. */
function contacts(people: object[]) {
	return (workflow: WorkflowFile) => {
		nodeOf(workflow, 'Contacts').parameters.jsonOutput = JSON.stringify({ contacts: people });
	};
}

/** The numbers that the service was asked to call, since the test began. */
async function dialed(): Promise<string[]> {
	const requests = (await n8n.requests()).slice(seen);
	return requests
		.filter(({ method, path }) => method === 'POST' && path.endsWith('/call'))
		.map(({ body }) => String(body?.to));
}

describe('Call and continue by outcome', () => {
	const people = [
		{ id: 'a', name: 'Ada', phone: '+442079460001' },
		{ id: 'b', name: 'Grace', phone: '+442079460002' },
		{ id: 'c', name: 'Katherine', phone: '+442079460003' },
		{ id: 'd', name: 'Hedy', phone: '+442079460004' },
		{ id: 'e', name: 'Annie', phone: 'no number' },
	];

	test('sends each contact down the branch of its outcome', async () => {
		await published('call-and-continue-by-outcome.json', contacts(people), async (workflowId) => {
			const id = await run(workflowId);
			const came = async (node: string) => (await outputOf(n8n.editor, id, node)).map(({ contact_id }) => contact_id);
			expect(await came('Reached')).toEqual(['a']);
			expect(await came('Line Was Busy')).toEqual(['b']);
			expect(await came('Nobody Answered')).toEqual(['c']);
			expect(await came('Call Failed')).toEqual(['d']);
			expect(await came('Not Called')).toEqual(['e']);
			expect(await came('Timed Out')).toEqual([]);
			const [reached] = await outputOf(n8n.editor, id, 'Reached');
			expect(reached).toMatchObject({
				name: 'Ada',
				phone: '+442079460001',
				result: expect.stringMatching(/^Reached: the call took \d+ seconds$/),
			});
			const [not] = await outputOf(n8n.editor, id, 'Not Called');
			expect(not).toMatchObject({
				name: 'Annie',
				result: expect.stringMatching(/^Not called: 'Phone Number' .*It contains no phone number/s),
			});
		});
		expect((await dialed()).sort()).toEqual(people.slice(0, 4).map(({ phone }) => phone));
	}, 120_000);

	test('sends a contact without an outcome down the timeout branch', async () => {
		// An hour is a minute of this sandbox.
		await n8n.ringsForAnHour(people[1].phone);
		const late = (workflow: WorkflowFile) => {
			contacts(people.slice(0, 2))(workflow);
			const timeLimit = { values: { amount: 12, unit: 'seconds' } };
			addOptions(nodeOf(workflow, 'Place and Wait'), { timeLimit });
		};
		await published('call-and-continue-by-outcome.json', late, async (workflowId) => {
			const id = await run(workflowId);
			expect(await outputOf(n8n.editor, id, 'Reached')).toMatchObject([{ contact_id: 'a' }]);
			expect(await outputOf(n8n.editor, id, 'Timed Out')).toMatchObject([{ contact_id: 'b', name: 'Grace' }]);
			expect(await outputOf(n8n.editor, id, 'Line Was Busy')).toEqual([]);
		});
		// Its end must not start the next example.
		await n8n.service.post('/_sandbox/advance', { seconds: 3600 });
	}, 120_000);

	test('calls nobody while the workflow is not published, and says why', async () => {
		const workflowId = await importExample(n8n, 'call-and-continue-by-outcome.json');
		const id = await n8n.editor.run(workflowId, 'When You Click Execute');
		await n8n.finished(workflowId, 1);
		expect(await dialed()).toEqual([]);
		const results = (await outputOf(n8n.editor, id, 'Not Called')).map(({ result }) => result);
		expect(results).toHaveLength(4);
		for (const result of results) {
			expect(result).toMatch(/^Not called: .*publish/s);
		}
	}, 60_000);
});

describe('Call again when busy', () => {
	test('calls only the busy contact a second time', async () => {
		const soon = (workflow: WorkflowFile) => {
			nodeOf(workflow, 'Ten Minutes Later').parameters = { amount: 1, unit: 'seconds' };
		};
		await published('call-again-when-busy.json', soon, async (workflowId) => {
			const id = await run(workflowId);
			expect(await outputOf(n8n.editor, id, 'After One Call')).toMatchObject([
				{ contact_id: 'contact-1', calls: 1, outcome: 'completed' },
				{ contact_id: 'contact-3', calls: 1, outcome: 'noAnswer' },
			]);
			expect(await outputOf(n8n.editor, id, 'After the Second Call')).toMatchObject([
				{ contact_id: 'contact-2', name: 'Grace', calls: 2, outcome: 'busy' },
			]);
		});
		expect((await dialed()).sort()).toEqual(['+442079460001', '+442079460002', '+442079460002', '+442079460003']);
	}, 120_000);

	test('does not call a contact again whose outcome is unknown', async () => {
		await n8n.ringsForAnHour('+442079460002');
		const late = (workflow: WorkflowFile) => {
			const timeLimit = { values: { amount: 12, unit: 'seconds' } };
			addOptions(nodeOf(workflow, 'Call'), { timeLimit });
		};
		await published('call-again-when-busy.json', late, async (workflowId) => {
			const id = await run(workflowId);
			const outcomes = (await outputOf(n8n.editor, id, 'After One Call')).map(({ contact_id, outcome }) => [
				contact_id,
				outcome,
			]);
			expect(outcomes).toEqual([
				['contact-1', 'completed'],
				['contact-2', 'timedOut'],
				['contact-3', 'noAnswer'],
			]);
			expect(await outputOf(n8n.editor, id, 'After the Second Call')).toEqual([]);
		});
		expect((await dialed()).sort()).toEqual(['+442079460001', '+442079460002', '+442079460003']);
	}, 120_000);
});

import { randomUUID } from 'node:crypto';

import { CONTEXT_FIELD } from '../../nodes/shared/triggerSecrets/resumeToken.ts';
import type { WorkflowFile } from '../../scripts/lib/examples.mts';
import { workflowIn } from '../docs/pageWorkflows.mts';
import { stillClock } from './callAndWait.mts';
import { comes } from './eventually.mts';
import { addOptions, credentialFor, importExample, nodeOf, publishExample } from './example.mts';
import { outputsOf } from './executionData.mts';
import { Instance } from './instance.mts';

/** The page whose recipes are tested. */
const PAGE = 'docs/reference/waiting.md';
const START = 'When You Click Execute';

interface Contact {
	id: string;
	phone: string;
}

/** The outcome of a call by the last digit of the number. */
const outcomes: Record<string, string> = { 1: 'completed', 2: 'busy', 3: 'noAnswer', 4: 'failed', 6: 'completed' };
const outcomeOf = ({ phone }: Contact) => outcomes[phone.at(-1)!];

/** What the pages' workflows write of a contact who was called. */
const placedWith = (contact: Contact) => ({
	contact_id: contact.id,
	result: 'placed',
	outcome: outcomeOf(contact),
});

/** Fifty contacts, ten for each digit. */
const fifty: Contact[] = Array.from({ length: 10 }, (_, block) =>
	Object.keys(outcomes).map((last) => ({ id: `contact-${block}-${last}`, phone: `+120255${block}000${last}` })),
).flat();

/** Six contacts with two numbers, each written in several ways. */
const six: Contact[] = [1, 2].flatMap((last) =>
	[`+1202555000${last}`, `+1 202-555-000${last}`, `+1 (202) 555-000${last}`].map((phone, index) => ({
		id: `contact-${last}-${index}`,
		phone,
	})),
);

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.start(stillClock);
});

beforeEach(async () => {
	await n8n.service.post('/_sandbox/reset');
	await n8n.sandbox.setSpeed(stillClock.speed);
});

type Items = Array<Record<string, unknown>>;
const ofContacts = (items: Items) =>
	items.sort((one, other) => String(one.contact_id).localeCompare(String(other.contact_id)));

const dialed = async () => (await n8n.dialed()).map(({ to }) => String(to)).sort();

/** Pastes a workflow with these contacts, and publishes it. @param pasted its name on the page, or one that a test has */
async function paste(
	pasted: string | WorkflowFile,
	contacts: Contact[],
	change: (workflow: WorkflowFile) => void = () => {},
): Promise<string> {
	const file = typeof pasted === 'string' ? workflowIn(PAGE, pasted) : pasted;
	const id = await publishExample(n8n, file, (workflow) => {
		nodeOf(workflow, 'Contacts').parameters.jsCode = `return ${JSON.stringify(contacts)};`;
		// The editor gives it to a node that is pasted.
		Object.assign(nodeOf(workflow, 'Call Events'), { webhookId: randomUUID() });
		change(workflow);
	});
	await n8n.agentWebhook(n8n.sandbox.agentId);
	return id;
}

/** Moves the sandbox's clock on until a workflow has so many executions, and all are over; gives their IDs. */
async function over(workflowId: string, count: number): Promise<string[]> {
	await comes(
		async () => {
			await n8n.advance(5);
			const executions = await n8n.editor.executions(workflowId);
			const left = executions.filter(({ status }) => ['new', 'running', 'waiting'].includes(status));
			return left.length === 0 && executions.length >= count;
		},
		`${count} executions that are over`,
		120,
	);
	const executions = await n8n.finished(workflowId, count);
	expect(executions.map(({ status }) => status)).toEqual(Array(count).fill('success'));
	return executions.map(({ id }) => id);
}

/** What nodes have put out in these executions. */
async function itemsOf(executionIds: string[], ...nodes: string[]): Promise<Items> {
	const items: Items = [];
	for (const id of executionIds) {
		for (const node of nodes) {
			items.push(...(await outputsOf(n8n.editor, id, node)).outputs.flat());
		}
	}
	return ofContacts(items);
}

describe('The whole list in one node, and a trigger that continues with each outcome:', () => {
	test('Place: each call starts one execution, which knows its contact; repeated numbers are called once', async () => {
		const contacts = [...fifty.slice(2, 5), ...six];
		const workflowId = await paste('Continue with each outcome', contacts);
		const { id } = await n8n.run(workflowId, START);
		const results = (await n8n.outputOf(id, 'Place')).map(({ result }) => result);
		const ofNumber = ['placed', 'sameNumber', 'sameNumber'];
		expect(results).toEqual(['placed', 'placed', 'placed', ...ofNumber, ...ofNumber]);
		const executions = await over(workflowId, 6);
		const called = contacts
			.filter((_contact, index) => results[index] === 'placed')
			.map((contact) => ({ contact_id: contact.id, status: outcomeOf(contact)?.replace('noAnswer', 'no-answer') }));
		expect(await itemsOf(executions, 'Outcome')).toEqual(ofContacts(called));
		expect(await n8n.dialed()).toHaveLength(5);
		await n8n.editor.unpublish(workflowId);
	});

	test('Queue Call: the end of each call, after all tries, is one event with its contact', async () => {
		const reactId = await publishExample(n8n, 'react-to-campaign-events.json');
		await n8n.soleWebhook();
		const contacts = [...fifty.slice(0, 5), { id: 'contact-again', phone: '+1 202-550-0001' }];
		const queueId = await importExample(n8n, 'queue-calls-for-contacts.json', (workflow) => {
			nodeOf(workflow, 'Contacts').parameters.jsonOutput = JSON.stringify({ contacts });
		});
		const { id } = await n8n.run(queueId, START);
		const results = (await n8n.outputOf(id, 'Queue Call')).map(({ result }) => result);
		expect(results).toEqual([...Array(5).fill('queued'), 'sameNumber']);
		await comes(
			async () => {
				await n8n.advance(6 * 3600);
				const { data } = await n8n.service.get<Array<{ event: string; status: number }>>('/_sandbox/deliveries');
				return data.filter((one) => /call\.(completed|failed)$/.test(one.event) && one.status === 200).length >= 5;
			},
			'the end of five calls',
			120,
		);
		const executions = (await n8n.finished(reactId, 5)).map((one) => one.id);
		const ended = (await itemsOf(executions, 'Reached', 'Given Up')).map(({ contact_id, result }) => ({
			contact_id,
			isReached: String(result).startsWith('Reached'),
		}));
		const called = contacts.slice(0, 5).map((contact) => ({
			contact_id: contact.id,
			isReached: outcomeOf(contact) === 'completed',
		}));
		expect(ended).toEqual(ofContacts(called));
		await n8n.editor.unpublish(reactId);
	});
});

/** The workflow that the page describes in a sentence. It is its own sub-workflow. */
function executionForEach(): WorkflowFile {
	const { nodes, ...workflow } = workflowIn(PAGE, 'Two phones at once');
	const start = {
		name: 'Start an Execution',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		position: [660, 360] as [number, number],
		parameters: {
			workflowId: { __rl: true, mode: 'id', value: '={{ $workflow.id }}' },
			options: { waitForSubWorkflow: false },
		},
	};
	const begin = {
		name: 'Contact',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		position: [0, 360] as [number, number],
		parameters: { inputSource: 'passthrough' },
	};
	nodeOf({ ...workflow, nodes }, 'Loop Over Items').parameters = {};
	const outcome = nodeOf({ ...workflow, nodes }, 'Outcome');
	const parameters = JSON.stringify(outcome.parameters).replace('Loop Over Items', begin.name);
	Object.assign(outcome, { parameters: JSON.parse(parameters) });
	const to = (...outputs: string[]) => ({
		main: outputs.map((node) => (node === '' ? [] : [{ node, type: 'main', index: 0 }])),
	});
	return {
		...workflow,
		nodes: [...nodes, start, begin],
		connections: {
			[START]: to('Contacts'),
			Contacts: to('Loop Over Items'),
			'Loop Over Items': to('', start.name),
			[start.name]: to('Loop Over Items'),
			[begin.name]: to('Place and Wait'),
			'Place and Wait': to('Outcome'),
		},
	};
}

describe('An execution for each contact:', () => {
	/** Runs the workflow of the page, and lets all calls end; returns the calls and what the executions continue with. */
	async function run(contacts: Contact[], change?: (workflow: WorkflowFile) => void) {
		const workflowId = await paste(executionForEach(), contacts, change);
		expect((await n8n.run(workflowId, START)).status).toBe('success');
		await comes(
			async () => {
				const executions = await n8n.editor.executions(workflowId);
				return executions.filter((one) => one.status === 'waiting').length === contacts.length;
			},
			`${contacts.length} executions that wait`,
			120,
		);
		// All phones ring at the same time.
		const calls = await dialed();
		const executions = await over(workflowId, contacts.length + 1);
		const items = await itemsOf(executions, 'Outcome');
		await n8n.editor.unpublish(workflowId);
		return { calls, items };
	}

	const wanted = (contacts: Contact[]) => ofContacts(contacts.map(placedWith));

	test('ten contacts: each continues with its own outcome', async () => {
		const ten = fifty.slice(0, 10);
		const { calls, items } = await run(ten);
		expect(items).toEqual(wanted(ten));
		expect(calls).toEqual(ten.map(({ phone }) => phone).sort());
	});

	test('six contacts with two numbers are six calls, also with Calls per Run at 1, as the page warns', async () => {
		const { url: baseUrl, token: environmentToken } = n8n.sandbox;
		const data = { baseUrl, environmentToken, callsPerRun: 1 };
		const limited = await credentialFor(n8n, 'voiceAgentCallingApi', data);
		const { calls, items } = await run(six, (workflow) => limited(nodeOf(workflow, 'Place and Wait')));
		expect(calls).toEqual([...Array(3).fill('+12025550001'), ...Array(3).fill('+12025550002')]);
		expect(items).toEqual(wanted(six));
	});
});

describe('Two phones at once:', () => {
	/** Sandbox seconds in a second: a call takes about a second. */
	const SPEED = 60;
	const RINGS_FOR_A_DAY = [{ after: 86_400, do: 'noAnswer' }];

	interface Call {
		id: string;
		to: string;
		context: object;
		statuses: Array<{ status: string; at: string }>;
	}

	/** The calls that n8n has placed. @param isActive only those in progress */
	async function calls(isActive?: true): Promise<Call[]> {
		const { data } = await n8n.service.get('/_sandbox/calls', { params: { active: isActive, limit: 500 } });
		const list = data.items as Call[];
		const all = await Promise.all(list.map(async ({ id }) => (await n8n.service.get(`/_sandbox/calls/${id}`)).data));
		// The others are of the sandbox's first data.
		return (all as Call[]).filter(({ context }) => CONTEXT_FIELD in context);
	}

	/** Pastes the workflow of the page, and connects a node to the end of its loop. */
	async function pasteLoop(contacts: Contact[], change: (workflow: WorkflowFile) => void): Promise<string> {
		return await paste('Two phones at once', contacts, (workflow) => {
			change(workflow);
			const connections = workflow.connections as Record<string, { main: object[][] }>;
			connections['Loop Over Items']!.main[0]!.push({ node: 'All', type: 'main', index: 0 });
			workflow.nodes.push(n8n.node('All', 'n8n-nodes-base.noOp', 1, {}));
		});
	}

	/** The most phones that rang or were in a call at the same moment. One that begins as another ends is one more. */
	function mostAtOnce(all: Call[]): number {
		const changes = all.flatMap(({ statuses }) => {
			const { status, at } = statuses.at(-1)!;
			const isOver = !['initiated', 'ringing', 'answered'].includes(status);
			const begins = { at: Date.parse(statuses[0]!.at), by: 1 };
			return isOver ? [begins, { at: Date.parse(at), by: -1 }] : [begins];
		});
		changes.sort((one, other) => one.at - other.at || other.by - one.by);
		let now = 0;
		return Math.max(...changes.map(({ by }) => (now += by)));
	}

	/** Lets the phone with a number ring for a day. */
	async function ringsForADay(to: string): Promise<void> {
		await n8n.service.post('/_sandbox/script', { to, steps: RINGS_FOR_A_DAY });
	}

	test('fifty contacts in batches of three: never more than three phones ring, also around a restart of n8n', async () => {
		const workflowId = await pasteLoop(fifty, (workflow) => {
			nodeOf(workflow, 'Loop Over Items').parameters.batchSize = 3;
		});
		const [patient] = fifty.slice(25);
		await ringsForADay(patient!.phone);
		await n8n.sandbox.setSpeed(SPEED);
		const executionId = await n8n.editor.run(workflowId, START);
		const [ringing] = await comes(
			async () => {
				const active = await calls(true);
				return active.length === 1 && active[0]!.to === patient!.phone && active;
			},
			'the moment when only the patient phone of its batch rings',
			120,
		);
		await n8n.statusBecomes(executionId, 'waiting');
		await n8n.restartN8n();
		expect((await calls()).length).toBe(27);
		await n8n.service.post(`/_sandbox/calls/${ringing!.id}/act`, { action: 'busy' });
		await n8n.statusBecomes(executionId, 'success', 170);
		const wanted = fifty
			.map(placedWith)
			.map((one) => ({ ...one, ...(one.contact_id === patient!.id && { outcome: 'busy' }) }));
		expect(ofContacts(await n8n.outputOf(executionId, 'All'))).toEqual(ofContacts(wanted));
		expect(await dialed()).toEqual(fifty.map(({ phone }) => phone).sort());
		expect(mostAtOnce(await calls())).toBe(3);
		await n8n.editor.unpublish(workflowId);
	}, 360_000);

	test('after timedOut and unknown, more phones ring, and a later batch calls a number again, as the page warns', async () => {
		const [one, two, three] = fifty.slice(0, 3) as [Contact, Contact, Contact];
		const contacts = [one, two, three, { id: 'in-the-batch', phone: three.phone }, { id: 'later', phone: three.phone }];
		const workflowId = await pasteLoop([...contacts, { id: 'nobody', phone: 'nobody' }], (workflow) => {
			addOptions(nodeOf(workflow, 'Place and Wait'), { timeLimit: { values: { amount: 5, unit: 'seconds' } } });
		});
		await ringsForADay(one.phone);
		await ringsForADay(two.phone);
		await n8n.fault('POST', `/api/v1/agents/${n8n.sandbox.agentId}/call`, { kind: 'drop-after' });
		await n8n.sandbox.setSpeed(SPEED);
		const { id } = await n8n.run(workflowId, START);
		const items = await n8n.outputOf(id, 'All');
		const called = { result: 'placed', outcome: outcomeOf(three) };
		expect(items.slice(0, 2)).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ result: 'placed', outcome: 'timedOut' }),
				expect.objectContaining({ result: 'unknown', outcome: 'unknown' }),
			]),
		);
		expect(items.slice(2)).toEqual([
			{ contact_id: three.id, ...called },
			{ contact_id: 'in-the-batch', result: 'sameNumber', outcome: 'notCalled' },
			{ contact_id: 'later', ...called },
			{ contact_id: 'nobody', result: 'failed', outcome: 'notCalled' },
		]);
		expect(await dialed()).toEqual([one, two, three, three].map(({ phone }) => phone).sort());
		expect(mostAtOnce(await calls())).toBe(3);
		await n8n.editor.unpublish(workflowId);
	});
});

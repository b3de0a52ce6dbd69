import { randomUUID } from 'node:crypto';

import type { WorkflowFile } from '../../scripts/lib/examples.mts';
import { workflowIn } from '../docs/pageWorkflows.mts';
import { stillClock } from './callAndWait.mts';
import { comes } from './eventually.mts';
import { credentialFor, importExample, nodeOf, publishExample } from './example.mts';
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
	n8n = await Instance.share(stillClock);
});

beforeEach(async () => {
	await n8n.service.post('/_sandbox/reset');
});

type Items = Array<Record<string, unknown>>;
const ofContacts = (items: Items) =>
	items.sort((one, other) => String(one.contact_id).localeCompare(String(other.contact_id)));

const dialed = async () => (await n8n.dialed()).map(({ to }) => String(to)).sort();

/** Pastes a workflow of the page with these contacts, and publishes it. */
async function paste(
	name: string,
	contacts: Contact[],
	change: (workflow: WorkflowFile) => void = () => {},
): Promise<string> {
	const id = await publishExample(n8n, workflowIn(PAGE, name), (workflow) => {
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

describe('An execution for each contact:', () => {
	/** Runs the workflow of the page, and lets all calls end; returns the calls and what the executions continue with. */
	async function run(contacts: Contact[], change?: (workflow: WorkflowFile) => void) {
		const workflowId = await paste('An execution for each contact', contacts, change);
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

	const wanted = (contacts: Contact[]) =>
		ofContacts(contacts.map((contact) => ({ contact_id: contact.id, outcome: outcomeOf(contact) })));

	test('fifty contacts: each continues with its own outcome', async () => {
		const { calls, items } = await run(fifty);
		expect(items).toEqual(wanted(fifty));
		expect(calls).toEqual(fifty.map(({ phone }) => phone).sort());
	}, 360_000);

	test('six contacts with two numbers are six calls, also with Calls per Run at 1, as the page warns', async () => {
		const { url: baseUrl, token: environmentToken } = n8n.sandbox;
		const data = { baseUrl, environmentToken, callsPerRun: 1 };
		const limited = await credentialFor(n8n, 'voiceAgentCallingApi', data);
		const { calls, items } = await run(six, (workflow) => limited(nodeOf(workflow, 'Place and Wait')));
		expect(calls).toEqual([...Array(3).fill('+12025550001'), ...Array(3).fill('+12025550002')]);
		expect(items).toEqual(wanted(six));
	});
});

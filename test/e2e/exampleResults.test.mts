import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { readExample, type WorkflowFile } from '../../scripts/lib/examples.mts';
import { root } from '../../scripts/lib/places.mts';
import { type CallCase, type CaseName, callCases } from '../docs/callResults.mts';
import { comes } from './eventually.mts';
import {
	authorization,
	credentialFor,
	enter,
	importExample,
	modelFor,
	neverByItself,
	nodeOf,
	postForm,
	publishExample,
	publishForm,
	submitForm,
	tableRows,
} from './example.mts';
import { GoogleSheets } from './googleSheets.mts';
import { postJson } from './handmade.mts';
import { byId, Instance } from './instance.mts';

const MINUTE_MS = 60_000;

/** A person for each thing that the node can say; the number finds what it says. */
const people = (Object.entries(callCases) as Array<[CaseName, CallCase]>).map(([name, said], index) => ({
	id: `person-${index}`,
	name,
	phone: `+4420794603${String(index).padStart(2, '0')}`,
	...said,
}));
type Person = (typeof people)[number];

const queued = people.filter(({ result }) => result !== 'placed');
const placed = people.filter(({ result }) => result !== 'queued' && result !== 'alreadyQueued');

/** How an example speaks of somebody, and when it tries again. */
interface Said {
	state: string;
	/** A time, or whether there is another way back. */
	at: unknown;
}

let n8n: Instance;
let google: GoogleSheets;

beforeAll(async () => {
	google = await GoogleSheets.start();
	n8n = await Instance.start({ env: google.env });
});
afterAll(async () => await google?.stop());

/** Puts a node in place of the one that calls, which says of each number what the real one would say. */
function answer(workflow: WorkflowFile, name: string): void {
	const node = nodeOf(workflow, name);
	const number = String(node.parameters.phoneNumber).replace(/^=\{\{|\}\}$/g, '');
	const answers = Object.fromEntries(people.map(({ phone, result, code, is }) => [phone, { result, code, is }]));
	const isWaiting = String(node.parameters.operation).endsWith('AndWait');
	const jsCode = `
		const phone = String(${number}).trim();
		const { is, ...said } = ${JSON.stringify(answers)}[phone];
		const isCalled = is === 'called';
		const later = { now: $now, later: $now.plus({ hours: 20 }) }[is]?.toISO() ?? null;
		return { json: {
			to: phone, isTest: false, ...said, message: isCalled ? 'Call placed.' : 'Why not', advice: '',
			...(isCalled ? { id: '${randomUUID()}' } : { nextAllowedAt: later }),
			...(${isWaiting} && (['placed', 'queued'].includes(said.result)
				? { outcome: 'completed', duration: 7 }
				: { outcome: said.result === 'unknown' ? 'unknown' : 'notCalled' })),
		} };`;
	Object.assign(node, { type: 'n8n-nodes-base.code', typeVersion: 2, onError: undefined, credentials: undefined });
	node.parameters = { mode: 'runOnceForEachItem', jsCode };
}

const listIn = (workflow: WorkflowFile, persons: Person[]) => {
	const contacts = persons.map(({ id, name, phone }) => ({ id, name, phone }));
	nodeOf(workflow, 'Contacts').parameters.jsonOutput = JSON.stringify({ contacts });
};

type Row = Record<string, unknown>;

/** The rows of a data table, once there are so many and all are over. */
async function rowsOf(table: string, count: number, isOver: (row: Row) => boolean): Promise<Row[]> {
	return await comes(async () => {
		const rows = await tableRows<Row>(n8n, table);
		return rows.length === count && rows.every(isOver) && rows;
	}, `${count} rows of ${table}`);
}

/** Reads people by a column. */
const saidBy = (rows: Row[], key: string, said: (row: Row) => Said) =>
	new Map(rows.map((row) => [String(row[key]), said(row)]));

/** What a run of an example brought. */
interface Ran {
	/** What the example says of a person, by phone. */
	said: Map<string, Said>;
	/** Whom a second run asks the node to call, where the example starts by itself. */
	again?: () => Promise<string[]>;
}

interface Example {
	persons: Person[];
	/** The words of the example. */
	words: Record<CallCase['is'], RegExp>;
	run: () => Promise<Ran>;
}

const phonesOf = async (executionId: string, node: string) =>
	(await n8n.outputOf(executionId, node)).map(({ to }) => String(to));

const examples: Record<string, Example> = {
	'call-a-new-lead-at-once.json': {
		persons: placed,
		words: { called: /^called$/, unknown: /^unknown$/, now: /^waiting$/, later: /^waiting$/, never: /^not called$/ },
		run: async () => {
			const withHeader = await credentialFor(n8n, 'httpHeaderAuth', { name: 'X-Secret', value: 'shared-1' });
			await publishExample(n8n, 'call-a-new-lead-at-once.json', (workflow) => {
				withHeader(nodeOf(workflow, 'New Lead'));
				answer(workflow, 'Call the Lead');
			});
			await Promise.all(
				placed.map(({ name, phone }) =>
					postJson(`${n8n.n8n.url}/webhook/new-lead`, { name, phone }, { 'X-Secret': 'shared-1' }),
				),
			);
			const isOver = ({ state, details }: Row) => state !== 'calling' && Boolean(state !== 'waiting' || details);
			const rows = await rowsOf('Leads', placed.length, isOver);
			return { said: saidBy(rows, 'number', ({ state, call_at }) => ({ state: String(state), at: call_at })) };
		},
	},
	'call-back-at-a-requested-time.json': {
		persons: placed,
		words: {
			called: /^called$/,
			unknown: /^unknown$/,
			now: /^planned$/,
			later: /^planned$/,
			never: /^(failed|do not call)$/,
		},
		run: async () => {
			const soon = new Date(Date.now() + 90 * MINUTE_MS).toISOString().slice(0, 19);
			const say = JSON.stringify({ wants_callback: true, said: 'Call me.', callback_at: soon });
			const model = await modelFor(n8n, () => ({ say }));
			await publishExample(n8n, 'call-back-at-a-requested-time.json', (workflow) => {
				model.use(nodeOf(workflow, 'Chat Model'));
				enter(workflow, 'Settings', { time_zone: 'UTC' });
				answer(workflow, 'Call Back');
				nodeOf(workflow, 'Until the Time').parameters = {
					resume: 'specificTime',
					// The first time at once; what is planned again sleeps.
					dateTime: `={{ $json.details ? $json.callback_at : $now.toISO() }}`,
				};
			});
			const { id } = await n8n.soleWebhook();
			// All in one delivery: each of them has a way of its own.
			const events = placed.map(({ phone, name }) => ({
				event: 'event_call_transcript',
				call_id: randomUUID(),
				to: phone,
				transcript: [{ role: 'user', content: 'Hi' }],
				context: { name },
			}));
			await n8n.delivered(id, { event: 'events', data: { events } });
			const isOver = ({ state, details }: Row) => state === 'called' || Boolean(details);
			const rows = await rowsOf('Callbacks', placed.length, isOver);
			return { said: saidBy(rows, 'phone', ({ state, callback_at }) => ({ state: String(state), at: callback_at })) };
		},
	},
	'inbound-form.json': {
		persons: queued,
		words: {
			called: /^(completed|queued before)$/,
			unknown: /^unknown$/,
			now: /^waiting$/,
			later: /^waiting$/,
			never: /^not called$/,
		},
		run: async () => {
			const { form } = await publishForm(n8n, 'inbound-form.json', 'Ask for a Call', (workflow) => {
				answer(workflow, 'Queue Call and Wait');
			});
			for (const { name, phone } of queued) {
				expect(await submitForm(form, [name, phone], { authorization })).toBe(200);
			}
			const isOver = ({ details, call_id }: Row) => Boolean(details || call_id);
			const rows = await rowsOf('Call Requests', queued.length, isOver);
			return { said: saidBy(rows, 'phone', ({ state, call_at }) => ({ state: String(state), at: call_at })) };
		},
	},
	'call-the-rows-of-a-google-sheet.json': {
		persons: queued,
		words: {
			called: /^(calling|already queued|same number)$/,
			unknown: /^unknown$/,
			now: /^$/,
			later: /^$/,
			never: /^not called$/,
		},
		run: async () => {
			const account = await google.connectAccount(n8n);
			google.rows = [['Phone', 'Name'], ...queued.map(({ phone, name }) => [phone, name])];
			const workflowId = await importExample(n8n, 'call-the-rows-of-a-google-sheet.json', (workflow) => {
				google.chooseIn(workflow, account);
				answer(workflow, 'Queue Call');
				neverByItself(workflow, 'Every 15 Minutes');
			});
			const start = async () => await n8n.run(workflowId, 'Every 15 Minutes');
			expect((await start()).status).toBe('success');
			const said = saidBy(google.contacts, 'Phone', ({ Result, Time }) => ({ state: String(Result ?? ''), at: Time }));
			return { said, again: async () => await phonesOf((await start()).id, 'Queue Call') };
		},
	},
	'call-contacts-of-a-spreadsheet.json': {
		persons: queued,
		words: {
			called: /^queued( before)?$/,
			unknown: /^unknown$/,
			now: /^not called$/,
			later: /^not called$/,
			never: /^not (called|ready)$/,
		},
		run: async () => {
			const { form, workflowId } = await publishForm(
				n8n,
				'call-contacts-of-a-spreadsheet.json',
				'Upload Contacts',
				(workflow) => answer(workflow, 'Queue Call'),
			);
			const rows = queued.map(({ id, name, phone }) => `${id},${name},${phone}`);
			const file = new File([['id,name,phone', ...rows].join('\n')], 'contacts.csv');
			expect((await postForm(form, [file], { headers: { authorization } })).status).toBe(200);
			const [execution] = await n8n.finished(workflowId, 1);
			const items = await n8n.outputOf(execution!.id, 'Outcome');
			return {
				said: saidBy(items, 'phone', ({ outcome, call_again_at }) => ({ state: String(outcome), at: call_again_at })),
			};
		},
	},
	'compare-two-agents.json': {
		persons: placed,
		words: {
			called: /^(completed|same number)$/,
			unknown: /^unknown$/,
			now: /^not called$/,
			later: /^not called$/,
			never: /^not called$/,
		},
		run: async () => {
			const workflowId = await importExample(n8n, 'compare-two-agents.json', (workflow) => {
				listIn(workflow, placed);
				neverByItself(workflow, 'Weekdays at Ten');
				answer(workflow, 'Place and Wait');
			});
			const start = async () => await n8n.run(workflowId, 'Weekdays at Ten');
			expect((await start()).status).toBe('success');
			const rows = await tableRows<Row>(n8n, 'Agent Comparison');
			const said = saidBy(rows, 'phone', ({ state, claimed }) => ({ state: String(state), at: claimed === 'no' }));
			return { said, again: async () => await phonesOf((await start()).id, 'Place and Wait') };
		},
	},
	'queue-a-large-campaign.json': {
		persons: queued,
		words: { called: /^queued$/, unknown: /^unknown$/, now: /^waiting$/, later: /^waiting$/, never: /^refused$/ },
		run: async () => {
			const workflowId = await importExample(n8n, 'queue-a-large-campaign.json', (workflow) => {
				const contacts = queued.map(({ id, name, phone }) => ({ json: { contact: id, name, phone } }));
				nodeOf(workflow, 'Contacts').parameters.jsCode = `return ${JSON.stringify(contacts)};`;
				neverByItself(workflow, 'Every Five Minutes');
				answer(workflow, 'Queue Call');
			});
			expect((await n8n.run(workflowId, 'Fill the Ledger')).status).toBe('success');
			const start = async () => await n8n.run(workflowId, 'Every Five Minutes');
			// What holds for all ends the run with the reason.
			expect((await start()).status).toBe('error');
			const rows = await tableRows<Row>(n8n, 'Large Campaign Ledger');
			const said = saidBy(rows, 'number', ({ state, callAt }) => ({ state: String(state), at: callAt }));
			return { said, again: async () => await phonesOf((await start()).id, 'Queue Call') };
		},
	},
	'call-again-when-busy.json': {
		persons: placed,
		words: {
			called: /^(1 completed|0 sameNumber)$/,
			unknown: /^0 unknown$/,
			now: /^0 \w+$/,
			later: /^0 \w+$/,
			never: /^0 \w+$/,
		},
		run: async () => {
			const workflowId = await importExample(n8n, 'call-again-when-busy.json', (workflow) => {
				listIn(workflow, placed);
				answer(workflow, 'Call');
			});
			const { id } = await n8n.run(workflowId, 'When You Click Execute');
			const items = await n8n.outputOf(id, 'After One Call');
			return {
				said: saidBy(items, 'phone', ({ calls, outcome, call_again_at }) => ({
					state: `${String(calls)} ${String(outcome)}`,
					at: call_again_at,
				})),
			};
		},
	},
	'call-and-continue-by-outcome.json': {
		persons: placed,
		words: {
			called: /^(Reached|Not called: )/,
			unknown: /^Why not$/,
			now: /^Not called: /,
			later: /^Not called: /,
			never: /^Not called: /,
		},
		run: async () => {
			const workflowId = await importExample(n8n, 'call-and-continue-by-outcome.json', (workflow) => {
				listIn(workflow, placed);
				answer(workflow, 'Place and Wait');
				// A Code node has no error output of its own.
				const isError = "={{ ['failed', 'unknown', 'notReady', 'notTried'].includes($json.result) }}";
				const { main } = (workflow.connections as Record<string, { main: object[][] }>)['Place and Wait']!;
				const operator = { type: 'boolean', operation: 'true', singleValue: true };
				const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
				const conditions = {
					options,
					combinator: 'and',
					conditions: [{ id: '1', leftValue: isError, rightValue: '', operator }],
				};
				workflow.nodes.push({
					id: randomUUID(),
					name: 'Error?',
					type: 'n8n-nodes-base.if',
					typeVersion: 2.2,
					position: [0, 0],
					parameters: { conditions },
				} as never);
				Object.assign(workflow.connections as object, {
					'Place and Wait': { main: [[{ node: 'Error?', type: 'main', index: 0 }]] },
					'Error?': { main: [main[1], main[0]] },
				});
			});
			const { id } = await n8n.run(workflowId, 'When You Click Execute');
			const ends = [
				'Reached',
				'Line Was Busy',
				'Nobody Answered',
				'Call Failed',
				'Timed Out',
				'Other Outcome',
				'Not Called',
			];
			const items = (await Promise.all(ends.map((node) => n8n.outputOf(id, node)))).flat();
			return {
				said: saidBy(items, 'phone', ({ result, call_again_at }) => ({ state: String(result), at: call_again_at })),
			};
		},
	},
	'approve-a-call-first.json': {
		persons: placed,
		words: {
			called: /^The call is placed/,
			unknown: /^It is not clear whether the call was placed/,
			now: /^The call was not placed.*Why not/,
			later: /^The call was not placed.*Why not/,
			never: /^The call was not placed.*Why not/,
		},
		run: async () => {
			const said = new Map<string, Said>();
			const workflowId = await publishExample(n8n, 'approve-a-call-first.json', (workflow) => {
				answer(workflow, 'Place Test Call');
				const approved = JSON.stringify({ data: { Decision: 'Approve', 'Your Name': 'Joan' } });
				const set = { type: 'n8n-nodes-base.set', typeVersion: 3.4, credentials: undefined };
				Object.assign(nodeOf(workflow, 'Ask for Approval'), {
					...set,
					parameters: { mode: 'raw', jsonOutput: approved, options: {} },
				});
				const asItIs = { includeOtherFields: true, options: {} };
				Object.assign(nodeOf(workflow, 'Tell the Requester'), { ...set, parameters: asItIs });
			});
			const proposals = placed.map(({ phone, name }) => ({
				json: { requester: 'a@example.com', request: 'Call them', phone, name, reason: 'Because' },
			}));
			await n8n.runOnce([
				n8n.node('Proposals', 'n8n-nodes-base.code', 2, { jsCode: `return ${JSON.stringify(proposals)};` }),
				n8n.node('All at Once', 'n8n-nodes-base.executeWorkflow', 1.2, {
					workflowId: byId(workflowId),
					options: { waitForSubWorkflow: false },
				}),
			]);
			// The requester is told, and can ask again.
			for (const { id } of await n8n.finished(workflowId, placed.length + 1)) {
				const [item] = await n8n.outputOf(id, 'Placed or Not');
				const [shown] = await n8n.outputOf(id, 'What the Person Sees');
				said.set(String(shown?.phone), { state: `${String(item?.subject)} ${String(item?.text)}`, at: true });
			}
			return { said };
		},
	},
};

/** Examples that call and keep nothing of it: what the node says comes out as it is. */
const keepNothing = ['ai-agent-test-call.json', 'keep-a-do-not-call-list.json', 'queue-calls-for-contacts.json'];

test('every example that calls is in the table', () => {
	const calls = /"operation": "(place|placeAndWait|queueCall|queueCallAndWait)"/;
	const calling = readdirSync(join(root, 'examples')).filter((file) =>
		calls.test(JSON.stringify(readExample(file), null, 1)),
	);
	expect(calling).toEqual([...Object.keys(examples), ...keepNothing].sort());
});

const isTime = (at: unknown) => Date.parse(String(at)) > Date.now() - 10 * MINUTE_MS;

test.each(Object.keys(examples))(
	'%s: who was called, may have been called, is called later or not at all',
	async (file) => {
		const { persons, words, run } = examples[file]!;
		const begun = await run();
		const wrong = persons.filter(({ phone, is }) => {
			const { state, at } = begun.said.get(phone) ?? { state: '', at: undefined };
			const comesAgain = at === true || isTime(at);
			return !words[is].test(state) || ((is === 'now' || is === 'later') && !comesAgain);
		});
		expect(wrong.map(({ name, phone }) => [name, begun.said.get(phone)])).toEqual([]);
		if (begun.again) {
			const again = await begun.again();
			const others = persons.filter(({ phone, is }) => again.includes(phone) && is !== 'now' && is !== 'later');
			expect(others.map(({ name }) => name)).toEqual([]);
			const now = persons.filter(({ is }) => is === 'now').map(({ phone }) => phone);
			expect(again).toEqual(expect.arrayContaining(now));
		}
	},
	120_000,
);

import type { AgentDocument } from '../../../../../nodes/VoiceAgentCalling/agents/document/document.ts';
import { type Fault, goesOn, inFastTime, retried, useService } from '../../../service.mts';
import { applying, applyTo, countOf, exported, fullDocument, type Outcome, toAgent } from './documents.mts';

const service = useService();

const ALWAYS = { options: { publishAfterwards: 'always', removeOthers: true } };

/** What a request meets, and whether the service acts on it. */
const faults = {
	'an error of the service': { kind: 'status', status: 500, body: { success: false, message: 'Server error.' } },
	'a refusal': { kind: 'status', status: 403, body: { success: false, message: 'Forbidden.' } },
	'a connection that breaks before the service acts': { kind: 'drop-before' },
	'a connection that breaks after the service has acted': { kind: 'drop-after' },
	'a response that cannot be read': { kind: 'malformed' },
} as const satisfies Record<string, Fault>;
type FaultName = keyof typeof faults;

/** Lets the next requests pass, and makes the one after them meet a fault. */
async function faultAfter(requests: number, fault: Fault): Promise<void> {
	if (requests > 0) {
		await service.fault({ kind: 'latency', ms: 0, times: requests });
	}
	await service.fault(fault);
}

/** A document that changes, adds and removes something in each part of a published agent, and that agent. */
async function changedAgent() {
	const { agentId } = await applyTo(service, fullDocument(), applying(ALWAYS));
	const document = fullDocument();
	const { notes, ...others } = document.actions;
	document.knowledge.llm_temperature = 0.2;
	document.voice.conversation_speed = 1.5;
	document.calling.direction = 'inbound';
	const book = { ...document.actions.book, description: 'Books at once' };
	document.actions = { ...others, book, other: { ...notes, name: 'other' } };
	const prices = { ...document.trainings.prices, instructions: 'A discount.' };
	document.trainings = { prices, more: { subject: 'More', instructions: 'More.' } };
	document.webhooks.crm.timeout = 60;
	document.webhooks.second = { ...document.webhooks.crm, name: 'second' };
	document.conversation.flow_config = { ...document.conversation.flow_config, meta: { version: '2' } };
	return { document, agentId: String(agentId) };
}

/** How many requests that only read come before the first that writes. */
async function readsOf(document: AgentDocument, parameters: object): Promise<number> {
	const before = await countOf(service);
	await applyTo(service, document, { ...applying(), ...parameters, dryRun: true });
	return (await countOf(service)) - before;
}

/** Expects that an agent has what a document has, once. */
async function expectMatch(agentId: string, document: AgentDocument): Promise<void> {
	const { $schema: _schema, notReadable: _notReadable, ...now } = await exported(service, agentId);
	expect(document).toMatchObject({ ...now, trainings: {} });
	expect(Object.keys(now.trainings)).toEqual(Object.keys(document.trainings).sort());
	expect(Object.keys(now.actions)).toEqual(Object.keys(document.actions).sort());
	const { body } = await service.api('GET', `agents/${agentId}`);
	expect(body.data).toMatchObject({ current_status: 'published' });
}

/** How many requests the creation of an agent takes, and the update of {@link changedAgent}. */
const CREATION = 10;
const UPDATE = 13;

/** Each request meets one of the two faults that differ most; some meet the others. */
const even = (count: number) => Array.from({ length: Math.ceil(count / 2) }, (_, index) => 2 * index);
const odd = (count: number) => Array.from({ length: Math.floor(count / 2) }, (_, index) => 2 * index + 1);

test.each<[FaultName, number[]]>([
	['an error of the service', even(CREATION)],
	['a connection that breaks after the service has acted', [0, ...odd(CREATION), 8]],
	['a refusal', [0, 2, 9]],
	['a connection that breaks before the service acts', [1, 8]],
	['a response that cannot be read', [0, 7]],
])(
	'%s in the creation of an agent: the report is true, and another run completes it without creating a second one',
	async (name, positions) => {
		const document = fullDocument();
		const reads = await readsOf(document, ALWAYS);
		for (const position of positions) {
			await service.reset();
			await faultAfter(reads + position, faults[name]);
			const first = await inFastTime(async () => await applyTo(service, document, applying(ALWAYS)));
			expect(first.requests).toHaveLength(CREATION);
			expectTrueReport(first, position, name);
			const { agentId, ...second } = await applyTo(service, document, applying(ALWAYS));
			expect(second).not.toHaveProperty('code');
			await expectMatch(String(agentId), document);
			const { body } = await service.api('GET', 'agents?search=Nora');
			expect(body.data).toHaveLength(1);
			expect(await service.webhooks(String(agentId), 'agents')).toHaveLength(1);
		}
	},
);

/** Applies a document to {@link changedAgent} with a fault at some requests in turn; `work` gets the parameters. */
async function atRequestsOfUpdate(
	name: FaultName,
	positions: number[],
	options: object,
	work: (at: { position: number; document: AgentDocument; agentId: string; parameters: object }) => Promise<void>,
) {
	for (const position of positions) {
		await service.reset();
		const { agentId, document } = await changedAgent();
		const parameters = toAgent(agentId, options);
		await faultAfter((await readsOf(document, parameters)) + position, faults[name]);
		await inFastTime(async () => await work({ position, document, agentId, parameters }));
		await expectMatch(agentId, document);
		expect(await service.webhooks(agentId, 'agents')).toHaveLength(2);
	}
}

test('a connection that breaks after the service has acted in the update of a published agent: the report is true, and another run completes it', async () => {
	const name = 'a connection that breaks after the service has acted';
	await atRequestsOfUpdate(name, even(UPDATE), ALWAYS, async ({ position, document, parameters }) => {
		const first = await applyTo(service, document, parameters as never);
		expect(first.requests).toHaveLength(UPDATE);
		expectTrueReport(first, position, name);
		expect(await applyTo(service, document, parameters as never)).not.toHaveProperty('code');
	});
});

test('Retry On Fail completes an update and publishes the agent again, but creates no webhook twice', async () => {
	const options = { options: { removeOthers: true } };
	const name = 'an error of the service';
	await atRequestsOfUpdate(name, odd(UPDATE), options, async ({ position, document, agentId, parameters }) => {
		const { run, tries, error } = await service.run(parameters as never, [{ document }] as never, { node: retried });
		const isWebhook = position === 9;
		const expected = isWebhook ? { tries: 3, status: 'error' } : { tries: 2, status: 'success' };
		expect({ position, tries, status: run.status }).toEqual({ position, ...expected });
		if (isWebhook) {
			// Nobody can tell that the service did not create it. Another run looks first.
			expect(error?.message).toContain('It is unknown whether request');
			await applyTo(service, document, toAgent(agentId, ALWAYS));
		}
	});
});

test('An agent whose creation is not certain is not created by another item or another try', async () => {
	const document = fullDocument();
	await faultAfter(await readsOf(document, ALWAYS), faults['an error of the service']);
	const items = [document, document, fullDocument('Olga')].map((each) => ({ document: each }));
	const { outputs } = await service.run(applying(), items as never, { node: goesOn });
	expect(outputs[0].map(({ json }) => [json.result, json.code, json.agentId])).toEqual([
		['unknown', 'OUTCOME_UNKNOWN', null],
		['notTried', 'NOT_TRIED', undefined],
		[undefined, undefined, expect.any(String)],
	]);
	await service.reset();
	await faultAfter(await readsOf(document, ALWAYS), faults['an error of the service']);
	const { tries, error } = await service.run(applying(), [{ document }] as never, { node: retried });
	expect(tries).toBe(3);
	expect(error?.message).toContain('It is unknown whether request 1 of 9 (Create agent) was done');
	expect(await service.requests('POST')).toHaveLength(1);
});

/** Expects that the report says what the service has done: all before a position, and none after it. */
function expectTrueReport({ requests, message, advice }: Outcome, position: number, name: FaultName): void {
	const results = requests.map(({ result }) => result);
	const { method, path, what } = requests[position];
	const mayBeRepeated = method !== 'POST' || /trainings|publish/.test(path);
	if (mayBeRepeated && faults[name].kind.startsWith('drop')) {
		expect(results).toEqual(results.map(() => 'done'));
		return;
	}
	const own = name === 'a refusal' ? 'failed' : 'unknown';
	expect(results).toEqual(results.map((_, each) => (each < position ? 'done' : each > position ? 'notTried' : own)));
	expect(message).toContain(`request ${position + 1} of ${requests.length} (${what})`);
	const [done, notTried = ''] = (advice ?? '').split('Not tried:');
	expect(requests.filter((request) => done.split('Done:')[1]?.includes(request.what)).length).toBeGreaterThanOrEqual(
		position,
	);
	for (const later of requests.slice(position + 1)) {
		expect(notTried).toContain(later.what);
	}
}

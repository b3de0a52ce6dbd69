import { type Fault, type Service, startService } from '../../service.mts';
import { applying, applyTo, countOf, exported, fullDocument, type Outcome, toAgent } from './documents.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

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
	document.actions = {
		...others,
		book: { ...document.actions.book, description: 'Books at once' },
		other: { ...notes, name: 'other' },
	};
	document.trainings = {
		prices: { ...document.trainings.prices, instructions: 'A discount.' },
		more: { subject: 'More', instructions: 'More.' },
	};
	document.webhooks.crm.timeout = 60;
	document.webhooks.second = { ...document.webhooks.crm, name: 'second' };
	document.conversation.flow_config = { ...document.conversation.flow_config, meta: { version: '2' } };
	return { document, agentId: String(agentId) };
}

/** How many requests that only read come before the first that writes. */
async function readsOf(document: ReturnType<typeof fullDocument>, parameters: object): Promise<number> {
	const before = await countOf(service);
	await applyTo(service, document, { ...applying(), ...parameters, dryRun: true });
	return (await countOf(service)) - before;
}

/** Expects that an agent has what a document has, once. */
async function expectMatch(agentId: string, document: ReturnType<typeof fullDocument>): Promise<void> {
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

describe.each(Object.keys(faults) as FaultName[])('%s', (name) => {
	test('in the creation of an agent: the report is true, and another run completes it without creating a second one', async () => {
		const document = fullDocument();
		const reads = await readsOf(document, ALWAYS);
		for (let position = 0; position < CREATION; position++) {
			await service.reset();
			await faultAfter(reads + position, faults[name]);
			const first = await applyTo(service, document, applying(ALWAYS));
			expect(first.requests).toHaveLength(CREATION);
			expectTrueReport(first, position, name);
			const { agentId, ...second } = await applyTo(service, document, applying(ALWAYS));
			expect(second).not.toHaveProperty('code');
			await expectMatch(String(agentId), document);
			const { body } = await service.api('GET', 'agents?search=Nora');
			expect(body.data).toHaveLength(1);
			expect(await service.webhooks(String(agentId), 'agents')).toHaveLength(1);
		}
	});
});

describe.each(['an error of the service', 'a connection that breaks after the service has acted'] as const)(
	'%s',
	(name) => {
		test('in the update of a published agent: the report is true, and another run completes it', async () => {
			for (let position = 0; position < UPDATE; position++) {
				await service.reset();
				const { agentId, document } = await changedAgent();
				const parameters = toAgent(agentId, ALWAYS);
				await faultAfter((await readsOf(document, parameters)) + position, faults[name]);
				const first = await applyTo(service, document, parameters);
				expect(first.requests).toHaveLength(UPDATE);
				expectTrueReport(first, position, name);
				const second = await applyTo(service, document, parameters);
				expect(second).not.toHaveProperty('code');
				await expectMatch(agentId, document);
				expect(await service.webhooks(agentId, 'agents')).toHaveLength(2);
			}
		});
	},
);

test('Retry On Fail completes an update and publishes the agent again, but creates no webhook twice', async () => {
	for (let position = 0; position < UPDATE; position++) {
		await service.reset();
		const { agentId, document } = await changedAgent();
		const parameters = toAgent(agentId, { options: { removeOthers: true } });
		await faultAfter((await readsOf(document, parameters)) + position, faults['an error of the service']);
		const { run, tries, error } = await service.run(parameters, [{ document }] as never, {
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		const isWebhook = position === 9;
		expect({ position, tries, status: run.status }).toEqual({
			position,
			tries: isWebhook ? 3 : 2,
			status: isWebhook ? 'error' : 'success',
		});
		if (isWebhook) {
			// Nobody can tell that the service did not create it. Another run looks first.
			expect(error?.message).toContain('It is unknown whether request');
			await applyTo(service, document, toAgent(agentId, ALWAYS));
		}
		await expectMatch(agentId, document);
		expect(await service.webhooks(agentId, 'agents')).toHaveLength(2);
	}
});

test('An agent whose creation is not certain is not created by another item or another try', async () => {
	const document = fullDocument();
	await faultAfter(await readsOf(document, ALWAYS), faults['an error of the service']);
	const items = [document, document, fullDocument('Olga')].map((each) => ({ document: each }));
	const { outputs } = await service.run(applying(), items as never, { node: { onError: 'continueRegularOutput' } });
	expect(outputs[0].map(({ json }) => [json.result, json.code, json.agentId])).toEqual([
		['unknown', 'OUTCOME_UNKNOWN', null],
		['notTried', 'NOT_TRIED', undefined],
		[undefined, undefined, expect.any(String)],
	]);
	await service.reset();
	await faultAfter(await readsOf(document, ALWAYS), faults['an error of the service']);
	const { tries, error } = await service.run(applying(), [{ document }] as never, {
		node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
	});
	expect([tries, error?.message]).toEqual([
		3,
		expect.stringContaining('It is unknown whether request 1 of 9 (Create agent) was done'),
	]);
	expect(await service.requests('POST')).toHaveLength(1);
});

/** Expects that the report says what the service has done: all before a position, and none after it. */
function expectTrueReport({ requests, message }: Outcome, position: number, name: FaultName): void {
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
	const [done, notTried = ''] = (message ?? '').split('Not tried:');
	expect(requests.filter((request) => done.split('Done:')[1]?.includes(request.what)).length).toBeGreaterThanOrEqual(
		position,
	);
	for (const later of requests.slice(position + 1)) {
		expect(notTried).toContain(later.what);
	}
}

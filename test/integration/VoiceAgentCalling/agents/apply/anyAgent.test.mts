import type { AgentDocument } from '../../../../../nodes/VoiceAgentCalling/agents/document/document.ts';
import fc from '../../../../fastCheck.mts';
import { anyDocument } from '../../../../unit/VoiceAgentCalling/agents/apply/anyDocument.mts';
import { useService } from '../../../service.mts';
import { type AppliedItem, applying, applyTo, countOf, exported, writesSince } from './documents.mts';

const service = useService();

/** Applies a document, and expects that the service gets the requests of the plan and no other write. */
async function applyAsPlanned(document: AgentDocument, options: object = {}) {
	const plan = await applyTo(service, document, applying({ dryRun: true, options }));
	const before = await countOf(service);
	const item = await applyTo(service, document, applying({ options }));
	expect(item).toMatchObject({ problems: [], agentId: expect.any(String) });
	const sent = await writesSince(service, before);
	const real = item.requests.map(({ result: _result, ...request }) => request);
	expect(real.map(({ what }) => what)).toEqual(plan.requests.map(({ what }) => what));
	// A basic voice rejects its tuning: then the request is sent again without it.
	const taken = sent.filter(({ status }) => status !== 422);
	expect(taken.map(({ method, path }) => [method, path])).toEqual(real.map(({ method, path }) => [method, path]));
	taken.forEach(({ body }, index) => {
		const { similarity: _similarity, stability: _stability, ...planned } = shown(real[index].body);
		const { similarity: _sent, stability: _too, ...request } = shown(body);
		expect(request).toEqual(planned);
	});
	return item as AppliedItem & { agentId: string };
}

/** A body without the values of its secrets. */
function shown(body: unknown): Record<string, unknown> {
	return JSON.parse(JSON.stringify(body ?? {}), (key, value) =>
		key === 'webhook_secret'
			? '[hidden]'
			: key === 'custom_headers'
				? value.map((header: object) => ({ ...header, value: '[hidden]' }))
				: value,
	);
}

/** Expects that an agent has all that a document says and the service returns. Webhooks that it lacks stay. */
async function expectAsSaid(document: AgentDocument, agentId: string): Promise<void> {
	const now = asCompared(await exported(service, agentId));
	const said = asCompared(document);
	for (const section of ['settings', 'knowledge', 'voice', 'calling', 'conversation'] as const) {
		const stated = Object.entries(now[section]).filter(([field]) => field in said[section]);
		expect(said[section]).toMatchObject(Object.fromEntries(stated));
	}
	for (const section of ['actions', 'trainings'] as const) {
		expect(Object.keys(now[section]).sort()).toEqual(Object.keys(said[section]).sort());
		expect(said[section]).toMatchObject(now[section]);
	}
	for (const [key, webhook] of Object.entries(said.webhooks)) {
		expect(webhook).toMatchObject(now.webhooks[key]);
	}
}

/** A document with the lists sorted whose order does not matter, and the inputs of actions completed. */
function asCompared(document: AgentDocument): AgentDocument {
	return JSON.parse(JSON.stringify(document), (key, value) => {
		if (key === 'phone_numbers' || key === 'events') {
			return value.sort();
		}
		return key === 'inputs' ? value.map((input: object) => ({ required: false, description: '', ...input })) : value;
	}) as AgentDocument;
}

/** A document in which a person has given everything another key, and told the keys that the service knows. */
function withOtherKeys(document: AgentDocument): AgentDocument {
	const keyed = (members: object, more: (key: string) => object) =>
		Object.fromEntries(Object.entries(members).map(([key, member]) => [`My_${key}`, { ...member, ...more(key) }]));
	const flow = JSON.parse(JSON.stringify(document.conversation), (name, value) =>
		name === '$action' ? `My_${value}` : value,
	) as AgentDocument['conversation'];
	const withNodeId = (key: string) => ({ node_id: key });
	return {
		...document,
		conversation: flow,
		actions: keyed(document.actions, withNodeId),
		trainings: keyed(document.trainings, withNodeId),
		webhooks: keyed(document.webhooks, () => ({})),
	} as AgentDocument;
}

test('Export, Apply to an empty environment and Export give the same document', async () => {
	await fc.assert(
		fc.asyncProperty(anyDocument, async (document) => {
			await service.reset();
			const { agentId } = await applyAsPlanned(document);
			await expectAsSaid(document, agentId);
			const first = await exported(service, agentId);
			await service.reset();
			const { agentId: other } = await applyAsPlanned(first);
			expect(other).not.toBe(agentId);
			expect(JSON.stringify(await exported(service, other))).toBe(JSON.stringify(first));
		}),
		{ numRuns: 7 },
	);
});

test('Apply gives the agent what the document says, sends what the plan says, and sends nothing the second time', async () => {
	await fc.assert(
		fc.asyncProperty(anyDocument, anyDocument, async (before, after) => {
			await service.reset();
			await applyAsPlanned(before);
			const options = { removeOthers: true };
			const { agentId } = await applyAsPlanned(after, options);
			await expectAsSaid(after, agentId);
			expect(await applyAsPlanned(after, options)).toMatchObject({ changed: false, changes: 0, differences: [] });
		}),
		{ numRuns: 7 },
	);
});

test('A document in which a person has changed the keys is the same agent, and after a change it is the same again', async () => {
	await fc.assert(
		fc.asyncProperty(anyDocument, anyDocument, async (before, after) => {
			await service.reset();
			await applyAsPlanned(before);
			const options = { removeOthers: true };
			const same = withOtherKeys(before);
			expect(await applyAsPlanned(same, options)).toMatchObject({ changed: false, differences: [] });
			const changed = { ...same, knowledge: after.knowledge, conversation: withOtherKeys(before).conversation };
			for (const [key, action] of Object.entries(changed.actions)) {
				changed.actions[key] = { ...action, description: 'Another description' };
			}
			await applyAsPlanned(changed, options);
			expect(await applyAsPlanned(changed, options)).toMatchObject({ changed: false, changes: 0, differences: [] });
		}),
		{ numRuns: 5 },
	);
});

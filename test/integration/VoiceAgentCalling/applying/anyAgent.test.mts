import fc from 'fast-check';

import type { AgentDocument } from '../../../../nodes/VoiceAgentCalling/agentDocument/document.ts';
import { byId, type Service, startService } from '../../service.mts';
import { anyDocument } from './anyDocument.mts';
import { type AppliedItem, applying, applyTo, countOf, exported, writesSince } from './documents.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});

/** Applies a document, and expects that the service gets the requests of the plan and no other write. */
async function applyAsPlanned(
	document: AgentDocument,
	options: object = {},
): Promise<AppliedItem & { agentId: string }> {
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

interface Difference {
	path: string;
	change: string;
}

/** Of what a document lacks, only actions and trainings are removed. */
const isKept = ({ path, change }: Difference) => change === 'removed' && !/^(actions|trainings)\.[^.]+$/.test(path);

/** What Compare says about a document and an agent, apart from what is unknown and what the agent keeps. */
async function differences(document: AgentDocument, agentId: string) {
	const parameters = {
		resource: 'agent',
		operation: 'compare',
		agent: byId(agentId),
		document: '={{ $json.document }}',
	};
	const { outputs } = await service.run(parameters, [{ document }] as never);
	const found = outputs[0][0].json.differences as Difference[];
	return found.filter((difference) => difference.change !== 'unknown' && !isKept(difference));
}

test('Export, Apply to an empty environment and Export give the same document', async () => {
	await fc.assert(
		fc.asyncProperty(anyDocument, async (document) => {
			await service.reset();
			const { agentId } = await applyAsPlanned(document);
			expect(await differences(document, agentId)).toEqual([]);
			const first = await exported(service, agentId);
			await service.reset();
			const { agentId: other } = await applyAsPlanned(first);
			expect(other).not.toBe(agentId);
			expect(JSON.stringify(await exported(service, other))).toBe(JSON.stringify(first));
		}),
		{ numRuns: 25, seed: Number(process.env.FAST_CHECK_SEED ?? 1) },
	);
});

test('Apply leaves nothing that Compare would find, sends what the plan says, and sends nothing the second time', async () => {
	await fc.assert(
		fc.asyncProperty(anyDocument, anyDocument, async (before, after) => {
			await service.reset();
			await applyAsPlanned(before);
			const options = { removeOthers: true };
			const { agentId } = await applyAsPlanned(after, options);
			expect(await differences(after, agentId)).toEqual([]);
			expect(await applyAsPlanned(after, options)).toMatchObject({ changed: false, changes: 0 });
		}),
		{ numRuns: 25, seed: Number(process.env.FAST_CHECK_SEED ?? 1) },
	);
});

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type {
	assureConnected,
	connectOwner,
	disconnectOwner,
} from '../../../../nodes/VoiceAgentCallingTrigger/registration/connections.ts';
import type { Answer, Requested } from '../../n8n.mts';
import { registrationOf, secretOf, triggerOf } from '../trigger.mts';

interface Process {
	assureConnected: typeof assureConnected;
	connectOwner: typeof connectOwner;
	disconnectOwner: typeof disconnectOwner;
}

/** The node's code with a memory of its own, as a process of n8n has it. */
async function newProcess(): Promise<Process> {
	let loaded: Process | undefined;
	await jest.isolateModulesAsync(async () => {
		loaded = await import('../../../../nodes/VoiceAgentCallingTrigger/registration/connections.ts');
	});
	return loaded as Process;
}

const urlOf = (id: string) => `https://n8n.example/webhook/1/webhook?campaign=${id}`;

/** A service whose answers come in any order, and its webhooks by campaign. @param delay in ticks, for each request */
function serviceWith(delay: () => number) {
	const webhooks = new Map<string, IDataObject[]>();
	let count = 0;
	const answer = async ({ method, url, body }: Requested): Promise<Answer> => {
		for (let ticks = delay(); ticks > 0; ticks--) {
			await new Promise((resolve) => setImmediate(resolve));
		}
		const [, campaign, webhookId] = /\/campaigns\/([^/]+)\/webhooks(?:\/(.+))?$/.exec(url) ?? [];
		if (campaign === undefined) {
			return { body: { data: [], pagination: { total: 10 } } };
		}
		const own = webhooks.get(campaign) ?? [];
		if (method === 'POST') {
			// IDs do not tell which one is older.
			const id = `w-${(count * 7919) % 1000}-${count++}`;
			webhooks.set(campaign, [...own, { id, ...(body as IDataObject) }]);
			return { status: 201, body: { data: { id } } };
		}
		if (method === 'GET') {
			return { body: { data: { webhooks: own } } };
		}
		const one = own.find(({ id }) => id === webhookId);
		if (one === undefined) {
			return { status: 404, body: { message: 'Webhook not found.' } };
		}
		if (method === 'DELETE') {
			webhooks.set(
				campaign,
				own.filter((other) => other !== one),
			);
		} else {
			Object.assign(one, body);
		}
		return { body: { success: true } };
	};
	return { webhooks, answer };
}

let nodes = 0;

test('Fifty campaigns that two processes connect at the same time have one webhook each, with their own secret', async () => {
	const processes = [await newProcess(), await newProcess()];
	expect(processes[0]?.connectOwner).not.toBe(processes[1]?.connectOwner);
	const campaigns = Array.from({ length: 50 }, (_, n) => `c-${n + 2}`);
	await fc.assert(
		fc.asyncProperty(fc.infiniteStream(fc.nat(6)), async (delays) => {
			const { webhooks, answer } = serviceWith(() => delays.next().value);
			const nodeId = `node-${(nodes += 1)}`;
			const options = { options: { acceptConnections: true } };
			const n8n = () => triggerOf({ service: answer, nodeId, parameters: options, staticData: registrationOf() });
			const owners = campaigns.map((ownerId) => ({ source: 'campaign', ownerId }) as const);
			const replies = await Promise.all(
				processes.flatMap(({ connectOwner: connect }) =>
					owners.flatMap((owner) => [connect(n8n().caller, owner), connect(n8n().caller, owner)]),
				),
			);
			expect(replies).toHaveLength(200);
			for (const id of campaigns) {
				expect(webhooks.get(id)).toMatchObject([
					{ webhook_url: urlOf(id), webhook_secret: secretOf('1'.repeat(64), id), enabled: true },
				]);
			}
			await Promise.all(
				processes.flatMap(({ disconnectOwner: disconnect }) =>
					owners.map(async (owner) => await disconnect(n8n().caller, owner)),
				),
			);
			expect([...webhooks.values()].flat()).toEqual([]);
		}),
		{ numRuns: 10, seed: Number(process.env.FAST_CHECK_SEED ?? 1) },
	);
}, 60_000);

describe('A webhook that was registered', () => {
	const options = { options: { acceptConnections: true } };
	const owner = { source: 'campaign', ownerId: 'c-2' } as const;
	const newTrigger = (service: (request: Requested) => Promise<Answer>) =>
		triggerOf({ service, nodeId: `node-${(nodes += 1)}`, parameters: options, staticData: registrationOf() });

	test('counts as connected, also if nothing can be read or deleted after that', async () => {
		for (const refused of ['GET', 'DELETE']) {
			const { webhooks, answer } = serviceWith(() => 0);
			const twin = { id: 'z', webhook_url: urlOf('c-2') };
			const { caller } = newTrigger(async (request) => {
				const isRegistered = (webhooks.get('c-2') ?? []).length > 0;
				if (isRegistered && request.method === refused) {
					return { status: 403, body: { message: 'No' } };
				}
				const response = await answer(request);
				if (request.method === 'POST') {
					webhooks.get('c-2')?.push(twin);
				}
				return response;
			});
			const { connectOwner: connect } = await newProcess();
			const reply = await connect(caller, owner);
			expect(reply).toEqual({ webhookId: webhooks.get('c-2')?.[0]?.id, webhookUrl: urlOf('c-2'), isNew: true });
		}
	});

	test('is not taken for another one with the same URL, which has another secret', async () => {
		const { webhooks, answer } = serviceWith(() => 0);
		const { caller } = newTrigger(answer);
		const { connectOwner: connect, assureConnected: assure } = await newProcess();
		const { webhookId } = await connect(caller, owner);
		const byHand = { id: 'z', webhook_url: urlOf('c-2'), webhook_secret: 'other' };
		webhooks.get('c-2')?.push(byHand);
		expect(await assure(caller, owner, String(webhookId))).toBe(true);
		expect(await assure(caller, owner, 'gone')).toBe(false);
		expect(await assure(caller, owner, 'z')).toBe(true);
		expect(byHand.webhook_secret).toBe(secretOf('1'.repeat(64), 'c-2'));
	});
});

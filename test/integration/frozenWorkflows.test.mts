import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadKeys } from '../../nodes/shared/keys.ts';
import { namedInUrl } from '../../nodes/shared/owner.ts';
import { deliverySecret } from '../../nodes/shared/triggerSecrets/deliverySecret.ts';
import { unseal } from '../../nodes/shared/triggerSecrets/resumeToken.ts';
import { CallBook } from '../../nodes/VoiceAgentCalling/callRules/book.ts';
import { Redeliveries } from '../../nodes/VoiceAgentCalling/resources/webhook/redeliveries.ts';
import { root } from '../../scripts/lib/places.mts';
import { harness, type NodeSpec } from './harness.mts';
import { useService } from './service.mts';
import { registered } from './triggers.mts';

const service = useService();

/** The nodes of a workflow as somebody has saved it with a version of a node. */
const saved = (file: string) =>
	JSON.parse(readFileSync(join(root, 'test', 'frozen', 'workflows', file), 'utf8')).nodes as NodeSpec[];

test('a workflow that was saved with version 1 of the action node runs', async () => {
	const contacts = ['202 555 0111', '+1 (202) 555-0112', '+12025550113'].map((phone) => ({ phone, name: 'Ada' }));
	const nodes = [harness.sourceOf(contacts), ...saved('voiceAgentCalling-1.json')];
	const { nodes: ran } = await harness.runWorkflow({ nodes, credentials: service.credentials() });
	const outputOf = (name: string) => ran[name]?.[0]?.outputs[0]?.map(({ json }) => json);
	expect(outputOf('Call')).toMatchObject([
		{ result: 'placed', to: '+12025550111', isTest: true, id: expect.any(String), status: expect.any(String) },
		{ result: 'blocked', to: '+1 (202) 555-0112', code: 'DO_NOT_CALL' },
		{ result: 'placed', to: '+12025550113' },
	]);
	expect(outputOf('Queue')).toMatchObject(contacts.map(() => ({ result: 'queued', isTest: true })));
	const listed = outputOf('List') ?? [];
	expect(listed.length).toBeGreaterThan(2);
	expect(new Set(listed.map((campaign) => Object.keys(campaign).join()))).toEqual(new Set(['id,name,status']));
	const [sent] = await service.requests('POST', '/call');
	expect(sent?.body).toMatchObject({ payload: { first_name: 'Ada' }, context: { row: 0 }, is_testing: true });
});

test('a workflow that was saved with version 2 of the trigger receives events', async () => {
	const instance = await harness.startInstance({ credentials: service.credentials() });
	const deployment = instance.deploy({ nodes: saved('voiceAgentCallingTrigger-2.json') });
	await deployment.publish();
	const [{ id: webhookId = '' } = {}] = await registered(service, deployment);
	const { attempts } = await service.deliver({ webhookId, event: 'campaign_call.completed' });
	expect(attempts).toMatchObject([{ status: 200 }]);
	expect(instance.executions).toHaveLength(1);
});

// What n8n, the service and calls under way keep over an update of the package. It has been made once; nothing here
// computes it anew.
describe('What an earlier version has stored', () => {
	const keys = loadKeys({ getCredentials: async <Data extends object>() => ({ environmentToken: 'TOKEN' }) as Data });
	const url = 'https://n8n.example.com/webhook/11111111-2222-4333-8444-555555555555/webhook';
	const owner = { ownerType: 'campaign', ownerId: '858dea79-bf35-4f2c-8c40-0c663185f551' } as const;

	test.each([
		['signature', '5088da2ca89d054ad02f966d8b966a247ab1642cc3e9b56150ecc02f8b9900be'],
		['header', 'd3584cb48f5d758e8f620a52692aa9a668b7d55c9ee004976c4ddc70928e2a86'],
	] as const)('the secret of a webhook, by %s: another one would reject all events', async (verifyBy, secret) => {
		expect(deliverySecret(await keys, { url, isTest: false }, owner, 1_795_000_000_000, verifyBy)).toBe(secret);
	});

	test('the URL of a webhook', () => {
		expect(namedInUrl(`${url}?campaign=${owner.ownerId}&g=1795000000000&by=header&f=1794000000000`)).toEqual({
			owner,
			verifyBy: 'header',
			versions: { current: 1_795_000_000_000, previous: [1_794_000_000_000] },
		});
	});

	test('the resume token of a call for which an execution waits', async () => {
		const resumeToken =
			'HvOzUbXYYqchl0R0PKgHWjs4LtSqO1bj9NmkMPfvdpYNpH_ZgvjPA0x3Nq8grW5feApsIKbrQ42s5_aEafFMfKo2Lz' +
			'JCXeO_x-zEA0ggnbOvXlQ2nOar7lVlnFZY4YkTUYj8Ziz7pE4rAz7VZxjrQKJKe9MOgPSXu4ZiQXaw1-j2YYxhYVlJ' +
			'Pbx9vbzS1n68Tzb1EbqVHCoG3V5ARqf4sakeKOyulwLiwmbLZEpQV4o22lyw7RSyjTEhOWciyT4mez0';
		expect(unseal((await keys).resumeTokens, resumeToken)).toEqual({
			url: 'https://n8n.example.com/webhook-waiting/7',
			execution: '7',
			run: 0,
			item: 2,
			node: '11111111-2222-4333-8444-555555555555',
			eventTypes: ['completed', 'failed'],
		});
	});

	test('the calls that an execution has placed, which Retry must not place again', () => {
		const lines = ['#c2FsdA', '@7', '=["c","Call",0,"agentId","a",0]', '0.0.Z-9DM7fukU.t0000', '0.1.cSvuPv7ci0.t0001'];
		const flow = { voiceAgentCalls: [...lines, '+1.tMTIz'].join('\n') };
		const book = CallBook.of(flow, '8');
		const group = { credential: 'c', node: 'Call', run: 0, isTool: false, ownerField: 'agentId', owner: 'a' } as const;
		const call = { ...group, isTest: false, item: 0, isEachTime: false };
		const found = ['+12025550111', '+12025550122'].map((to, item) => book.find({ ...call, to, item }));
		// Nobody knows whether the first one was made.
		expect(found.map((known) => [known?.is, known?.entry.id])).toEqual([
			['own', undefined],
			['own', '123'],
		]);
	});

	test('the events that Catch Up has redelivered', () => {
		const at = Date.now();
		const stored = { redelivered: { one: { to: 'two', since: at, at } } };
		const all = new Redeliveries(stored);
		expect([all.isRedelivered('one'), all.isRedelivery('two'), all.isRedelivered('three')]).toEqual([
			true,
			true,
			false,
		]);
	});
});

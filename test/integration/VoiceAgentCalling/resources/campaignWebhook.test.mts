import { byId, retried, useService } from '../../service.mts';

const service = useService();
let active: string;
beforeAll(() => void ({ active } = service.seed.campaigns));

const three = [{ n: 1 }, { n: 2 }, { n: 3 }];
const on = (operation: string, more = {}) => ({ resource: 'webhook', operation, campaign: byId(active), ...more });
const create = (more = {}) => {
	const hook = { name: '={{ "Hook " + $json.n }}', webhookUrl: '={{ "https://example.com/" + $json.n }}' };
	return on('create', { ...hook, events: ['campaign.paused'], ...more });
};

describe('Webhook of a campaign', () => {
	test('Get and Get Many show no token with which an execution can be resumed', async () => {
		const at = 'http://127.0.0.1:5678/webhook-waiting/';
		const webhookUrl = `=${at}{{ $json.n }}/node?signature=token-{{ $json.n }}&campaign=1`;
		const { outputs } = await service.run(create({ webhookUrl }), three);
		const many = await service.run(on('getAll', { returnAll: true }));
		const one = await service.run(on('get', { webhook: byId(String(outputs[0]?.[0]?.json.id)) }));
		expect(many.outputs[0]).toHaveLength(3);
		expect(JSON.stringify([many.outputs, one.outputs])).not.toContain('token-');
		expect(one.outputs[0]?.[0]?.json).toMatchObject({ webhook_url: `${at}1/node` });
	});

	test.each([
		['as the panel of the trigger shows it', ''],
		['with other parameters', '?utm_source=x'],
	])('Update of the URL of a trigger, %s, keeps what the URL says of the secret', async (_what, end) => {
		const query = `?campaign=${active}&g=1764100000000&f=1764000000000`;
		const path = '/webhook/11111111-2222-3333-4444-5555555555aa/webhook';
		const made = await service.run(create({ webhookUrl: `https://former.example${path}${query}` }));
		const webhook = byId(String(made.outputs[0]?.[0]?.json.id));
		const updated = async (webhookUrl: string) => {
			await service.run(on('update', { webhook, updateFields: { webhookUrl } }));
			return (await service.storedWebhooks()).map(({ webhook_url: url }) => url);
		};
		expect(await updated(`https://n8n.example${path}${end}`)).toEqual([`https://n8n.example${path}${query}`]);
		const another = `https://n8n.example${path.replace('aa/', 'bb/')}`;
		expect(await updated(another)).toEqual([another]);
	});

	test('Update changes only what it names: every other setting stays as it is stored', async () => {
		const options = {
			includeCallEvents: true,
			deliveryMethod: 'PUT',
			deliveryTimeout: 5,
			deliveryRetries: 10,
			authorizationScheme: 'bearer',
			signingSecret: ['s', 'ecret'].join(''),
			extraHeaders: { values: [{ name: 'X-One', value: '1' }] },
			payloadTemplates: '{"campaign.paused":{"a":"{{campaign.id}}"}}',
		};
		await service.run(create({ options }), three);
		const [first, ...others] = await service.storedWebhooks();
		const changes: Array<[Record<string, string | number>, object]> = [
			[{ name: 'Renamed' }, { name: 'Renamed' }],
			[{ deliveryTimeout: 9 }, { timeout: 9 }],
			[{ authorizationScheme: 'none' }, { authorization_scheme: 'none' }],
			[{ payloadTemplates: '{}' }, { payload_templates: {} }],
		];
		let expected: object = { ...first, updated: expect.any(Number) };
		for (const [updateFields, changed] of changes) {
			await service.run(on('update', { webhook: byId(String(first?.id)), updateFields }));
			expected = { ...expected, ...changed };
			expect(await service.storedWebhooks()).toEqual([expected, ...others]);
		}
	});

	test('Delete is retried, and a webhook that is already gone counts as deleted', async () => {
		const created = (await service.run(create(), three)).outputs[0] ?? [];
		await service.fault({ match: { method: 'DELETE' }, kind: 'drop-after' });
		const items = created.map(({ json }) => ({ id: json.id }));
		const { outputs } = await service.run(on('delete', { webhook: byId('={{ $json.id }}') }), items, { node: retried });
		expect(outputs[0]?.map(({ json }) => json)).toEqual(Array(3).fill({ deleted: true }));
		expect(await service.webhooks(active)).toEqual([]);
	});
});

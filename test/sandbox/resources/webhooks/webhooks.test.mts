import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../../../../sandbox/engine/deliveries/eventKinds.mts';
import { asList, asText, type SandboxClient } from '../../client.mts';
import { agentWebhookOn, webhookOn } from '../../objects.mts';
import { useService } from '../../use.mts';

const URL_OF_NOBODY = 'http://127.0.0.1:1/';
const OWNERS = [
	{ of: 'agents', create: agentWebhookOn, id: ({ seed }: SandboxClient) => seed.agents.published, kinds: AGENT_EVENTS },
	{ of: 'campaigns', create: webhookOn, id: ({ seed }: SandboxClient) => seed.campaigns.draft, kinds: CAMPAIGN_EVENTS },
];

describe.each(OWNERS)('the webhooks of $of', ({ of, create, id: idOf, kinds }) => {
	const service = useService();
	let path: string;
	beforeEach(() => {
		path = `/${of}/${idOf(service)}/webhooks`;
	});
	const made = (settings: object = {}) => create(service, idOf(service), URL_OF_NOBODY, settings);

	it('are shown with the defaults, and never with method, scheme, headers, templates and secret', async () => {
		const settings = { name: 'Hook', webhook_url: URL_OF_NOBODY, events: [kinds[1]] };
		const hidden = {
			http_method: 'PATCH',
			authorization_scheme: 'custom',
			webhook_secret: 'hidden secret',
			custom_headers: [{ key: 'X-Hidden-Key', value: 'hidden value' }],
			payload_templates: { [kinds[0]!]: { hidden: 'template' } },
		};
		const created = await service.api('POST', path, { ...settings, ...hidden });
		const one = `${path}/${asText(created.data.data.id)}`;
		expect((await service.api('GET', one)).data.data).toMatchObject({
			...settings,
			enabled: true,
			timeout: 30,
			max_retries: 3,
		});
		const list = await service.api('GET', path);
		expect(asList(list.data.data.webhooks)).toHaveLength(1);
		const { available_events } = list.data.data;
		expect(Array.isArray(available_events) ? available_events : Object.keys(Object(available_events))).toEqual(kinds);
		const answers = [created, list, await service.api('GET', one), await service.api('PUT', one, hidden)];
		const seen = JSON.stringify(answers.map(({ data }) => data));
		expect([...Object.keys(hidden), 'PATCH', 'hidden', 'Hidden'].filter((text) => seen.includes(text))).toEqual([]);
	});

	it('are not found below another owner, and are deleted with their own', async () => {
		const id = await made();
		const stranger = of === 'agents' ? service.seed.agents.draft : service.seed.campaigns.active;
		for (const end of ['', '/logs']) {
			const { status, data } = await service.api('GET', `/${of}/${stranger}/webhooks/${id}${end}`);
			expect([status, data.message]).toEqual([404, 'Webhook not found.']);
		}
		await service.api('POST', `/${of}/${idOf(service)}/unpublish`);
		await service.api('DELETE', `/${of}/${idOf(service)}`);
		const { message } = await service.control('deliver', { webhookId: id, event: 'campaign.paused' });
		expect(message).toBe('Webhook not found.');
	});
});

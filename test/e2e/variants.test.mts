import { Instance } from './instance.mts';

// What the service's description leaves open, answered otherwise: a call is placed, and its event starts a workflow.

let n8n: Instance;
let agent: string;
let campaign: string;
let webhook: string;
let events: string;
let placing: string;

const vary = async (...names: string[]) => await n8n.service.post('/_sandbox/variants', { names });

beforeAll(async () => {
	n8n = await Instance.start();
	const { agents, campaigns } = (await n8n.service.get('/_sandbox/seed')).data;
	[agent, campaign] = [agents.published, campaigns.active];
	events = await n8n.createWorkflow('Events', [n8n.trigger(campaign)]);
	await n8n.editor.publish(events);
	[{ id: webhook }] = await n8n.webhooksWhen(campaign, ({ length }) => length === 1);
	const nodes = [
		n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		n8n.node('Call', 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, {
			...{ resource: 'call', operation: 'place', agent: { __rl: true, mode: 'id', value: agent } },
			...{ phoneNumber: '+12025550111', options: { missingVariables: 'ignore' } },
		}),
	];
	placing = await n8n.createWorkflow(
		'Call',
		nodes,
		nodes.map((node) => node.name),
	);
}, 120_000);

afterEach(async () => await vary());
afterAll(async () => await n8n?.stop(), 30_000);

test.each([
	'signature-standard-webhooks',
	'signature-base64url',
	'signature-timestamp-header',
	'signature-two-with-comma',
	'event-below-data',
	'event-event-as-type',
	'event-time-seconds',
	'event-list-in-object',
	'answer-without-data',
	'answer-ids-numbers',
	'answer-post-202',
	'limit-without-headers',
])(
	'%s: a call is placed once, and an event starts the workflow once',
	async (name) => {
		const calls = (await n8n.placed()).length;
		const started = (await n8n.finished(events, 0)).length;
		await vary(name);
		expect(await n8n.ended(await n8n.editor.run(placing, 'Start'))).toBe('success');
		await n8n.deliver(webhook, { tamper: 'signature' });
		await n8n.delivered(webhook);
		await vary();
		expect((await n8n.placed()).length).toBe(calls + 1);
		// n8n stores an execution after it has answered.
		expect(await n8n.finished(events, started + 1)).toHaveLength(started + 1);
	},
	60_000,
);

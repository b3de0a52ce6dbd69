import { sampleDocument } from '../../docs/agentDocument.mts';
import { byId, type Service } from '../service.mts';
import type { Runs } from './runs.mts';

export const agent: Runs = (service) => {
	const { seed } = service;
	const agent = byId(seed.agents.published);
	const draft = byId(seed.agents.draft);
	const andPublish = { publishAfterwards: 'always' };
	const hook = { name: 'CRM', webhook_url: 'https://example.com/events', events: ['event_phone_call_ended'] };
	const toCreate = { ...sampleDocument(), settings: { name: 'Ada' }, webhooks: { crm: hook } };
	const wrong = { ...toCreate, voice: { template: { name: 'Nobody' }, ambient_volume: 1, language: 'en-US' } };
	return {
		apply: [
			{ document: toCreate, dryRun: false, options: { publishAfterwards: 'always' } },
			{ document: { ...wrong, settings: { name: 'Bea' } } },
			{ document: { ...toCreate, voice: { ambient_volume: 1 } } },
		],
		setCallbackSources: async () => {
			const found = await service.api('GET', 'agents?direction=inbound&status=published');
			const [one, other] = found.body.data as Array<{ id: string }>;
			const sources = (await service.api('GET', 'callback-agents/source-agents')).body.data as [{ id: string }];
			// The first run gives the role, the second one replaces the sources.
			return [one, one, other].map((each) => ({ agent: byId(String(each?.id)), sourceAgents: [sources[0].id] }));
		},
		getCallbackAgents: [{ returnAll: true }],
		export: [{ agent: draft }],
		update: [
			{ agent, updateFields: { temperature: 0.5 } },
			{ agent, updateFields: { temperature: 0.6, conversationSpeed: 1.1, direction: 'inbound' }, ...andPublish },
		],
		create: [
			{
				name: 'Ada',
				firstMessage: 'Hello, this is Ada.',
				prompt: 'Book appointments.',
				voice: byId(seed.voiceTemplate),
				phoneNumbers: [seed.phoneNumber],
			},
			{ name: 'Ada', voice: byId('no-such-voice') },
		],
		delete: [{ agent: draft }],
	};
};

/** Deletes the first two objects of an agent, by the name of their type in the path and in the node. */
async function removals(service: Service, path: string, parameter: string) {
	const id = service.seed.agents.published;
	const { body } = await service.api('GET', `agents/${id}/${path}`);
	const [first, second] = body.data as Array<{ id: string }>;
	const one = (found = first) => ({ agent: byId(id), [parameter]: byId(found?.id ?? '') });
	return [one(), { ...one(second), publishAfterwards: 'always' }];
}

export const agentAction: Runs = (service) => {
	const { seed } = service;
	const agent = byId(seed.agents.published);
	const hold = { type: 'hold', options: { holdDuration: 30 } };
	// What another type requires is not sent.
	const others = { url: 'https://example.com/ask', transferTo: '+12025550111' };
	const action = { agent, nodeId: 'hold', name: 'hold', description: 'Waits', ...hold, ...others };
	return {
		upsert: [action, { ...action, type: 'webhook', nodeId: 'ask' }, { ...action, publishAfterwards: 'always' }],
		delete: async () => await removals(service, 'actions', 'agentAction'),
	};
};

export const agentTraining: Runs = (service) => {
	const { seed } = service;
	const agent = byId(seed.agents.published);
	const training = { agent, subject: 'Prices', instructions: 'Give no discount.' };
	return {
		upsert: [training, { ...training, publishAfterwards: 'always' }],
		delete: async () => await removals(service, 'trainings', 'agentTraining'),
	};
};

export const agentFlow: Runs = (service) => {
	const { seed } = service;
	const agent = byId(seed.agents.published);
	const flow = {
		initial_node_id: 'hello',
		nodes: [
			{ id: 'hello', type: 'say', content: 'Hello!', next: 'bye' },
			{ id: 'bye', type: 'end' },
		],
	};
	const malformed = { ...flow, nodes: [{ ...flow.nodes[0], content: 'Hello {name}!' }, flow.nodes[1]] };
	return {
		validate: async () => {
			const body = { conversation_mode: 'flow_driven', flow_config: malformed };
			await service.api('PUT', `agents/${seed.agents.published}/flow`, body);
			return [
				{ flowSource: 'jsonForAgent', agent, flow: malformed },
				{ agent },
				{ flowSource: 'json', flow: malformed },
				{ flowSource: 'jsonForAgent', agent, flow: { ...flow, initial_node_id: 'nowhere' } },
			];
		},
		update: [{ agent, flow: malformed }],
		get: [{ agent }],
		getVersions: [{ agent, returnAll: true }],
	};
};

export const voiceTemplate: Runs = ({ seed }) => {
	const voiceTemplate = byId(seed.voiceTemplate);
	return {
		getAll: [{ returnAll: true }, { returnAll: true, options: { oneItemFor: 'group' } }],
		getDemo: [{ voiceTemplate }],
	};
};

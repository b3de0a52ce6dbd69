import { byId } from '../service.mts';
import type { Runs } from './runs.mts';

export const agent: Runs = ({ seed }) => {
	const agent = byId(seed.agents.published);
	return {
		get: [{ agent }],
		getAll: [{ returnAll: true }],
		publish: [{ agent }],
		updateCallingSettings: [{ agent }, { agent, options: { publishAfterwards: true } }],
	};
};

export const agentFlow: Runs = ({ seed }) => {
	const agent = byId(seed.agents.published);
	const end = { initial_node_id: 'bye', nodes: [{ id: 'bye', type: 'end' }] };
	return {
		validate: [{ agent, flow: end }, { agent, flow: { ...end, initial_node_id: 'hello' } }],
	};
};

import type { Runs } from './runs.mts';

export const service: Runs = ({ seed }) => ({
	// What it gives depends on the request: this is the one that no other operation sends.
	makeApiRequest: [
		{ method: 'POST', path: 'calls', body: { agent_id: seed.agents.published, to: '+12025550111', is_testing: true } },
	],
});

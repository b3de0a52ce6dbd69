import type { Runs } from './runs.mts';

export const service: Runs = (service) => ({
	// The output depends on the request; no other operation sends this one.
	makeApiRequest: [
		{
			method: 'POST',
			path: 'calls',
			options: { body: { agent_id: service.seed.agents.published, to: '+12025550111', is_testing: true } },
		},
	],
});

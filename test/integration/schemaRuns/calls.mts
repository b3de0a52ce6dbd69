import { setTimeout as sleep } from 'node:timers/promises';

import { byId } from '../service.mts';
import type { Runs } from './runs.mts';

export const call: Runs = (service) => {
	const { seed } = service;
	const agent = byId(seed.agents.published);
	const phoneNumber = '+12025550111';
	return {
		checkBeforeCalling: [
			{ agent, phoneNumber, options: { forecast: { values: { callsPerHour: 60 } } } },
			{ agent, phoneNumber: '555', options: { forecast: {} } },
			{ agent: byId('unknown'), phoneNumber: '555' },
		],
		place: [
			{ agent, phoneNumber },
			{ agent, phoneNumber: '+12025550122', options: { checkFirst: true } },
		],
		// The second number has no conversation.
		getActive: [
			{ agent, phoneNumber },
			{ agent, phoneNumber: '+12025550199' },
		],
		getAll: [{ returnAll: true }, { callsOf: 'oneAgent', agent, returnAll: true }],
		end: async () => {
			const placed = (await service.calls()).find(({ to }) => to === phoneNumber);
			return [{ agent, call: byId(String(placed?.id)) }];
		},
		placeAndWait: async () => {
			void sleep(500).then(() => service.advance(60));
			return [{ agent, phoneNumber: '+12025550001', waitBy: 'polling', options: { timeLimit: 0.1, pollInterval: 1 } }];
		},
	};
};

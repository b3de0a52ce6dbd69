import { byId } from '../service.mts';
import { endNextCall, noPrice, type Runs } from './runs.mts';

export const call: Runs = (service) => {
	const { seed } = service;
	const agent = byId(seed.agents.published);
	const phoneNumber = '+12025550111';
	return {
		checkBeforeCalling: async () => {
			// The first forecast has no price, the second one no call.
			await service.fault({ ...noPrice, match: { path: `/api/v1/agents/${seed.agents.published}/pricing/summary` } });
			const options = { forecast: { values: { callsPerHour: 60 } } };
			return [
				{ agent, phoneNumber, options },
				{ agent, phoneNumber: '555', options },
				{ agent, phoneNumber, options },
				{ agent: byId('unknown'), phoneNumber: '555' },
			];
		},
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
			await endNextCall(service, '+12025550001');
			return [{ agent, phoneNumber: '+12025550001', waitBy: 'polling', options: { timeLimit: 0.1, pollInterval: 1 } }];
		},
	};
};

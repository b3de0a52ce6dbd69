import { byId } from '../service.mts';
import { type Runs, waitingRuns, withValues } from './runs.mts';

export const call: Runs = (service) => {
	const { seed } = service;
	const agent = byId(seed.agents.published);
	const phoneNumber = '+12025550111';
	return {
		checkBeforeCalling: [
			{ agent, phoneNumber },
			{ agent: byId('unknown'), phoneNumber: '555' },
		],
		place: [withValues({ agent, phoneNumber }), { agent, phoneNumber }],
		// The second number has no conversation.
		getActive: [
			{ agent, otherNumber: phoneNumber },
			{ agent, otherNumber: '+12025550199' },
		],
		getAll: [{ returnAll: true }, { filters: { agent }, returnAll: true }],
		end: async () => {
			const placed = (await service.calls()).find(({ to }) => to === phoneNumber);
			return [{ agent, call: byId(String(placed?.id)) }];
		},
		placeAndWait: async () => await waitingRuns(service, { agent }),
		stopAllCalls: async () => {
			await service.api('POST', `agents/${seed.agents.published}/call`, { to: '+12025550111' });
			return [{}];
		},
	};
};

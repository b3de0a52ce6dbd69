import { byId } from '../service.mts';
import { endNextCall, type Runs } from './runs.mts';

export const campaign: Runs = (service) => {
	const { agents, campaigns } = service.seed;
	const campaign = byId(campaigns.active);
	const phoneNumber = '+12025550111';
	return {
		checkBeforeCalling: [
			{ campaign, phoneNumber },
			{ campaign: byId(campaigns.completed), phoneNumber: '555' },
		],
		get: Object.values(campaigns).map((id) => ({ campaign: byId(id) })),
		getAll: [{ returnAll: true }],
		// The second one cannot be connected.
		create: [{}, { trigger: { __rl: true, mode: 'url', value: 'https://elsewhere.example/webhook' } }].map((more) => ({
			name: 'Spring',
			campaignType: 'sales',
			agent: byId(agents.published),
			startDate: '2030-04-01',
			daysOfWeek: [1],
			callTimeRanges: { values: [{ start: '09:00', end: '17:00' }] },
			timezone: 'UTC',
			options: { description: 'In spring', endDate: '2030-06-30', ...more },
		})),
		update: [{ campaign: byId(campaigns.draft), updateFields: { description: 'In summer', endDate: '2199-12-31' } }],
		delete: [{ campaign: byId(campaigns.draft) }],
		// The second one already exists.
		queueCall: [
			{ campaign, phoneNumber },
			{ campaign, phoneNumber },
		],
		getCalls: [{ campaign }],
		queueCallAndWait: async () => {
			await endNextCall(service, '+12025550001');
			const timeLimit = { values: { amount: 60, unit: 'seconds' } };
			return [{ campaign, phoneNumber: '+12025550001', waitBy: 'polling', options: { timeLimit, pollInterval: 1 } }];
		},
		setStatus: ['paused', 'paused', 'active'].map((status) => ({ campaign, status })),
		waitUntilCompleted: [campaigns.completed, campaigns.cancelled].map((id) => ({
			campaign: byId(id),
			waitBy: 'polling',
		})),
	};
};

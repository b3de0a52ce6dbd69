import { byId } from '../service.mts';
import { endNextCall, noPrice, type Runs } from './runs.mts';

export const campaign: Runs = (service) => {
	const { agents, campaigns } = service.seed;
	const campaign = byId(campaigns.active);
	const phoneNumber = '+12025550111';
	return {
		checkBeforeCalling: async () => {
			// The first forecast has no price, the second one no call.
			await service.fault({ ...noPrice, match: { path: `/api/v1/agents/${agents.published}/pricing/summary` } });
			const options = { forecast: { values: { callsPerHour: 60 } } };
			return [
				{ campaign, phoneNumber, options },
				{ campaign, phoneNumber: '555', options },
				{ campaign, phoneNumber, options },
				{ campaign: byId(campaigns.completed), phoneNumber: '555' },
			];
		},
		get: Object.values(campaigns).map((id) => ({ campaign: byId(id) })),
		getAll: [{ returnAll: true }],
		compare: [{}, { itemPerDifference: true }].map((options) => {
			return {
				campaign,
				document: { name: 'Autumn', max_retries: 1, auto_complete: true, description: null },
				options,
			};
		}),
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
			{ campaign, phoneNumber, options: { checkFirst: true } },
		],
		queueCallAndWait: async () => {
			await endNextCall(service, '+12025550001');
			return [
				{ campaign, phoneNumber: '+12025550001', waitBy: 'polling', options: { timeLimit: 0.1, pollInterval: 1 } },
			];
		},
		setStatus: ['paused', 'paused', 'active'].map((status) => ({ campaign, status })),
		waitUntilCompleted: [campaigns.completed, campaigns.cancelled].map((id) => ({
			...{ campaign: byId(id), waitBy: 'polling' },
		})),
	};
};

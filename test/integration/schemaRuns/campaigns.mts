import { byId } from '../service.mts';
import { type Runs, waitingRuns, withValues } from './runs.mts';

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
		queueCall: [withValues({ campaign, phoneNumber }), { campaign, phoneNumber }],
		getCalls: async () => {
			for (const to of ['+12025550111', '+12025550122', '+12025550133']) {
				await service.api('POST', `campaigns/${campaigns.active}/call`, { to });
			}
			return [{ campaign }];
		},
		queueCallAndWait: async () => await waitingRuns(service, { campaign }),
		setStatus: ['paused', 'paused', 'active'].map((status) => ({ campaign, status })),
		waitUntilCompleted: [campaigns.completed, campaigns.cancelled].map((id) => ({
			campaign: byId(id),
			waitBy: 'polling',
		})),
	};
};

import { byId } from '../service.mts';
import type { Runs } from './runs.mts';

export const campaign: Runs = ({ seed: { agents, campaigns } }) => {
	const campaign = byId(campaigns.active);
	const phoneNumber = '+12025550111';
	return {
		checkBeforeCalling: [{ campaign, phoneNumber }, { campaign: byId(campaigns.completed), phoneNumber: '555' }],
		get: Object.values(campaigns).map((id) => ({ campaign: byId(id), simplify: false })),
		getAll: [{ returnAll: true, simplify: false }],
		create: [
			{
				name: 'Spring',
				campaignType: 'sales',
				agent: byId(agents.published),
				startDate: '2030-04-01',
				daysOfWeek: [1],
				callTimeRanges: { values: [{ start: '09:00', end: '17:00' }] },
				timezone: 'UTC',
				options: { description: 'In spring', endDate: '2030-06-30' },
			},
		],
		update: [{ campaign: byId(campaigns.draft), updateFields: { description: 'In summer', endDate: '2199-12-31' } }],
		delete: [{ campaign: byId(campaigns.draft) }],
		// The second one is there already.
		queueCall: [{ campaign, phoneNumber }, { campaign, phoneNumber, options: { checkFirst: true } }],
		queueCallAndWait: [{ campaign, phoneNumber: '+12025550002', waitBy: 'polling', timeLimit: 0.1, options: { pollInterval: 4 } }],
		setStatus: ['paused', 'paused', 'active'].map((status) => ({ campaign, status })),
	};
};

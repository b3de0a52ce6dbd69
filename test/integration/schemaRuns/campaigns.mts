import { byId } from '../service.mts';
import type { Runs } from './runs.mts';

export const campaign: Runs = ({ seed: { campaigns } }) => {
	const campaign = byId(campaigns.active);
	const phoneNumber = '+12025550111';
	return {
		get: Object.values(campaigns).map((id) => ({ campaign: byId(id) })),
		getAll: [{ returnAll: true }],
		// The second one is there already.
		queueCall: [{ campaign, phoneNumber }, { campaign, phoneNumber }],
		setStatus: ['paused', 'paused', 'active'].map((status) => ({ campaign, status })),
	};
};

import { byId } from '../service.mts';
import type { Runs } from './runs.mts';

export const call: Runs = ({ seed }) => ({
	place: [{ agent: byId(seed.agents.published), phoneNumber: '+12025550111' }],
});

import type { Runs } from './runs.mts';

export const service: Runs = () => ({
	checkHealth: [{}],
});

import { forecast } from '../fields/forecast';
import type { CalledBy, LastItem } from '../operation/operation';

/** Imports the checks on first use: n8n does not need them to describe the node. */
export async function readiness() {
	return await import('./checks.js');
}

/** The item that the option Forecast adds. @param calledBy who would call the numbers */
export function forecastItem(calledBy: CalledBy): LastItem {
	return {
		option: forecast,
		async make(api, items) {
			const { forecastOf } = await import('./forecastItem.js');
			return await forecastOf(api, items, calledBy);
		},
	};
}

import type { ForecastSettings } from '../fields/forecast';
import type { CampaignState } from './campaign';

/** What the figures of a forecast depend on. */
interface Basis {
	/** When the numbers were checked, in milliseconds since 1970. */
	now: number;
	testCallsOnly: boolean;
	/** The settings of the items that are ready. */
	settings: readonly ForecastSettings[];
	/** Whether a price counts on the agent's optimized costs. */
	isOptimized: boolean;
	/** The campaigns that would call. */
	campaigns: readonly CampaignState[];
}

/** What each figure of a forecast assumes, one sentence or two each, beginning with what they are about. */
export function assumptionsOf(basis: Basis): string[] {
	return [readyAssumption(basis), ...costAssumptions(basis), ...endAssumptions(basis)];
}

function readyAssumption({ now }: Basis): string {
	return `Ready: as checked at ${new Date(now).toISOString()}. What the service does not show was not checked, such as credits and do-not-call lists.`;
}

function costAssumptions({ testCallsOnly, settings, isOptimized }: Basis): string[] {
	if (settings.length === 0) {
		return ['Cost: no number is ready, and without calls nothing is paid.'];
	}
	if (testCallsOnly) {
		return ["Cost: the credential has 'Test Calls Only' on, and test calls cost nothing."];
	}
	const minutes = (of: (one: ForecastSettings) => number) => inWords(settings.map(of));
	const low = minutes(({ minutesLow }) => minutesLow);
	const likely = minutes(({ minutesLikely }) => minutesLikely);
	const high = minutes(({ minutesHigh }) => minutesHigh);
	return [
		`Cost: each ready number is called once, for ${low} (low), ${likely} (likely) or ${high} (high) minutes on average. Retries add to it.`,
		'Cost: all calls are real calls. Test calls cost nothing.',
		'Cost: a minute costs what the service estimates for the agent (Agent → Get Pricing), and parts of a minute cost their share. Rounding up of each call and other rates for some countries would add to it.',
		...(isOptimized ? ["Cost: the agent's optimized costs stay on."] : []),
	];
}

function endAssumptions({ settings, campaigns }: Basis): string[] {
	if (settings.length === 0 || settings.some(({ callsPerHour }) => callsPerHour === 0)) {
		return [];
	}
	const rate = inWords(settings.map(({ callsPerHour }) => callsPerHour));
	const begin = `${rate} calls per hour, evenly spaced`;
	if (campaigns.length === 0) {
		return [`End: each agent places ${begin}, from now on at any time of the day. Retries are not counted.`];
	}
	const waiting = campaigns.reduce((sum, { waitingCalls }) => sum + waitingCalls, 0);
	const first = waiting > 0 ? ` Calls that already wait in it (${waiting}) come first.` : '';
	const hidden = [...new Set(campaigns.flatMap(({ notShown }) => notShown))];
	return [
		`End: all calls are queued now, and each campaign places ${begin}, only on its days and in its hours and after its first delay.${first} Retries are not counted.`,
		...(hidden.length === 0
			? []
			: [`End: the service does not show everything of a campaign (${hidden.join(', ')}), so this is not counted.`]),
	];
}

/** "2", or "1 to 3" if the items have different values. */
function inWords(values: readonly number[]): string {
	// Not Math.min(...values): there may be more items than a function can have arguments.
	const least = values.reduce((one, other) => Math.min(one, other));
	const most = values.reduce((one, other) => Math.max(one, other));
	return least === most ? String(least) : `${least} to ${most}`;
}

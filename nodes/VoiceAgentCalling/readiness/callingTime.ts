import { STEP_MS, spansIn } from './openings';
import { type Schedule, scheduleOf } from './schedule';
import { DAY_MS } from './wallClock';

/** How far ahead a campaign is looked at: two years. */
const HORIZON_MS = 731 * DAY_MS;

/** When a campaign has called for some time. Times in milliseconds. */
export interface CallingTime {
	/** Since 1970; undefined if the campaign cannot call for so long. */
	end: number | undefined;
	/** For how long it can call: the time asked for, or less. */
	open: number;
	/** Whether it has no more time after `open`, because of its end date. Otherwise, it was not looked at any further. */
	isOver: boolean;
}

/**
 * Returns when a campaign has called for `needed` milliseconds, closed hours not counted.
 *
 * @param queuedAt milliseconds since 1970; calls start after the first delay of the campaign
 * @param needed more than 0
 */
export type CallingTimes = (queuedAt: number, needed: number) => CallingTime;

/**
 * Reads the calling time of a campaign.
 *
 * @param campaign the campaign as the API returns it
 * @returns undefined if it is not clear when the campaign calls
 */
export function callingTimeOf(campaign: Record<string, unknown>): CallingTimes | undefined {
	const schedule = scheduleOf(campaign);
	return schedule && ((queuedAt, needed) => callingTime(schedule, queuedAt + schedule.delay, needed));
}

function callingTime(schedule: Schedule, from: number, needed: number): CallingTime {
	// In every time zone, a day starts less than 24 hours before or after it starts in UTC.
	const begin = Math.max(Math.floor(from / 1000) * 1000, (schedule.first - 1) * DAY_MS);
	const over = (schedule.last + 2) * DAY_MS;
	const horizon = begin + HORIZON_MS;
	let open = 0;
	for (let step = begin; step < Math.min(over, horizon); step += STEP_MS) {
		const spans = spansIn(schedule, { from: step, to: step + STEP_MS }).sort((one, other) => one.from - other.from);
		// The ranges of a day may overlap.
		let counted = from;
		for (const span of spans) {
			const start = Math.max(span.from, counted);
			const length = Math.max(span.to - start, 0);
			if (open + length >= needed) {
				return { end: start + needed - open, open: needed, isOver: false };
			}
			open += length;
			counted = Math.max(counted, span.to);
		}
	}
	return { end: undefined, open, isOver: over <= horizon };
}

import type { WeeklyHours } from '../../../../nodes/VoiceAgentCalling/readiness/openings.ts';
import { wallClockOf } from '../../../../nodes/VoiceAgentCalling/readiness/wallClock.ts';

const DAY_MS = 86_400_000;

/** Hours in a form that luxon and the node read. */
export interface Plan {
	zone: string;
	weekdays: number[];
	/** Minutes of the day. */
	from: number;
	to: number;
	/** YYYY-MM-DD. */
	holidays: string[];
}

/** The hours as the node reads them. */
export function weeklyOf({ zone, weekdays, from, to, holidays }: Plan): WeeklyHours {
	const wallClock = wallClockOf(zone);
	if (!wallClock) {
		throw new Error(zone);
	}
	return {
		wallClock,
		first: -Infinity,
		last: Infinity,
		weekdays,
		hours: [{ from: from * 60, to: to * 60 }],
		holidays: new Set(holidays.map((date) => Date.parse(date) / DAY_MS)),
	};
}

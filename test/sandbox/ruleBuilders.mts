import type { AvailabilityRule } from '../../sandbox/world/calendar.mts';

export const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
export const MINUTE = 60_000;

export function recurring(
	start_time: string,
	end_time: string,
	timezone: string,
	days_of_week = EVERY_DAY,
): AvailabilityRule {
	return { id: '', type: 'recurring', days_of_week, start_time, end_time, timezone };
}

export function exception(date: string, available: boolean): AvailabilityRule {
	return { id: '', type: 'exception', date, available };
}

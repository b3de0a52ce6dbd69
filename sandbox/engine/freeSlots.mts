import { DAY_MS, type DaySpan, dayOf, MINUTE_MS, type Span, wallSpans, weekdayOf } from '../time/wallTime.mts';
import type { AvailabilityRule, CalendarEvent, RecurringRule } from '../world/calendar.mts';

/** The data that determines a calendar's free slots. */
export interface Availability {
	/** Defines the start and end of its days. */
	timezone: string;
	rules: AvailabilityRule[];
	events: Array<Pick<CalendarEvent, 'start' | 'end' | 'status'>>;
}

/**
 * Returns the free slots of a calendar, in order. Slots follow one another from the start of each opening; overlapping
 * and adjacent openings of a day are merged. Slots that overlap an event are left out, unless the event is cancelled.
 * @param within whole seconds; a slot lies completely within it
 * @param minutes the length of a slot
 */
export function freeSlots(calendar: Availability, within: Span, minutes: number): Span[] {
	const length = minutes * MINUTE_MS;
	const busy = calendar.events.filter(
		({ start, end, status }) => status !== 'cancelled' && start < within.to && end > within.from,
	);
	const slots: Span[] = [];
	for (const opening of openings(calendar, within)) {
		const inTheWay = busy.filter(({ start, end }) => start < opening.to && end > opening.from);
		for (let from = opening.from; from + length <= opening.to; from += length) {
			const to = from + length;
			if (from < within.from || to > within.to) {
				continue;
			}
			if (!inTheWay.some(({ start, end }) => start < to && end > from)) {
				slots.push({ from, to });
			}
		}
	}
	return slots;
}

/** Returns the openings of all days that overlap an interval. They may reach beyond the interval. */
function openings(calendar: Availability, within: Span): Span[] {
	// Two zones differ by at most 26 hours: with two more days, the first and last days are complete.
	const around = { from: within.from - 2 * DAY_MS, to: within.to + 2 * DAY_MS };
	const recurring = calendar.rules
		.filter((rule) => rule.type === 'recurring')
		.flatMap((rule) => spansOf(rule, around))
		.sort((one, other) => one.from - other.from);
	const exceptions = calendar.rules.filter((rule) => rule.type === 'exception');
	const blocked = daysOf(exceptions.filter(({ available }) => !available));
	const opened = daysOf(exceptions.filter(({ available }) => available));

	return wallSpans(calendar.timezone, around, '00:00', '24:00')
		.reduce(joinSameDay, [])
		.filter(({ day, from, to }) => !blocked.has(day) && from < within.to && to > within.from)
		.flatMap((day) => (opened.has(day.day) ? [day] : join(recurring.flatMap((span) => cut(span, day)))));
}

function spansOf(rule: RecurringRule, around: Span): Span[] {
	return wallSpans(rule.timezone, around, rule.start_time, rule.end_time).filter(({ day }) =>
		rule.days_of_week.includes(weekdayOf(day)),
	);
}

function daysOf(exceptions: Array<{ date: string }>): Set<number> {
	return new Set(exceptions.map(({ date }) => dayOf(date)));
}

/** Returns the part of a span within a day; an empty list if they do not overlap. */
function cut(span: Span, day: Span): Span[] {
	const part = { from: Math.max(span.from, day.from), to: Math.min(span.to, day.to) };
	return part.from < part.to ? [part] : [];
}

/** Merges overlapping and adjacent spans. @param spans sorted by their start */
function join(spans: Span[]): Span[] {
	const joined: Span[] = [];
	for (const span of spans) {
		const last = joined.at(-1);
		if (last && span.from <= last.to) {
			last.to = Math.max(last.to, span.to);
		} else {
			joined.push(span);
		}
	}
	return joined;
}

/** Merges the parts of a day in which the clocks change. */
function joinSameDay(days: DaySpan[], span: DaySpan): DaySpan[] {
	const last = days.at(-1);
	if (last?.day === span.day && last.to === span.from) {
		last.to = span.to;
	} else {
		days.push(span);
	}
	return days;
}

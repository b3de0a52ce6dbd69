import { timeOfDayIn, WEEKDAYS, weekdayIn } from '../../shared/fields/timeKinds';

/** Hours of a day: HH:MM, `to` is exclusive and up to 24:00. */
export interface TimeRange {
	from: string;
	to: string;
}

/** The hours of each weekday that has any: 1 is Monday, 7 is Sunday. They are in order and do not touch. */
export type OpeningHours = Readonly<Record<number, readonly TimeRange[]>>;

/** Why a text was refused, and how to correct it; both for `issueOf`. */
export interface Mistake {
	mistake: string;
	advice: string;
}

/** Separates groups of days. A comma does so only between a time and a day. */
const BETWEEN_GROUPS = /[;\n]|(?<=[\dm]|closed|off),(?=[a-z])/i;

/** The days of a group, and their hours. */
const GROUP = /^(\D*?)(?: ?[:,])? ?(\d.*|closed|off)$/i;

const RANGE = /^(\d\d?(?::\d\d)?) ?([ap]m)?-(\d\d?(?::\d\d)?) ?([ap]m)?$/i;

const NOON = '12:00';

const EXAMPLE = 'Write days and hours like Mon-Fri 9:00-12:00, 14:00-18:00; Sat 10-13';

/** Stops the reading of a text. */
class RefusedText extends Error {
	readonly advice: string;

	constructor(message: string, advice: string) {
		super(message);
		this.advice = advice;
	}
}

/**
 * Reads opening hours as people write them, such as `Mon-Fri 9:00-12:00, 14:00-18:00; Sat 10-13`, also in the plain
 * format of OpenStreetMap. A text with a part that is not understood, or with two meanings, is refused: otherwise a
 * phone could ring at a time that nobody has chosen.
 */
export function readOpeningHours(text: string): { week: OpeningHours } | Mistake {
	try {
		return { week: weekIn(text) };
	} catch (error) {
		const { message, advice } = error as RefusedText;
		return { mistake: message, advice };
	}
}

function weekIn(text: string): OpeningHours {
	const week: Record<number, readonly TimeRange[]> = {};
	const groups = withPlainSigns(text).split(BETWEEN_GROUPS);
	for (const group of groups.filter((part) => part !== '')) {
		const [, days, hours] = GROUP.exec(group) ?? unreadable(group);
		if (days === '') {
			throw new RefusedText(
				`has hours without days: ${quoted(group)}`,
				'Write the days before their hours, like Mon-Fri 9-17 or Daily 9-17',
			);
		}
		const ranges = /^\d/.test(hours) ? rangesIn(hours) : [];
		for (const day of daysIn(days)) {
			if (week[day] !== undefined) {
				// In some formats the later hours replace the earlier hours, in others they are added.
				throw new RefusedText(
					`has ${WEEKDAYS[day - 1]} twice`,
					'Write all hours of a day together, like Mon-Fri 9-12, 14-18; Sat 10-13',
				);
			}
			week[day] = ranges;
		}
	}
	const open = Object.entries(week).filter(([, ranges]) => ranges.length > 0);
	if (open.length === 0) {
		throw new RefusedText('has no hours', EXAMPLE);
	}
	return Object.fromEntries(open);
}

/** Replaces words and typographic signs by the signs of the format, and removes blanks beside them. */
function withPlainSigns(text: string): string {
	return text
		.replace(/[^\S\n]+/g, ' ')
		.replace(/[\u2010-\u2015\u2212]| (?:to|through) /gi, '-')
		.replace(/&| and /gi, ',')
		.replace(/\bevery day\b/gi, 'Daily')
		.replace(/(?<=[a-z])\./gi, '')
		.replace(/(?<=\d)\.(?=\d\d(?!\d))/g, ':')
		.replace(/ ?([-,;:\n]) ?/g, '$1')
		.trim();
}

function quoted(text: string): string {
	return JSON.stringify(text.replaceAll(',', ', ').slice(0, 60));
}

function unreadable(text: string): never {
	throw new RefusedText(`has hours that cannot be read: ${quoted(text)}`, EXAMPLE);
}

/** Returns the weekdays in a list, such as `Mon,Wed-Fri`. A range may go beyond Sunday. */
function daysIn(list: string): number[] {
	return list.split(',').flatMap((part) => {
		if (/^daily$/i.test(part)) {
			return WEEKDAYS.map((_name, index) => index + 1);
		}
		const names = part.split('-');
		const days = names.map(weekdayIn);
		const unknown = days.indexOf(undefined);
		const [first = 0, last = first] = days;
		if (unknown !== -1 || names.length > 2 || (names.length === 2 && first === last)) {
			const name = names.length > 2 || unknown === -1 ? part : names[unknown];
			throw new RefusedText(`has no weekday ${quoted(name)}`, 'Write English weekdays, like Mon-Fri or Mon, Wed');
		}
		const count = ((last - first + 7) % 7) + 1;
		return Array.from({ length: count }, (_none, index) => ((first - 1 + index) % 7) + 1);
	});
}

/** Returns the hours in a list, such as `9-12,14-18`. Hours that touch become one range. */
function rangesIn(list: string): TimeRange[] {
	const ranges = list.split(',').map((part) => rangeIn(part) ?? unreadable(list));
	const end = ranges.at(-1)?.to ?? '';
	const merged: TimeRange[] = [];
	for (const range of ranges) {
		assertClear(range, end);
		const { from, to } = range;
		const before = merged.at(-1);
		if (before !== undefined && before.to > from) {
			throw new RefusedText(
				`has hours that overlap, or are not in their order: ${quoted(list)}`,
				'Write the hours of a day in their order, like 9-12, 14-18',
			);
		}
		if (before?.to === from) {
			merged.pop();
		}
		merged.push({ from: before?.to === from ? before.from : from, to });
	}
	return merged;
}

/** A range with the text of its times. */
interface WrittenRange extends TimeRange {
	text: string;
	/** The times as they were written, if that is the 24-hour format: otherwise they have am or pm. */
	written?: [from: string, to: string];
}

/** @returns undefined if it is not a range */
function rangeIn(text: string): WrittenRange | undefined {
	const [, first, firstHalf, last, lastHalf] = RANGE.exec(text) ?? [];
	if (first === undefined) {
		return undefined;
	}
	if ((firstHalf === undefined) !== (lastHalf === undefined)) {
		throw new RefusedText(
			`has ${quoted(text)}, with am or pm at one of its times only`,
			'Write am or pm at both times, like 9 am-5 pm',
		);
	}
	const [from, to] = [timeIn(first, firstHalf), timeIn(last, lastHalf, { end: true })];
	const written: WrittenRange['written'] = firstHalf === undefined ? [first, last] : undefined;
	if (from >= to) {
		const isMeantLater = written !== undefined && to >= '01:00' && to < NOON && from < later(to);
		throw new RefusedText(
			`has ${quoted(text)}, which ends before it starts`,
			isMeantLater
				? `Write ${inBothFormats(isEarly(first) ? from : first, later(last))}`
				: 'Hours end at 24:00 at the latest: hours past midnight are not possible',
		);
	}
	return { from, to, text, written };
}

/**
 * Reads a time.
 *
 * @param half am or pm
 * @returns HH:MM
 */
function timeIn(clock: string, half?: string, limits?: { end: boolean }): string {
	const [hour = '', minutes = '00'] = clock.split(':');
	const isAfternoon = half?.toLowerCase() === 'pm';
	if (half !== undefined && hour === '12' && !isAfternoon) {
		throw new RefusedText(
			`has ${quoted(`${clock} ${half}`)}, which people read as midnight or noon`,
			'Write 12:00 for noon, and 0:00 or 24:00 for midnight',
		);
	}
	const hour24 = half === undefined ? hour : String((Number(hour) % 12) + (isAfternoon ? 12 : 0));
	const exists = half === undefined || (Number(hour) >= 1 && Number(hour) <= 12);
	const time = exists ? timeOfDayIn(`${hour24}:${minutes}`, limits) : undefined;
	if (time === undefined) {
		throw new RefusedText(
			`has no time of day ${quoted(half === undefined ? clock : `${clock} ${half}`)}`,
			'Write times from 0:00 to 24:00, like 9:00, 9 am or 14:30',
		);
	}
	return time;
}

/**
 * Refuses a range that can also be meant in the 12-hour format: `2-6`, or `7-9` if nothing later on the day shows that
 * the text is in the 24-hour format.
 *
 * @param end the end of the hours of the day
 */
function assertClear({ from, to, text, written }: WrittenRange, end: string): void {
	const [first = '0', last = ''] = written ?? [];
	const isClear = first.startsWith('0') || from >= '09:00' || (!isEarly(first) && end >= NOON);
	if (!isClear) {
		const others = to < NOON ? `, ${inBothFormats(later(first), later(last))}` : '';
		throw new RefusedText(`has ${quoted(text)}, which can be in the morning or later`, `Write ${from}-${to}${others}`);
	}
}

/** Whether a time is so early that without a zero in front it is hardly in the morning: 1 to 5:59. */
function isEarly(clock: string): boolean {
	const hour = Number(clock.split(':')[0]);
	return !clock.startsWith('0') && hour < 6;
}

/** Returns a time of the 24-hour format 12 hours later, in the same notation. */
function later(clock: string): string {
	return clock.replace(/^\d+/, (hour) => String(Number(hour) + 12));
}

/** Returns a range in the 24-hour format, and in the 12-hour format. */
function inBothFormats(from: string, to: string): string {
	const in12 = (clock: string) => {
		const hour = Number(clock.split(':')[0]);
		return `${clock.replace(/^\d+/, String(((hour + 11) % 12) + 1))} ${hour < 12 ? 'am' : 'pm'}`;
	};
	return `${from}-${to} or ${in12(from)}-${in12(to)}`;
}

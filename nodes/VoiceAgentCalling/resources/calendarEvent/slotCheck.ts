import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import type { ServiceRequest } from '../../../shared/client/request';
import { serviceError, unwrap } from '../../../shared/errors/serviceError';
import { inTurn } from '../../../shared/lib/collections';
import { DAY_MS, endsWithin, isoOf, timeIn } from '../../../shared/lib/time';

/** The longest event that is found, in days: the service filters by the start of events, not by overlap. */
export const LONGEST_EVENT_DAYS = 31;

const LONGEST_EVENT_MS = LONGEST_EVENT_DAYS * DAY_MS;

/** An event to book. */
interface Slot {
	calendarId: string;
	start_at: string;
	end_at: string;
}

/** The bookings of one calendar in this run. */
interface Bookings {
	/** How many times the calendar was read. */
	checks: number;
	/** What this run booked, or may have booked: the service's list may lack it for a moment. */
	made: IDataObject[];
	/** The last booking that this run has begun. */
	last: Map<string, Promise<unknown>>;
}

/** How long a booking waits for bookings of other executions, in milliseconds: a person may be on the phone. */
const MAX_TURN_WAIT_MS = 5000;

/** For each calendar, the last booking that an execution in this process has begun. */
const lastByCalendar = new Map<string, Promise<unknown>>();

const timeOf = (value: unknown) => timeIn(value) ?? Number.NaN;

/** Whether an event overlaps a slot. An event whose times cannot be read counts as overlapping. */
function overlaps(slot: Slot, { start_at: start, end_at: end }: IDataObject): boolean {
	const isLater = timeOf(start) >= timeOf(slot.end_at);
	const isEarlier = timeOf(end) <= timeOf(slot.start_at);
	return !isLater && !isEarlier;
}

/** @throws ServiceError `SLOT_TAKEN` if an event that is not cancelled overlaps the slot */
async function assertFree(api: Api, slot: Slot, made: readonly IDataObject[]): Promise<void> {
	const query = {
		from: isoOf(timeOf(slot.start_at) - LONGEST_EVENT_MS),
		to: isoOf(timeOf(slot.end_at) + LONGEST_EVENT_MS),
	};
	const path = ['calendars', slot.calendarId, 'events'];
	const listed = await api.whole({ method: 'GET', path, query }, ({ data }) => data);
	const other = [...listed, ...made].find((event) => event.status !== 'cancelled' && overlaps(slot, event));
	if (other === undefined) {
		return;
	}
	throw serviceError('SLOT_TAKEN', { title: other.title, start: other.start_at, end: other.end_at });
}

/**
 * Creates an event if no other event overlaps it. Items of a run and executions of this process book the same calendar
 * one after the other, so that each sees the earlier bookings.
 *
 * @throws ServiceError `SLOT_TAKEN`
 */
export async function bookIfFree(api: Api, slot: Slot, request: ServiceRequest): Promise<IDataObject> {
	const bookings = await api.remember(
		`bookings of ${slot.calendarId}`,
		async (): Promise<Bookings> => ({ checks: 0, made: [], last: new Map() }),
	);
	const book = async () => {
		// With a unique name, the calendar is read again. The check does not count as begun work of the item, so a failure
		// of another item can still stop it.
		const name = `check ${bookings.checks++} of ${slot.calendarId}`;
		const check = () => api.remember(name, () => assertFree(api, slot, bookings.made));
		// `tryRequest` skips the check if an earlier attempt of the node created the event, which the check would find.
		const result = await api.tryRequest(request, check);
		if (result.error?.accepted !== 'no') {
			bookings.made.push({ ...request.body, ...slot });
		}
		return result;
	};
	// At the same moment, two executions would both find the time free.
	const bookInProcess = () =>
		inTurn(lastByCalendar, slot.calendarId, book, (earlier) => endsWithin(MAX_TURN_WAIT_MS, earlier));
	return unwrap(await inTurn(bookings.last, slot.calendarId, bookInProcess));
}

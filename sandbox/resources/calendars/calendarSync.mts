import { z } from 'zod';

import { ok } from '../../http/response.mts';
import { dataOf } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { iso } from '../../time/time.mts';
import type { CalendarProvider } from '../../world/calendar.mts';
import type { World } from '../../world/world.mts';
import { providerSchema, startedSyncSchema, syncStatusSchema } from './calendarSchemas.mts';
import { findCalendar } from './calendars.mts';

const LIST = '/api/v1/calendars';
const refusal = 'coded';

/** How long a sync takes. */
const SYNC_MS = 5000;

/** How long a calendar is up to date after a sync. */
const FRESH_MS = 300_000;

/** The external calendars to which a calendar is connected, and their sync. */
export const calendarSyncRoutes: Route[] = [
	route({
		method: 'GET',
		path: `${LIST}/:calendar_id/providers`,
		summary: 'List the provider connections of a calendar',
		description: 'The external calendars with which it is synced.',
		refusal,
		responses: { 200: dataOf(z.array(providerSchema)) },
		handle({ world, params }) {
			const { providers } = findCalendar(world, params.calendar_id);
			return ok(
				providers.map((connection) => {
					const { id, provider, external_calendar_id, is_active } = connection;
					return { id, provider, external_calendar_id, is_active, last_sync_at: lastSyncAt(world, connection) };
				}),
			);
		},
	}),
	route({
		method: 'POST',
		path: `${LIST}/sync`,
		summary: 'Start the sync of all calendars',
		description: 'Starts a sync of each connected calendar that is not up to date. It ends later.',
		refusal,
		responses: { 200: dataOf(startedSyncSchema) },
		handle({ world }) {
			const now = world.clock.now();
			const syncing: string[] = [];
			const upToDate: string[] = [];
			for (const { id, providers } of world.calendars.values()) {
				const active = providers.filter(({ is_active }) => is_active);
				const due = active.filter((one) => (lastSync(one, now) ?? Number.NEGATIVE_INFINITY) <= now - FRESH_MS);
				for (const one of due.filter((connection) => !isSyncing(connection, now))) {
					one.lastSync = lastSync(one, now);
					one.syncStarted = now;
				}
				if (active.length > 0) {
					(due.length > 0 ? syncing : upToDate).push(id);
				}
			}
			return ok({ syncing, up_to_date: upToDate });
		},
	}),
	route({
		method: 'GET',
		path: `${LIST}/sync-status`,
		summary: 'Get the sync status of all calendars',
		description: 'An entry for each provider connection.',
		refusal,
		responses: { 200: dataOf(z.array(syncStatusSchema)) },
		handle({ world }) {
			const now = world.clock.now();
			return ok(
				[...world.calendars.values()].flatMap(({ id, providers, events }) =>
					providers.map((connection) => ({
						calendar_id: id,
						provider: connection.provider,
						last_sync_at: lastSyncAt(world, connection),
						is_syncing: isSyncing(connection, now),
						events_synced: lastSync(connection, now) === null ? 0 : events.size,
					})),
				),
			);
		},
	}),
];

function isSyncing({ syncStarted }: CalendarProvider, now: number): boolean {
	return syncStarted !== null && now < syncStarted + SYNC_MS;
}

/** Returns when the latest sync ended; null before the first sync. */
function lastSync(connection: CalendarProvider, now: number): number | null {
	const { syncStarted, lastSync: before } = connection;
	return syncStarted === null || isSyncing(connection, now) ? before : syncStarted + SYNC_MS;
}

function lastSyncAt(world: World, connection: CalendarProvider): string | null {
	const at = lastSync(connection, world.clock.now());
	return at === null ? null : iso(at);
}

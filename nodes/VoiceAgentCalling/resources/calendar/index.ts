import type { Resource } from '../../operation/operation';
import { create } from './create';
import { deleteCalendar } from './delete';
import { get } from './get';
import { getMany } from './getMany';
import { getProviders } from './getProviders';
import { getSyncStatus } from './getSyncStatus';
import { startSync } from './startSync';
import { update } from './update';

export const calendarResource: Resource = {
	name: 'Calendar',
	value: 'calendar',
	operations: [create, deleteCalendar, get, getMany, getProviders, getSyncStatus, startSync, update],
};

import { byId, type Service } from '../service.mts';
import { unknownId } from './agents.mts';
import { flat } from './answers.mts';
import { operationsOf, type Provoker } from './provoke.mts';
import type { Section } from './table.mts';

export async function calendars(provoker: Provoker): Promise<Section> {
	const { calendar, calendarEvent, user } = provoker.seed;
	const on = (resource: string, operation: string, more: object = {}) => ({
		resource,
		operation,
		calendar: byId(calendar),
		...more,
	});
	const taken = async (service: Service) => {
		const [start, end] = ['2027-03-01T09:00:00Z', '2027-03-01T10:00:00Z'];
		await service.api('POST', `calendars/${calendar}/events`, { title: 'Visit', start_at: start, end_at: end });
		return on('calendarEvent', 'create', { title: 'Another', start, end, options: { checkSlot: true } });
	};
	return {
		title: 'Calendars and availability',
		rows: await provoker.rows([
			[
				'The calendar does not exist',
				on('availability', 'getSlots', { calendar: unknownId, from: '2027-03-01T09:00', to: '2027-03-02T09:00' }),
			],
			['The event does not exist, or is in another calendar', on('calendarEvent', 'get', { calendarEvent: unknownId })],
			['Another event takes the time, and Check Slot is on', taken],
			[
				'No provider that can make meetings is connected',
				on('calendarEvent', 'createMeeting', { calendarEvent: byId(calendarEvent) }),
				flat(422, 'MEETING_PROVIDER_REQUIRED', 'The calendar has no connected provider.'),
			],
			['The user is a member already', on('calendarMember', 'add', { userId: user, role: 'viewer' })],
			[
				'The member to remove is the owner',
				on('calendarMember', 'remove', { calendarMember: byId(user) }),
				flat(409, 'CONFLICT', 'The owner of a calendar cannot be removed.'),
			],
			[
				'The calendar would be without an owner',
				on('calendarMember', 'update', { calendarMember: byId(user), role: 'viewer' }),
				flat(422, 'VALIDATION_ERROR', 'A calendar has an owner.'),
			],
		]),
	};
}

export async function sipTrunks(provoker: Provoker): Promise<Section> {
	const on = operationsOf({ resource: 'sipTrunk', sipTrunk: byId(provoker.seed.sipTrunk) });
	return {
		title: 'SIP trunks and their numbers',
		rows: await provoker.rows([
			[
				'The plan has no SIP trunks of your own',
				{ resource: 'sipTrunk', operation: 'getAll' },
				flat(403, 'CUSTOM_SIP_TRUNKS_NOT_ALLOWED', 'The plan does not include custom SIP trunks.'),
			],
			['The SIP trunk does not exist', on('verify', { sipTrunk: unknownId })],
			[
				'The SIP trunk was to be active, and is not verified',
				on('update', { updateFields: { active: true } }),
				flat(422, 'VALIDATION_ERROR', 'The SIP trunk must be verified.'),
			],
			['The SIP trunk to delete still has numbers', on('delete')],
			['The SIP trunk to delete has calls in progress', on('delete'), flat(409, 'CONFLICT', 'It has active calls.')],
			[
				'The number is already on the SIP trunk',
				on('addNumber', { carrierNumber: '+13125550142', countryCode: 'US' }),
				flat(409, 'DID_ALREADY_EXISTS', 'The number already exists.'),
			],
			[
				'The number to remove is used by an active agent',
				on('removeNumber', { trunkNumber: unknownId }),
				flat(409, 'DID_IN_USE', 'The DID is still in use.'),
			],
		]),
	};
}

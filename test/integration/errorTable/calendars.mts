import { byId, type Service } from '../service.mts';
import { unknownId } from './agents.mts';
import type { Provoker } from './provoke.mts';
import type { Section } from './table.mts';

export async function calendars(provoker: Provoker): Promise<Section> {
	const { calendar, user } = provoker.seed;
	const on = (resource: string, operation: string, more: object = {}) => ({
		resource,
		operation,
		calendar: byId(calendar),
		...more,
	});
	const list = async (service: Service, path: string) =>
		(await service.api('GET', path)).body.data as Array<{ id: string; role: string; user_id: string }>;
	const owner = async (service: Service) =>
		byId((await list(service, `calendars/${calendar}/members`)).find(({ role }) => role === 'owner')?.id ?? '');
	const noProvider = async (service: Service) => {
		const { body } = await service.api('POST', 'calendars', { name: 'Visits', owner_id: user });
		const { id } = body.data as { id: string };
		const event = await service.api('POST', `calendars/${id}/events`, {
			title: 'Visit',
			start_at: '2027-03-01T09:00:00Z',
			end_at: '2027-03-01T10:00:00Z',
		});
		return on('calendarEvent', 'createMeeting', {
			calendar: byId(id),
			calendarEvent: byId((event.body.data as { id: string }).id),
		});
	};
	const taken = async (service: Service) => {
		const [start, end] = ['2027-03-01T09:00:00Z', '2027-03-01T10:00:00Z'];
		await service.api('POST', `calendars/${calendar}/events`, { title: 'Visit', start_at: start, end_at: end });
		return on('calendarEvent', 'create', { title: 'Another', start, end, options: { checkSlot: true } });
	};
	return {
		title: 'Calendars and availability',
		note: '',
		rows: await provoker.rows([
			[
				'The calendar does not exist',
				on('availability', 'getSlots', { calendar: unknownId, from: '2027-03-01T09:00', to: '2027-03-02T09:00' }),
			],
			['The event does not exist, or is in another calendar', on('calendarEvent', 'get', { calendarEvent: unknownId })],
			['Another event takes the time, and Check Slot is on', taken],
			['No provider that can make meetings is connected', noProvider],
			['The user is a member already', on('calendarMember', 'add', { userId: user, role: 'viewer' })],
			[
				'The member to remove is the owner',
				async (service) => on('calendarMember', 'remove', { calendarMember: await owner(service) }),
			],
			[
				'The calendar would be without an owner',
				async (service) => on('calendarMember', 'update', { calendarMember: await owner(service), role: 'viewer' }),
			],
		]),
	};
}

/** @param poor a provoker whose plan has no SIP trunks */
export async function sipTrunks(provoker: Provoker, poor: Provoker): Promise<Section> {
	const { sipTrunk, agents } = provoker.seed;
	const on = (operation: string, more: object = {}) => ({
		resource: 'sipTrunk',
		operation,
		sipTrunk: byId(sipTrunk),
		...more,
	});
	const dids = async (service: Service) =>
		(await service.api('GET', `sip-trunks/${sipTrunk}/dids`)).body.data as Array<{ id: string; number: string }>;
	const used = async (service: Service) => {
		const id = (await dids(service))[0]?.id ?? '';
		await service.api('PUT', `agents/${agents.published}/calling`, { direction: 'outbound', phone_number_ids: [id] });
		await service.api('POST', `agents/${agents.published}/publish`);
		return id;
	};
	const inCall = async (service: Service) => {
		await used(service);
		await service.api('POST', `agents/${agents.published}/call`, { to: '+12025550111' });
		return on('delete');
	};
	const unverified = async (service: Service) => {
		const { body } = await service.api('POST', 'sip-trunks', {
			name: 'New',
			provider_name: 'example',
			domain: 'sip.example.com',
			username: 'ada',
			password: 'the password of the table',
		});
		return on('update', { sipTrunk: byId((body.data as { id: string }).id), updateFields: { active: true } });
	};
	return {
		title: 'SIP trunks and their numbers',
		note: '',
		rows: [
			await poor.node('The plan has no SIP trunks of your own', { resource: 'sipTrunk', operation: 'getAll' }),
			...(await provoker.rows([
				['The SIP trunk does not exist', on('verify', { sipTrunk: unknownId })],
				['The SIP trunk was to be active, and is not verified', unverified],
				['The SIP trunk to delete still has numbers', on('delete')],
				['The SIP trunk to delete has calls in progress', inCall],
				[
					'The number is already on the SIP trunk',
					async (service) => on('addNumber', { phoneNumber: (await dids(service))[0]?.number, countryCode: 'US' }),
				],
				[
					'The number to remove is used by an active agent',
					async (service) => on('removeNumber', { trunkNumber: byId(await used(service)) }),
				],
			])),
		],
	};
}

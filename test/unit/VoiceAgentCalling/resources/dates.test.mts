import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { requestsFor } from './requests.mts';

const id = '3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c';

/** Returns what an update sends for a field, in a workflow in Europe/Berlin; undefined if the value is rejected. */
async function sent(resource: string, parameter: string, key: string, value: unknown): Promise<unknown> {
	const update = resources.find(({ value }) => value === resource)?.operations.find(({ value }) => value === 'update');
	if (!update) {
		throw new Error(`${resource} has no update`);
	}
	const [request] = await requestsFor(update, {
		calendar: id,
		calendarEvent: id,
		campaign: id,
		updateFields: { [parameter]: value },
	});
	return request?.body?.[key];
}
const moment = (value: unknown) => sent('calendarEvent', 'start', 'start_at', value);
const day = (value: unknown) => sent('campaign', 'startDate', 'start_date', value);

test.each([
	['2031-03-31T09:30:00', '2031-03-31T09:30:00+02:00', '2031-03-31'],
	['2031-03-31 09:30:00', '2031-03-31T09:30:00+02:00', '2031-03-31'],
	[' 2031-03-31', '2031-03-31T00:00:00+02:00', '2031-03-31'],
	['2031-03-31T23:30:00Z', '2031-03-31T23:30:00Z', '2031-04-01'],
	[new Date('2031-03-31T23:30:00Z'), '2031-04-01T01:30:00+02:00', '2031-04-01'],
])('%s is read as a time and as a day', async (value, asMoment, asDay) => {
	expect([await moment(value), await day(value)]).toEqual([asMoment, asDay]);
});

test.each([
	46_112,
	'46112',
	1_743_412_200_000,
	'2031',
	'12',
	'03/04/2031',
	'31.03.2031',
	'2031-13-01',
	'2031-02-29',
	'2031-04-31T09:00:00',
	'tomorrow',
	true,
])('%p is ambiguous or invalid, so nothing is sent', async (value) => {
	expect([await moment(value), await day(value)]).toEqual([undefined, undefined]);
});

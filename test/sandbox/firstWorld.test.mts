import { asList, asText } from './client.mts';
import { act, timelineOf } from './control/calls.mts';
import { useService } from './use.mts';

describe('the world at the start', () => {
	const service = useService({ startTime: Date.parse('2030-01-07T09:00:00Z') });

	it('has an agent whose action books in the first calendar, also after a reset', async () => {
		for (const start of ['2030-01-08T11:00:00Z', '2030-01-08T15:00:00Z']) {
			const [agent] = asList((await service.api('GET', '/agents?search=Odette')).data.data);
			const placed = await service.api('POST', `/agents/${asText(agent!.id)}/call`, { to: '+12025550003' });
			const id = asText(placed.data.data.id);
			await service.advance(2);
			await act(service, id, 'answer');
			const given = { title: 'Consultation', start_at: start, end_at: start.replace(':00:00', ':30:00') };
			const { use } = await service.control(`calls/${id}/action`, { action: 'book_appointment', arguments: given });
			expect(use).toMatchObject({ status: 'succeeded', response: { status: 201 } });
			expect(asList((await timelineOf(service, id)).actions)).toHaveLength(1);
			const { data } = await service.api('GET', `/calendars/${service.seed.calendar}/events`);
			expect(asList(data.data)).toContainEqual(expect.objectContaining(given));
			await service.control('reset', {});
		}
	});
});

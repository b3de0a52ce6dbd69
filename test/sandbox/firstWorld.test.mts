import { asList, asText, type Json } from './client.mts';
import { act, timelineOf } from './control/calls.mts';
import { useService } from './use.mts';

describe('the world at the start', () => {
	const service = useService({ startTime: Date.parse('2030-01-07T09:00:00Z') });

	/** An agent as the service shows it. */
	async function agentNamed(name: string): Promise<Json> {
		return asList((await service.api('GET', `/agents?search=${name}`)).data.data)[0]!;
	}

	it('has a campaign that calls with variables, and one in each status', async () => {
		const { id } = await agentNamed('Odette');
		const of = async (query: string) => asList((await service.api('GET', `/campaigns?${query}`)).data.data);
		expect(await of(`agent_id=${asText(id)}`)).toMatchObject([{ name: 'Appointments, by name', status: 'active' }]);
		for (const status of ['draft', 'active', 'paused', 'completed', 'cancelled']) {
			expect([status, (await of(`status=${status}`)).length > 0]).toEqual([status, true]);
		}
	});

	it('has an agent whose action books in the first calendar, also after a reset', async () => {
		for (const start of ['2030-01-08T11:00:00Z', '2030-01-08T15:00:00Z']) {
			const { id: agent } = await agentNamed('Odette');
			const placed = await service.api('POST', `/agents/${asText(agent)}/call`, { to: '+12025550003' });
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

import { asList, asText } from '../../client.mts';
import { useService } from '../../use.mts';

describe('callback agents', () => {
	const service = useService();
	let inbound: string;
	beforeEach(async () => {
		inbound = asText(asList((await service.api('GET', '/agents?search=Iris')).data.data)[0]!.id);
	});

	const put = (source_agent_ids: unknown, method = 'PUT') =>
		service.api(method, `/agents/${inbound}/callback`, { source_agent_ids });
	const listed = async (path = '') => asList((await service.api('GET', `/callback-agents${path}`)).data.data);

	it('are inbound agents with the sources that were set last, which lose a deleted one', async () => {
		const query = 'status=published&direction=outbound&per_page=100';
		const outbound = asList((await service.api('GET', `/agents?${query}`)).data.data);
		const [first, second] = await listed('/source-agents');
		expect((await listed('/source-agents')).map(({ id }) => id)).toEqual(outbound.map(({ id }) => id));
		expect(await listed()).toEqual([]);
		expect((await put([first!.id])).status).toBe(404);
		const made = await put([first!.id], 'POST');
		expect([made.status, made.data.data.callback_config]).toEqual([200, { source_agent_ids: [first!.id] }]);
		await put([second!.id, second!.id]);
		expect(await listed()).toMatchObject([{ id: inbound, callback_config: { source_agent_ids: [second!.id] } }]);
		await put([first!.id, second!.id]);
		await service.api('POST', `/agents/${asText(second!.id)}/unpublish`);
		await service.api('DELETE', `/agents/${asText(second!.id)}`);
		expect((await listed())[0]).toMatchObject({ callback_config: { source_agent_ids: [first!.id] } });
	});
});

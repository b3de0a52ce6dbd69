import { asText } from '../../client.mts';
import { useService } from '../../use.mts';

const to = '+12025550001';

describe('a call through an agent', () => {
	const service = useService({ credits: 2 });
	/** Places a call by one of the two routes. */
	const call = (body: object, agent_id: unknown = service.seed.agents.published) =>
		service.api('POST', '/calls', { agent_id, ...body });
	const byPath = (body: object, agent = service.seed.agents.published) =>
		service.api('POST', `/agents/${agent}/call`, body);

	it.each<[body: object, status: number, code: string, agent?: string]>([
		[{}, 400, 'MISSING_PHONE_NUMBER'],
		[{ to: '' }, 400, 'MISSING_PHONE_NUMBER'],
		[{ to: '2025550001' }, 400, 'INVALID_PHONE_NUMBER'],
		[{ to: '+1 202 555 0001' }, 400, 'INVALID_PHONE_NUMBER'],
		[{ to: '+0202555000' }, 400, 'INVALID_PHONE_NUMBER'],
		[{ to: 12025550001 }, 400, 'INVALID_PHONE_NUMBER'],
		[{ to, delay_seconds: 3601 }, 422, 'VALIDATION_ERROR'],
		[{ to }, 404, 'AGENT_NOT_FOUND', 'nobody'],
		[{ to }, 400, 'AGENT_INACTIVE', 'draft'],
		[{ to }, 400, 'AGENT_INACTIVE', 'inbound'],
	])('is refused for %j with %i %s in the nested format: %s', async (body, status, code, agent = 'published') => {
		const inbound = await service.api('GET', '/agents?status=published&direction=inbound');
		const ids: Record<string, string> = { ...service.seed.agents, inbound: asText(inbound.data.data[0]!.id) };
		const id = ids[agent] ?? agent;
		for (const answer of [await byPath(body, id), await call(body, id)]) {
			expect([answer.status, answer.data.error.code]).toEqual([status, code]);
		}
		expect(await service.control('calls')).toHaveLength(30);
	});

	it('costs a credit unless it is a test, and answers 402 when none is left', async () => {
		const statuses = [];
		for (const is_testing of [true, true, true, false, false, false, true]) {
			statuses.push((await byPath({ to, is_testing })).status);
		}
		expect(statuses).toEqual([200, 200, 200, 200, 200, 402, 200]);
		expect((await call({ to })).data.error.code).toBe('INSUFFICIENT_CREDITS');
		expect((await byPath({ to: '12' })).data.error.details).toEqual({ field: 'to', value: '12' });
	});
});

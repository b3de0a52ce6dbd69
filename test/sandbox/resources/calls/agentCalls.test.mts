import { asText } from '../../client.mts';
import { useService } from '../../use.mts';

const to = '+12025550001';

describe('a call through an agent', () => {
	const service = useService({ credits: 2 });
	/** Places a call by one of the two routes. */
	const call = (body: object) => service.api('POST', '/calls', { agent_id: service.seed.agents.published, ...body });
	const byPath = (body: object, agent = service.seed.agents.published) =>
		service.api('POST', `/agents/${agent}/call`, body);

	it.each([
		['', 'MISSING_PHONE_NUMBER'],
		['2025550001', 'INVALID_PHONE_NUMBER'],
		['+1 202 555 0001', 'INVALID_PHONE_NUMBER'],
		['+0202555000', 'INVALID_PHONE_NUMBER'],
		[12025550001, 'INVALID_PHONE_NUMBER'],
	])('is refused to the number %j with the code %s', async (number, code) => {
		for (const answer of [await byPath({ to: number }), await call({ to: number })]) {
			expect([answer.status, answer.data.error.code]).toEqual([400, code]);
		}
		expect(await service.control('calls')).toHaveLength(30);
	});

	it('is refused through an agent that takes calls', async () => {
		const inbound = await service.api('GET', '/agents?status=published&direction=inbound');
		expect((await byPath({ to }, asText(inbound.data.data[0]!.id))).data.error.code).toBe('AGENT_INACTIVE');
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

import { asList, asText } from '../client.mts';
import { useService } from '../use.mts';
import { place, statusesOf, timelineOf, wordsOf } from './calls.mts';

const TO = '+12025550123';
const service = useService({ credits: 10 });
const fieldsOf = async (path: string, body: object) => {
	const { status, data } = await service.controlResponse('POST', path, body);
	return [status, Object.keys(data.errors ?? {})];
};

describe('scripted calls', () => {
	const script = (steps: object[], more: object = { to: TO }) => service.control('script', { ...more, steps });

	it('do what their script says, at the moments that it says', async () => {
		await script([
			{ after: 3, do: 'answer' },
			{ after: 2, do: 'say', text: 'On Tuesday.' },
			{ after: 1, do: 'press', keys: '1#' },
			{ do: 'say', text: 'Thank you.', by: 'agent' },
			{ after: 4, do: 'hangUp', by: 'agent' },
		]);
		const id = await place(service, TO);
		await service.advance(4);
		expect((await timelineOf(service, id)).course).toMatchObject({ kind: 'scripted', next: { do: 'say' } });
		await service.advance(100);
		const call = await timelineOf(service, id);
		expect(statusesOf(call).slice(1).join(' ')).toBe('ringing,1 answered,4 completed,11');
		const words = ['user: On Tuesday.', 'user: [pressed 1#]', 'agent: Thank you.'];
		expect(wordsOf(call)).toEqual(['agent: Hello, this is Amelia.', ...words]);
		expect(call).toMatchObject({ duration: 7, ended_by: 'agent', report: { outcome: 'completed' } });
	});

	it('are the next ones to their number, as often as the script says, and no others', async () => {
		await script([{ do: 'decline' }], { to: TO, times: 2 });
		const statuses = [];
		for (const to of ['+12025550124', TO, TO, TO]) {
			const id = await place(service, to);
			await service.advance(100);
			statuses.push((await timelineOf(service, id)).status);
		}
		expect(statuses).toEqual(['completed', 'busy', 'busy', 'completed']);
		expect(await service.control('script')).toEqual([]);
	});

	it.each([
		[[], 'steps'],
		[[{ do: 'dance' }], 'steps.0.do'],
		[[{ do: 'say', text: 'Hi' }], 'steps.0.do'],
		[[{ do: 'busy' }, { do: 'answer' }], 'steps.1.do'],
		[[{ do: 'busy' }, { do: 'say', text: 'Hi' }], 'steps.1.do'],
		[[{ do: 'answer' }, { do: 'voicemail' }], 'steps.1.do'],
		[[{ do: 'answer' }, { do: 'busy' }], 'steps.1.do'],
		[[{ do: 'answer' }, { do: 'say' }], 'steps.1.text'],
		[[{ do: 'answer' }, { do: 'press', keys: '' }], 'steps.1.keys'],
		[[{ do: 'answer', after: -1 }], 'steps.0.after'],
		[[{ do: 'answer' }, { do: 'useAction' }], 'steps.1.action'],
		[[{ do: 'answer', text: 'Hi' }], 'steps.0.text'],
	])('refuse the steps %j with the field %s', async (steps, field) => {
		expect(await fieldsOf('script', { to: TO, steps })).toEqual([422, [field]]);
	});
});

describe('calls that come in', () => {
	let number: string;
	let agent: string;
	const inboundAgents = async () =>
		asList(await service.control('agents')).filter(({ direction }) => asText(direction) === 'inbound');
	beforeEach(async () => {
		const published = (await inboundAgents()).find(
			({ current_status, phone_numbers }) =>
				asText(current_status) === 'published' && asText(asList(phone_numbers)[0]!.current_status) === 'active',
		)!;
		agent = asText(published.id);
		number = asText(asList(published.phone_numbers)[0]!.number);
	});

	const inbound = (body: object) => ({ from: '+12025550199', to: number, ...body });
	const ring = (body: object = {}) => service.controlResponse('POST', 'inbound', inbound(body));
	const rung = async (body: object = {}) => asText((await ring(body)).data.call.id);

	it('are taken by the agent, and cost no credit', async () => {
		const id = await rung({ context: { order: 7 } });
		await service.advance(100);
		const call = await timelineOf(service, id);
		expect(call).toMatchObject({
			direction: 'inbound',
			from: '+12025550199',
			to: number,
			status: 'completed',
			duration: 30,
			context: { order: 7 },
			answered_by: 'person',
		});
		expect([asList(call.events)[0]!.event, wordsOf(call)[1]]).toEqual([
			'event_phone_call_started',
			'user: Hello, I have a question.',
		]);
		const { data: list } = await service.api('GET', '/calls?direction=inbound');
		expect(asList(list.data).map((listed) => listed.id)).toEqual([id]);
		expect((await service.control('status')).credits).toBe(10);
	});

	it('are not answered if they are told so, and follow given steps or a script of the calling number', async () => {
		const steps = [{ do: 'answer' }, { do: 'say', text: 'Wrong number.' }, { do: 'hangUp' }];
		await service.control('script', { from: '+12025550197', steps: [{ do: 'fail' }] });
		const ids = [await rung({ answer: false }), await rung({ steps }), await rung({ from: '+12025550197' })];
		await service.advance(100);
		const calls = await Promise.all(ids.map((id) => timelineOf(service, id)));
		expect(calls.map(({ status }) => status)).toEqual(['no-answer', 'completed', 'failed']);
		expect(wordsOf(calls[1]!)).toContain('user: Wrong number.');
	});

	it('are taken in manual mode too, last until somebody hangs up, and are found by the number that calls', async () => {
		await service.control('mode', { calls: 'manual' });
		const id = await rung();
		await service.advance(500);
		const { can, status } = await timelineOf(service, id);
		expect([status, asList(can).includes('voicemail' as never)]).toEqual(['answered', false]);
		const { data } = await service.api('GET', `/agents/${agent}/active-call/+12025550199`);
		expect(asList(data.data).map((call) => call.id)).toEqual([id]);
		await service.api('POST', `/agents/${agent}/end-call`, { call_sid: id });
		expect(await timelineOf(service, id)).toMatchObject({ status: 'completed', duration: 498, ended_by: 'api' });
	});

	it('are refused for an unknown number, one that is not active, and an agent that takes no calls', async () => {
		expect((await ring({ to: '+12025550999' })).status).toBe(404);
		expect((await ring({ to: '+4930901820' })).data).toMatchObject({ code: 'NUMBER_INACTIVE' });
		const agents = await inboundAgents();
		const before = asList(await service.control('calls')).length;
		for (const { id } of agents) {
			await service.api('POST', `/agents/${asText(id)}/unpublish`);
		}
		expect((await ring()).data).toMatchObject({ code: 'AGENT_INACTIVE' });
		for (const { id } of agents) {
			await service.api('PUT', `/agents/${asText(id)}/calling`, { direction: 'outbound' });
		}
		expect((await ring()).data).toMatchObject({ code: 'NO_INBOUND_AGENT' });
		expect(asList(await service.control('calls'))).toHaveLength(before);
	});
});

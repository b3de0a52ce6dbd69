import { asList, asText, type SandboxClient, startClient } from '../client.mts';
import { activeCampaign, queue } from '../objects.mts';
import { act, place, statusesOf, timelineOf, wordsOf } from './calls.mts';

const TO = '+12025550123';

describe('scripted calls', () => {
	let service: SandboxClient;
	beforeEach(async () => {
		service = await startClient({ speed: 0 });
	});
	afterEach(() => service.close());

	const script = (steps: object[], more: object = { to: TO }) =>
		service.controlResponse('POST', 'script', { ...more, steps });

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
		expect(statusesOf(call)).toEqual([
			['initiated', 0],
			['ringing', 1],
			['answered', 4],
			['completed', 11],
		]);
		expect(wordsOf(call)).toEqual([
			'agent: Hello, this is Amelia.',
			'user: On Tuesday.',
			'user: [pressed 1#]',
			'agent: Thank you.',
		]);
		expect(call).toMatchObject({ duration: 7, ended_by: 'agent' });
		expect(call.report).toEqual({ summary: 'The person was reached. The agent hung up.', outcome: 'completed' });
	});

	it('are the next ones to their number, as often as the script says, and no others', async () => {
		await script([{ do: 'decline' }], { to: TO, times: 2 });
		const ids = [];
		for (const to of ['+12025550124', TO, TO, TO]) {
			ids.push(await place(service, to));
			await service.advance(100);
		}
		const statuses = await Promise.all(ids.map(async (id) => (await timelineOf(service, id)).status));
		expect(statuses).toEqual(['completed', 'busy', 'busy', 'completed']);
		expect(await service.control('script')).toEqual([]);
	});

	it('use the oldest script first, also that of the calling number, and for attempts of campaigns', async () => {
		await script([{ do: 'busy' }]);
		await script([{ do: 'fail' }], { from: '+12025550123' });
		const campaign = await activeCampaign(service, { max_retries: 2, retry_cooldown_hours: 1 });
		const { id } = await queue(service, campaign, TO);
		await service.advance(10_000);
		const { attempts } = await timelineOf(service, asText(id));
		expect(asList(attempts).map(({ status }) => status)).toEqual(['busy', 'failed', 'completed']);
	});

	it('that their script leaves open stay as they are until somebody acts or the time is over', async () => {
		await script([{ after: 1, do: 'answer' }]);
		await script([{ after: 1, do: 'answer' }]);
		const [id, other] = [await place(service, TO), await place(service, TO)];
		await service.advance(3000);
		expect((await timelineOf(service, id)).status).toBe('answered');
		await act(service, id, 'hangUp');
		expect((await timelineOf(service, id)).duration).toBe(2998);
		await service.advance(1000);
		expect(await timelineOf(service, other)).toMatchObject({ status: 'completed', duration: 3600 });
	});

	it('can be listed and deleted, one or all', async () => {
		const ids = [];
		for (const to of ['+12025550124', TO, '+12025550125']) {
			ids.push(asText((await script([{ do: 'busy' }], { to })).data.script.id));
		}
		expect(asList(await service.control('script')).map(({ to, times }) => [to, times])).toEqual([
			['+12025550124', 1],
			[TO, 1],
			['+12025550125', 1],
		]);
		expect((await service.controlResponse('DELETE', `script/${ids[1]}`)).status).toBe(200);
		expect((await service.controlResponse('DELETE', `script/${ids[1]}`)).status).toBe(404);
		expect(asList(await service.control('script')).map(({ id }) => id)).toEqual([ids[0], ids[2]]);
		expect((await service.controlResponse('DELETE', 'script')).status).toBe(200);
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
		const { status, data } = await script(steps);
		expect([status, Object.keys(data.errors ?? {})]).toEqual([422, [field]]);
	});

	it('need a number in international form', async () => {
		for (const [more, field] of [
			[{}, 'to'],
			[{ to: '0301234' }, 'to'],
			[{ from: 'me' }, 'from'],
		] as const) {
			const { status, data } = await script([{ do: 'busy' }], more);
			expect([status, Object.keys(data.errors ?? {})]).toEqual([422, [field]]);
		}
	});
});

describe('calls that come in', () => {
	let service: SandboxClient;
	let number: string;
	let agent: string;
	beforeEach(async () => {
		service = await startClient({ speed: 0, credits: 1 });
		const inbound = asList(await service.control('agents')).find(
			({ direction, current_status, phone_numbers }) =>
				asText(direction) === 'inbound' &&
				asText(current_status) === 'published' &&
				asText(asList(phone_numbers)[0]!.current_status) === 'active',
		)!;
		agent = asText(inbound.id);
		number = asText(asList(inbound.phone_numbers)[0]!.number);
	});
	afterEach(() => service.close());

	const ring = (body: object) =>
		service.controlResponse('POST', 'inbound', { from: '+12025550199', to: number, ...body });

	it('are taken by the agent, and cost no credit', async () => {
		const { data } = await ring({ context: { order: 7 } });
		const id = asText(data.call.id);
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
		expect(asList(call.events)[0]!.event).toBe('event_phone_call_started');
		expect(wordsOf(call)[1]).toBe('user: Hello, I have a question.');
		const { data: list } = await service.api('GET', '/calls?direction=inbound');
		expect(asList(list.data).map((listed) => listed.id)).toEqual([id]);
		expect((await service.control('status')).credits).toBe(1);
	});

	it('are not answered if they are told so, and follow given steps or a script of the calling number', async () => {
		const ids = [asText((await ring({ answer: false })).data.call.id)];
		const steps = [{ do: 'answer' }, { do: 'say', text: 'Wrong number.' }, { do: 'hangUp' }];
		ids.push(asText((await ring({ steps })).data.call.id));
		await service.control('script', { from: '+12025550197', steps: [{ do: 'fail' }] });
		ids.push(asText((await ring({ from: '+12025550197' })).data.call.id));
		await service.advance(100);
		const calls = await Promise.all(ids.map((id) => timelineOf(service, id)));
		expect(calls.map(({ status }) => status)).toEqual(['no-answer', 'completed', 'failed']);
		expect(wordsOf(calls[1]!)).toContain('user: Wrong number.');
	});

	it('are taken in manual mode too, and then last until somebody hangs up', async () => {
		await service.control('mode', { calls: 'manual' });
		const id = asText((await ring({})).data.call.id);
		await service.advance(1);
		expect(asList((await timelineOf(service, id)).can)).not.toContain('voicemail');
		await service.advance(500);
		expect((await timelineOf(service, id)).status).toBe('answered');
		await act(service, id, 'hangUp');
		expect(await timelineOf(service, id)).toMatchObject({ status: 'completed', duration: 499, ended_by: 'person' });
	});

	it('are found by the number that calls, and can be ended', async () => {
		const id = asText((await ring({})).data.call.id);
		await service.advance(3);
		const { data } = await service.api('GET', `/agents/${agent}/active-call/+12025550199`);
		expect(asList(data.data).map((call) => call.id)).toEqual([id]);
		expect((await service.api('POST', `/agents/${agent}/end-call`, { call_sid: id })).status).toBe(200);
		expect((await timelineOf(service, id)).ended_by).toBe('api');
	});

	it('are refused for an unknown number, one that is not active, and an agent that takes no calls', async () => {
		expect((await ring({ to: '+12025550999' })).status).toBe(404);
		expect((await ring({ to: '+4930901820' })).data).toMatchObject({ code: 'NUMBER_INACTIVE' });
		for (const { id, direction } of asList(await service.control('agents'))) {
			if (asText(direction) === 'inbound') {
				await service.api('POST', `/agents/${asText(id)}/unpublish`);
			}
		}
		const before = asList(await service.control('calls')).length;
		const { status, data } = await ring({});
		expect([status, data]).toMatchObject([409, { code: 'AGENT_INACTIVE' }]);
		for (const { id, direction } of asList(await service.control('agents'))) {
			if (asText(direction) === 'inbound') {
				await service.api('PUT', `/agents/${asText(id)}/calling`, { direction: 'outbound' });
			}
		}
		expect((await ring({})).data).toMatchObject({ code: 'NO_INBOUND_AGENT' });
		expect(asList(await service.control('calls'))).toHaveLength(before);
	});

	it.each([
		[{ to: '123' }, 'to'],
		[{ from: '' }, 'from'],
		[{ answer: 'yes' }, 'answer'],
		[{ answer: false, steps: [{ do: 'answer' }] }, 'steps'],
	])('refuse %j with the field %s', async (body, field) => {
		const { status, data } = await ring(body);
		expect([status, Object.keys(data.errors ?? {})]).toEqual([422, [field]]);
	});
});

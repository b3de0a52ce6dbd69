import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { inspect } from 'node:util';

import { readState } from '../../../sandbox/state/state.mts';
import { asList, asText, type Json } from '../client.mts';
import { listening } from '../listening.mts';
import { agentWebhookOn } from '../objects.mts';
import { useReceiver, useService } from '../use.mts';
import { act, place, timelineOf, wordsOf } from './calls.mts';

describe('the actions of an agent', () => {
	const service = useService({ actionLimitMs: 1000 });
	const receiver = useReceiver();
	let backend: Server;
	let url: string;
	let taken: Array<{ path: string; method: string; headers: IncomingHttpHeaders; raw: string }>;
	/** What the backend answers, by path; null: nothing at all. */
	let answers: Record<string, [status: number, body: string] | null>;
	let agent: string;

	beforeEach(async () => {
		taken = [];
		answers = {};
		backend = createServer((request, response) => {
			let raw = '';
			request.on('data', (chunk) => (raw += String(chunk)));
			request.on('end', () => {
				const { method = '', url: path = '', headers } = request;
				taken.push({ path, method, headers, raw });
				const answer = answers[path];
				if (answer !== null) {
					const [status, body] = answer ?? [200, '{"booked":true,"slot":"10:30"}'];
					const echo = String(request.headers.authorization ?? 'none');
					response.writeHead(status, { 'Content-Type': 'application/json', 'X-Echo': echo }).end(body);
				}
			});
		});
		url = await listening(backend);
		agent = service.seed.agents.published;
		await agentWebhookOn(service, agent, receiver.url, { events: ['event_action', 'event_action_failed'] });
	});
	afterEach(() => {
		backend.closeAllConnections();
		backend.close();
	});

	const define = async (settings: object): Promise<string> => {
		const action = { node_id: 'mine', name: 'mine', description: 'Does something', type: 'webhook', ...settings };
		const { status, data } = await service.api('POST', `/agents/${agent}/actions`, action);
		if (status !== 200) {
			throw new Error(JSON.stringify(data));
		}
		await service.api('POST', `/agents/${agent}/publish`);
		return asText(data.data.id);
	};
	/** A call in conversation. */
	const conversation = async (more: object = {}): Promise<string> => {
		await service.control('mode', { calls: 'manual' });
		const id = await place(service, '+12025550001', more);
		await service.advance(1);
		await act(service, id, 'answer');
		return id;
	};
	const use = (call: string, action: string, args?: unknown) =>
		service.controlResponse('POST', `calls/${call}/action`, { action, arguments: args });

	it('send their inputs with their headers, and say what they say before and after', async () => {
		const id = await define({
			url: `${url}/book?x=1`,
			inputs: [
				{ name: 'day', type: 'string', required: true, description: 'The day' },
				{ name: 'people', type: 'integer', required: false, description: 'How many' },
				{ name: 'branch', type: 'string', required: true, description: 'Fixed', value: 'north' },
			],
			custom_headers: [
				{ key: 'X-Call', value: '{{call.id}}' },
				{ key: 'X-Mixed', value: 'for {{name}} of {{context.order}}, {{arguments.day}}' },
			],
			speak_on_send: 'One moment, {{name}}.',
			speak_on_receive: 'Booked at {{slot}} ({{response.booked}}) on {{day}}.',
		});
		const call = await conversation({ payload: { name: 'Ada' }, context: { order: 7 } });
		const { status, data } = await use(call, 'mine', { day: '2030-01-15', people: 2 });
		const [input, result] = [
			{ day: '2030-01-15', people: 2, branch: 'north' },
			{ booked: true, slot: '10:30' },
		];
		const used = { action_id: id, name: 'mine', status: 'succeeded', result, error: null };
		expect([status, data.use]).toMatchObject([200, used]);
		const headers = { 'content-type': 'application/json', 'x-call': call, 'x-mixed': 'for Ada of 7, 2030-01-15' };
		expect(taken).toMatchObject([{ method: 'POST', path: '/book?x=1', headers }]);
		expect([JSON.parse(taken[0]!.raw), taken[0]!.headers.authorization]).toEqual([input, undefined]);
		await service.advance(0);
		const event = { event: 'event_action', call_id: call, action_name: 'mine', input, result };
		expect(receiver.received.map(({ body }) => body)).toMatchObject([event]);
		const timeline = await timelineOf(service, call);
		const said = ['agent: One moment, Ada.', 'agent: Booked at 10:30 (true) on 2030-01-15.'];
		expect(wordsOf(timeline).slice(1)).toEqual(said);
		const request = { method: 'POST', url: `${url}/book?x=1` };
		expect(timeline.actions).toMatchObject([{ status: 'succeeded', duration_ms: expect.any(Number), request }]);
		await act(service, call, 'hangUp');
		expect((await timelineOf(service, call)).report).toMatchObject({
			summary: 'The person was reached. The agent used mine. The person hung up.',
			actions: [{ name: 'mine', status: 'succeeded' }],
		});
	});

	it.each([
		['bearer', { authorization: 'Bearer s3cret' }],
		['basic', { authorization: 'Basic s3cret' }],
		['api_key', { 'x-api-key': 's3cret' }],
		['custom', { 'x-own': 'Key s3cret' }],
	])('fetch a token for the scheme %s, which nobody sees', async (authorization_scheme, headers) => {
		answers['/token'] = [200, '{"access_token":"s3cret"}'];
		answers['/do'] = [200, '{"echo":"Bearer s3cret"}'];
		const custom_headers = [{ key: 'X-Own', value: authorization_scheme === 'custom' ? 'Key {{token}}' : 'none' }];
		await define({ url: `${url}/do`, authorization_url: `${url}/token`, authorization_scheme, custom_headers });
		const call = await conversation();
		const { data } = await use(call, 'mine');
		expect(taken.map(({ path }) => path)).toEqual(['/token', '/do']);
		expect(taken[1]!.headers).toMatchObject(headers);
		expect(data.use.status).toEqual('succeeded');
		const all = [data, await timelineOf(service, call), readState(await service.snapshot())];
		expect(inspect(all, { depth: null })).not.toContain('s3cret');
	});

	it('fail without a token, with another status, without an answer, and if nobody is there', async () => {
		answers['/token'] = [403, '{}'];
		answers['/broken'] = [500, 'Oh no'];
		answers['/silent'] = null;
		const call = await conversation();
		const results: Json[] = [];
		for (const settings of [
			{ url: `${url}/do`, authorization_url: `${url}/token`, authorization_scheme: 'bearer' },
			{ url: `${url}/broken`, speak_on_receive: 'Done.' },
			{ url: `${url}/silent` },
			{ url: 'http://127.0.0.1:9/nobody' },
			{},
		]) {
			await define(settings);
			results.push((await use(call, 'mine')).data.use);
		}
		expect(results.map(({ status, error }) => [status, error])).toEqual([
			['failed', expect.stringContaining('the authorization URL answered with the status 403')],
			['failed', 'The action answered with the status 500.'],
			['failed', 'The action did not answer within 1 s.'],
			['failed', expect.stringMatching(/^The action could not be reached: E/)],
			['failed', 'The action has no URL.'],
		]);
		expect(results[1]!.response).toMatchObject({ status: 500, body: 'Oh no' });
		expect(Number(results[2]!.duration_ms)).toBeGreaterThanOrEqual(290);
		await service.advance(0);
		expect(receiver.events()).toEqual(Array(5).fill('event_action_failed'));
		expect(receiver.received[1]!.body).toMatchObject({ action_name: 'mine', error: results[1]!.error });
		expect(wordsOf(await timelineOf(service, call))).toHaveLength(1);
	});

	it.each([
		[undefined, 'arguments.day'],
		[{ day: null }, 'arguments.day'],
		[{ day: 15 }, 'arguments.day'],
		[{ day: 'x', people: 1.5 }, 'arguments.people'],
		[{ day: 'x', other: 1 }, 'arguments.other'],
		[{ day: 'x', branch: 'south' }, 'arguments.branch'],
		['text', 'arguments'],
	])('send nothing for the arguments %j', async (args, field) => {
		await define({
			url: `${url}/do`,
			inputs: [
				{ name: 'day', type: 'string', required: true },
				{ name: 'people', type: 'integer' },
				{ name: 'branch', type: 'string', required: true, value: 'north' },
			],
		});
		const call = await conversation();
		const { status, data } = await use(call, 'mine', args);
		expect([status, Object.keys(data.errors ?? {})]).toEqual([422, [field]]);
		expect([taken, asList((await timelineOf(service, call)).actions)]).toEqual([[], []]);
	});

	it('cannot be used if unknown, inactive, or at another moment', async () => {
		await define({ url: `${url}/do`, current_status: 'inactive' });
		await define({ node_id: 'later', name: 'later', type: 'external', execution_mode: 'post_call' });
		const call = await conversation();
		expect([(await use(call, 'nothing')).status, (await use('nobody', 'mine')).status]).toEqual([404, 404]);
		expect([(await use(call, 'mine')).status, (await use(call, 'later')).status]).toEqual([409, 409]);
		await act(service, call, 'hangUp');
		expect((await use(call, 'later')).data.use).toMatchObject({ status: 'succeeded', request: null });
		await define({ url: `${url}/do` });
		expect([(await use(call, 'mine')).status, taken]).toEqual([409, []]);
	});

	it('of the types transfer, hold and external are events without a request', async () => {
		await define({ node_id: 't', name: 't', type: 'transfer', transfer_to: '+12025550177' });
		await define({ node_id: 'h', name: 'h', type: 'hold', hold_duration: 20 });
		await define({ node_id: 'e', name: 'e', type: 'external', integration: { id: 'crm' } });
		const call = await conversation();
		for (const name of ['t', 'h', 'e']) {
			expect((await use(call, name)).data.use).toMatchObject({ status: 'succeeded', request: null });
		}
		await service.advance(0);
		expect(receiver.received.map(({ body }) => [body.event, body.action_name, body.result])).toEqual([
			['event_action', 't', { transferred_to: '+12025550177' }],
			['event_action', 'h', { held_seconds: 20 }],
			['event_action', 'e', { integration: 'crm' }],
		]);
		expect(taken).toEqual([]);
	});
});

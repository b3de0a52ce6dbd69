import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';

import { readState } from '../../../sandbox/state/state.mts';
import { asList, asText, type Json, type SandboxClient, startClient } from '../client.mts';
import { agentWebhookOn } from '../objects.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../webhookReceiver.mts';
import { act, place, timelineOf, wordsOf } from './calls.mts';

interface Taken {
	path: string;
	method: string;
	headers: IncomingHttpHeaders;
	raw: string;
}

describe('the actions of an agent', () => {
	let service: SandboxClient;
	let receiver: WebhookReceiver;
	let backend: Server;
	let url: string;
	let taken: Taken[];
	/** What the backend answers, by path; null: nothing at all. */
	let answers: Record<string, [status: number, body: string] | null>;
	let agent: string;

	beforeEach(async () => {
		service = await startClient({ speed: 0, actionLimitMs: 2000 });
		receiver = await startWebhookReceiver();
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
		await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
		url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`;
		agent = service.seed.agents.published;
		await agentWebhookOn(service, agent, receiver.url, { events: ['event_action', 'event_action_failed'] });
	});
	afterEach(async () => {
		backend.closeAllConnections();
		backend.close();
		receiver.close();
		await service.close();
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
		service.controlResponse('POST', `calls/${call}/action`, {
			action,
			...(args === undefined ? {} : { arguments: args }),
		});

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
		expect([status, data]).toMatchObject([
			200,
			{
				success: true,
				use: {
					action_id: id,
					name: 'mine',
					status: 'succeeded',
					response: { status: 200 },
					result: { booked: true, slot: '10:30' },
					error: null,
				},
			},
		]);
		expect(taken).toHaveLength(1);
		expect(taken[0]).toMatchObject({ method: 'POST', path: '/book?x=1' });
		expect(JSON.parse(taken[0]!.raw)).toEqual({ day: '2030-01-15', people: 2, branch: 'north' });
		expect(taken[0]!.headers).toMatchObject({
			'content-type': 'application/json',
			'x-call': call,
			'x-mixed': 'for Ada of 7, 2030-01-15',
		});
		expect(taken[0]!.headers.authorization).toBeUndefined();
		await service.advance(0);
		expect(receiver.received.map(({ body }) => body)).toMatchObject([
			{
				event: 'event_action',
				call_id: call,
				action_name: 'mine',
				input: { day: '2030-01-15', people: 2, branch: 'north' },
				result: { booked: true, slot: '10:30' },
			},
		]);
		const timeline = await timelineOf(service, call);
		expect(wordsOf(timeline).slice(1)).toEqual([
			'agent: One moment, Ada.',
			'agent: Booked at 10:30 (true) on 2030-01-15.',
		]);
		expect(asList(timeline.actions)).toMatchObject([
			{ status: 'succeeded', duration_ms: expect.any(Number), request: { method: 'POST', url: `${url}/book?x=1` } },
		]);
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
		expect(
			inspect([data, await timelineOf(service, call), readState(await service.snapshot())], { depth: null }),
		).not.toContain('s3cret');
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
			['failed', 'The action did not answer within 2 s.'],
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
		expect((await use(call, 'nothing')).status).toBe(404);
		expect((await use('nobody', 'mine')).status).toBe(404);
		expect((await use(call, 'mine')).data).toMatchObject({ message: 'The action mine is inactive.' });
		expect((await use(call, 'later')).status).toBe(409);
		await act(service, call, 'hangUp');
		expect((await use(call, 'later')).data.use).toMatchObject({ status: 'succeeded', request: null });
		await define({ url: `${url}/do` });
		const { status, data } = await use(call, 'mine');
		expect([status, data.message]).toEqual([
			409,
			'The action mine is for the time of the conversation: the call is completed.',
		]);
		expect(taken).toEqual([]);
	});

	it('of the types transfer, hold and external are events without a request', async () => {
		await define({ node_id: 't', name: 't', type: 'transfer', transfer_to: '+12025550177' });
		await define({ node_id: 'h', name: 'h', type: 'hold', hold_duration: 20 });
		await define({ node_id: 'e', name: 'e', type: 'external', integration: { id: 'crm' } });
		const call = await conversation();
		for (const name of ['t', 'h', 'e']) {
			expect((await use(call, name)).data.use).toMatchObject({ status: 'succeeded', request: null, response: null });
		}
		await service.advance(0);
		expect(receiver.received.map(({ body }) => [body.event, body.action_name, body.result])).toEqual([
			['event_action', 't', { transferred_to: '+12025550177' }],
			['event_action', 'h', { held_seconds: 20 }],
			['event_action', 'e', { integration: 'crm' }],
		]);
		expect(taken).toEqual([]);
	});

	it('are used by scripts, which go on after an action that failed or cannot be used', async () => {
		answers['/broken'] = [500, ''];
		await define({ url: `${url}/do`, inputs: [{ name: 'day', type: 'string', required: true }] });
		await define({ node_id: 'b', name: 'b', url: `${url}/broken` });
		await service.control('script', {
			to: '+12025550001',
			steps: [
				{ do: 'answer' },
				{ after: 1, do: 'useAction', action: 'mine', arguments: { day: 'Monday' } },
				{ do: 'useAction', action: 'mine' },
				{ do: 'useAction', action: 'b' },
				{ after: 5, do: 'hangUp' },
			],
		});
		const call = await place(service, '+12025550001');
		await service.advance(60);
		const timeline = await timelineOf(service, call);
		expect(timeline).toMatchObject({ status: 'completed', duration: 6 });
		expect(asList(timeline.actions).map(({ name, status, error }) => [name, status, error])).toEqual([
			['mine', 'succeeded', null],
			['mine', 'failed', 'The input day is required.'],
			['b', 'failed', 'The action answered with the status 500.'],
		]);
		expect(receiver.events()).toEqual(['event_action', 'event_action_failed']);
	});
});

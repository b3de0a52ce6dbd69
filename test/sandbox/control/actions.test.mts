import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { inspect } from 'node:util';

import { readState } from '../../../sandbox/state/state.mts';
import { listening } from '../listening.mts';
import { type Step, useStories, webhook } from '../story.mts';

describe('the actions of an agent', () => {
	const { service, receiver, play } = useStories({ actionLimitMs: 1000 });
	let backend: Server;
	let url: string;
	let taken: Array<{ path: string; method: string; headers: IncomingHttpHeaders; raw: string }>;
	/** The responses of the backend, by path; null: no response. */
	let responses: Record<string, [status: number, body: string] | null>;

	beforeEach(async () => {
		taken = [];
		responses = { '/token': [200, '{"access_token":"s3cret"}'] };
		backend = createServer(async (request, response) => {
			const raw = (await request.toArray()).join('');
			const { method = '', url: path = '', headers } = request;
			taken.push({ path, method, headers, raw });
			const sent = responses[path] === undefined ? [200, '{"booked":true,"slot":"10:30"}'] : responses[path];
			if (sent !== null) {
				response.writeHead(Number(sent[0]), { 'Content-Type': 'application/json' }).end(sent[1]);
			}
		});
		url = await listening(backend);
	});
	afterEach(() => {
		backend.closeAllConnections();
		backend.close();
	});

	const define = (settings: object): Step => [
		'POST /agents/{agent}/actions 200',
		{ node_id: 'mine', name: 'mine', description: 'Does something', type: 'webhook', ...settings },
	];
	/** Returns steps that start a conversation with an agent that has these actions. */
	const conversation = (actions: object[], more: object = {}): Step[] => [
		webhook('hook', 'agents/{agent}', { events: ['event_action', 'event_action_failed'] }),
		...actions.map(define),
		['POST /agents/{agent}/publish 200'],
		['POST /_sandbox/mode 200', { calls: 'manual' }],
		['POST /agents/{agent}/call 200 > call', { to: '+12025550001', ...more }],
		['wait 1'],
		act('answer'),
	];
	const act = (action: string): Step => ['POST /_sandbox/calls/{call}/act 200', { action }];
	const use = (action: string, expected?: object, args?: object, status = 200): Step => [
		`POST /_sandbox/calls/{call}/action ${status}`,
		{ action, arguments: args },
		expected && (status === 200 ? { use: expected } : expected),
	];
	const notUsed = (action: string, status: number): Step => use(action, undefined, undefined, status);
	const callIs = (expected: object): Step => ['GET /_sandbox/calls/{call} 200', expected];

	it('send their inputs with their headers, and say what they say before and after', async () => {
		const [input, result] = [
			{ day: '2030-01-15', people: 2, branch: 'north' },
			{ booked: true, slot: '10:30' },
		];
		const booking = {
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
		};
		const { call } = await play([
			...conversation([booking], { payload: { name: 'Ada' }, context: { order: 7 } }),
			use('mine', { name: 'mine', status: 'succeeded', result, error: null }, { day: '2030-01-15', people: 2 }),
			['wait 0'],
			callIs({
				transcript: [
					{ role: 'agent' },
					{ role: 'agent', content: 'One moment, Ada.' },
					{ role: 'agent', content: 'Booked at 10:30 (true) on 2030-01-15.' },
				],
				actions: [{ status: 'succeeded', request: { method: 'POST', url: `${url}/book?x=1` } }],
			}),
			act('hangUp'),
			callIs({
				report: {
					summary: 'The person was reached. The agent used mine. The person hung up.',
					actions: [{ name: 'mine', status: 'succeeded' }],
				},
			}),
		]);
		const headers = { 'content-type': 'application/json', 'x-call': call, 'x-mixed': 'for Ada of 7, 2030-01-15' };
		expect(taken).toMatchObject([{ method: 'POST', path: '/book?x=1', headers }]);
		expect([JSON.parse(taken[0]!.raw), taken[0]!.headers.authorization]).toEqual([input, undefined]);
		const event = { event: 'event_action', call_id: call, action_name: 'mine', input, result };
		expect(receiver.received.map(({ body }) => body)).toMatchObject([event]);
	});

	it.each([
		['bearer', { authorization: 'Bearer s3cret' }],
		['basic', { authorization: 'Basic s3cret' }],
		['api_key', { 'x-api-key': 's3cret' }],
		['custom', { 'x-own': 'Key s3cret' }],
	])('fetch a token for the scheme %s, which nobody sees', async (authorization_scheme, headers) => {
		responses['/do'] = [200, '{"echo":"Bearer s3cret"}'];
		const custom_headers = [{ key: 'X-Own', value: authorization_scheme === 'custom' ? 'Key {{token}}' : 'none' }];
		const action = { url: `${url}/do`, authorization_url: `${url}/token`, authorization_scheme, custom_headers };
		const { call } = await play([...conversation([action]), use('mine', { status: 'succeeded' })]);
		expect(taken).toMatchObject([{ path: '/token' }, { path: '/do', headers }]);
		const all = [await service.control(`calls/${String(call)}`), readState(await service.snapshot())];
		expect(inspect(all, { depth: null })).not.toContain('s3cret');
	});

	it('fail without a token, with another status, without a response, and if nobody is there', async () => {
		responses = { '/token': [403, '{}'], '/broken': [500, 'Oh no'], '/silent': null };
		const failures: Array<[settings: object, error: unknown]> = [
			[
				{ url: `${url}/do`, authorization_url: `${url}/token`, authorization_scheme: 'bearer' },
				expect.stringContaining('the authorization URL answered with the status 403'),
			],
			[{ url: `${url}/broken`, speak_on_receive: 'Done.' }, 'The action answered with the status 500.'],
			[{ url: `${url}/silent` }, 'The action did not answer within 1 s.'],
			[{ url: 'http://127.0.0.1:9/nobody' }, expect.stringMatching(/^The action could not be reached: E/)],
			[{}, 'The action has no URL.'],
		];
		await play([
			...conversation(failures.map(([settings], index) => ({ ...settings, node_id: `n${index}`, name: `n${index}` }))),
			...failures.map(([, error], index) => use(`n${index}`, { status: 'failed', error })),
			['wait 0'],
			callIs({ transcript: [{ role: 'agent' }] }),
			[
				`events ${'event_action_failed '.repeat(failures.length)}`,
				failures.map(([, error], index) => ({ action_name: `n${index}`, error })),
			],
		]);
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
		const inputs = [
			{ name: 'day', type: 'string', required: true },
			{ name: 'people', type: 'integer' },
			{ name: 'branch', type: 'string', required: true, value: 'north' },
		];
		await play([
			...conversation([{ url: `${url}/do`, inputs }]),
			['POST /_sandbox/calls/{call}/action 422', { action: 'mine', arguments: args }, field],
			callIs({ actions: [] }),
		]);
		expect(taken).toEqual([]);
	});

	it('cannot be used if unknown, inactive, or at another moment', async () => {
		const later = { node_id: 'later', name: 'later', type: 'external', execution_mode: 'post_call' };
		await play([
			...conversation([
				{ url: `${url}/do` },
				{ node_id: 'off', name: 'off', url: `${url}/do`, current_status: 'inactive' },
				later,
			]),
			['POST /_sandbox/calls/nobody/action 404', { action: 'mine' }],
			notUsed('nothing', 404),
			notUsed('off', 409),
			notUsed('later', 409),
			act('hangUp'),
			use('later', { status: 'succeeded', request: null }),
			notUsed('mine', 409),
		]);
		expect(taken).toEqual([]);
	});

	it('of the types transfer, hold and external are events without a request', async () => {
		const all: Array<[name: string, settings: object, result: object]> = [
			['t', { type: 'transfer', transfer_to: '+12025550177' }, { transferred_to: '+12025550177' }],
			['h', { type: 'hold', hold_duration: 20 }, { held_seconds: 20 }],
			['e', { type: 'external', integration: { id: 'crm' } }, { integration: 'crm' }],
		];
		await play([
			...conversation(all.map(([name, settings]) => ({ node_id: name, name, ...settings }))),
			...all.map(([name, , result]) => use(name, { status: 'succeeded', request: null, result })),
			['wait 0'],
			['events event_action event_action event_action'],
		]);
		expect(taken).toEqual([]);
	});
});

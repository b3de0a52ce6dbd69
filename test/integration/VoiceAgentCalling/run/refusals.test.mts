import { byId, goesOn, jsonOf, to, useService } from '../../service.mts';

const service = useService();

const flat = (message: string, more: object = {}) => ({ success: false, message, ...more });

/** The JSON of the items of a run in which the first request meets a refusal. */
async function refused(
	parameters: object,
	fault: { status: number; body?: unknown; match?: { method?: string; path?: string } },
	items: Array<Record<string, unknown>> = [{}],
) {
	await service.fault({ match: { method: 'POST' }, kind: 'status', ...fault });
	return jsonOf(await service.run(parameters as never, items, { node: goesOn }));
}

describe('Queue Call: a 400 without a code', () => {
	const queue = () => service.queue({}, { sending: { maxConcurrentRequests: 1 } });
	const items = to('+12025550111', '+12025550122', '+12025550133');

	test.each([
		'Campaign is paused.',
		'A campanha está pausada.',
		'Calls can be queued only in an active campaign.',
		{ message: 'No.', code: 'CAMPAIGN_NOT_ACTIVE' },
	])('%j means that the campaign is not active, so that no other call is tried', async (said) => {
		const body = typeof said === 'string' ? flat(said) : said;
		const [first, ...others] = await refused(queue(), { status: 400, body }, items);
		expect(first).toMatchObject({ result: 'failed', code: 'CAMPAIGN_NOT_ACTIVE', httpStatus: 400 });
		expect(others).toMatchObject([{ result: 'notTried' }, { result: 'notTried' }]);
		expect(await service.requests('POST')).toHaveLength(1);
	});

	test.each([
		flat('O número de telefone é inválido.'),
		flat('Invalid payload.'),
		flat('Contact is on the do-not-call list.'),
		flat('Outside allowed calling window'),
		flat('The contact has already completed the campaign.'),
		flat('The campaign list has no active entry for this phone.'),
		flat('Calls cannot be queued.'),
		flat(''),
		flat('Refused.', { errors: { to: ['is odd'] } }),
	])('%j is about one item: the others are called', async (body) => {
		const [first, ...others] = await refused(queue(), { status: 400, body }, items);
		expect(first).toMatchObject({ result: 'failed', code: 'BAD_REQUEST', httpStatus: 400 });
		expect(others).toMatchObject(items.slice(1));
	});
});

describe('a 403 without a code', () => {
	const body = flat('No permission.');
	const of = (resource: string, operation: string, more: object = {}) => ({
		resource,
		operation,
		...more,
		agent: byId(service.seed.agents.published),
		campaign: byId(service.seed.campaigns.active),
	});
	const said = { prompt: 'Speaks of the weather', interruptSensitivity: 'low', temperature: 1 };
	const knowledge = { ...said, askIfHumanPresent: true, firstMessageDelay: 1 };

	test.each([
		['knowledge', 'UNAUTHORIZED', 'PUT', () => of('agent', 'update', { updateFields: knowledge })],
		['actions', 'UNAUTHORIZED', 'GET', () => of('agentAction', 'getAll')],
		['calling settings', 'FORBIDDEN', 'PUT', () => of('agent', 'update', { updateFields: { direction: 'inbound' } })],
		['the status of a campaign', 'FORBIDDEN', 'PATCH', () => of('campaign', 'setStatus')],
		['a call of a campaign', 'FORBIDDEN', 'POST', () => of('campaign', 'queueCall', { phoneNumber: '+12025550111' })],
	] as const)('is for %s %s, as the service documents it', async (_what, code, method, parameters) => {
		const items = await refused(parameters(), { status: 403, body, match: { method } });
		expect(items).toMatchObject([{ code, httpStatus: 403 }]);
	});
});

test('the field and the value that the service rejects are in the message, and the advice names the field of the panel', async () => {
	const details = { field: 'to', value: '+12025550111' };
	const body = { error: { code: 'INVALID_PHONE_NUMBER', message: 'Not in international format.', details } };
	const [failure] = await refused(service.place({}, { phoneNumber: '+12025550111' }), { status: 400, body });
	expect(failure?.message).toContain('Not in international format (to: "+12025550111").');
	expect(failure?.advice).toContain("In the editor to is 'Phone Number'.");
});

test.each([
	['a change that is allowed', 'active', 400, 'BAD_REQUEST'],
	['a change that is allowed', 'active', 409, 'CONFLICT'],
	['a change that is not allowed', 'completed', 400, 'INVALID_TRANSITION'],
	['one of a campaign that cannot be read', 'unreadable', 400, 'BAD_REQUEST'],
] as const)('Set Status: for %s (%s), a %s is %s', async (_what, from, status, code) => {
	const { active, completed } = service.seed.campaigns;
	const [campaign, to] = from === 'active' ? [active, 'paused'] : [completed, 'active'];
	if (from === 'unreadable') {
		await service.answer('GET', 403);
	}
	const setStatus = { resource: 'campaign', operation: 'setStatus', campaign: byId(campaign), status: to };
	const body = flat('The campaign has no agent.');
	const refusal = await refused(setStatus, { status, body, match: { method: 'PATCH' } });
	expect(refusal).toMatchObject([{ result: 'failed', code, httpStatus: status }]);
});

describe('Queue Call: a 409 with the call of another number', () => {
	test.each(['returnExisting', 'skip'])('is an error of the item, and no call of it: %s', async (ifAlreadyQueued) => {
		const items = ['+12025550111', '+12025550122', '+12025550133'].map((to) => ({ to }));
		const parameters = service.queue({ ifAlreadyQueued }, { sending: { maxConcurrentRequests: 1 } });
		const body = flat('Duplicate.', { existing_call: { id: 'a', to: '+12025550199', status: 'queued' } });
		const [first, ...others] = await refused(parameters, { status: 409, body }, items);
		expect(first).toMatchObject({ result: 'failed', code: 'UNREADABLE_ANSWER', to: '+12025550111' });
		expect(others).toMatchObject([{ result: 'queued' }, { result: 'queued' }]);
	});

	test('of the same phone in another notation, the call is that of the item', async () => {
		const body = flat('Duplicate.', { existing_call: { id: 'a', to: '12025550111', status: 'queued' } });
		const again = flat('Duplicate.', { existing_call: { id: 'b', to: '+390549886377', status: 'queued' } });
		const items = ['+12025550111', '+3780549886377', '+12025550133'].map((to) => ({ to }));
		await service.fault({ match: { method: 'POST' }, kind: 'status', status: 409, body });
		const parameters = service.queue({}, { sending: { maxConcurrentRequests: 1 } });
		const results = await refused(parameters, { status: 409, body: again }, items);
		expect(results).toMatchObject([{ result: 'alreadyQueued' }, { result: 'alreadyQueued' }, { result: 'queued' }]);
	});
});

const CALL = { id: 'c1', to: '+12025550199', status: 'queued' };
const OWN = { ...CALL, to: '+12025550111' };
const ways = {
	Place: () => service.place(),
	'Queue Call': () => service.queue(),
	'Make API Request': () => ({
		resource: 'service',
		operation: 'makeApiRequest',
		method: 'POST',
		path: `agents/${service.seed.agents.published}/call`,
		options: { body: '={{ JSON.stringify({ to: $json.to }) }}' },
	}),
};
/** Calls +12025550111, which the service answers with a success. */
const withAnswer = async (body: object, way: keyof typeof ways = 'Make API Request') => {
	await service.answer('POST', 200, { success: true, ...body });
	return jsonOf(await service.run(ways[way]() as never, to('+12025550111'), { node: goesOn }))[0];
};

test.each([
	{ ...CALL, agent: { id: 'a' } },
	{ contact: { id: 'p' }, call: CALL },
	{ agent: { id: 'a' }, data: CALL },
])('Make API Request: the call to another number is found in %j', async (body) => {
	const item = await withAnswer(body);
	expect(item).toMatchObject({ result: 'unknown', message: expect.stringContaining('+12025550199 (ID c1)') });
});

test.each([
	{ ...OWN, transfer: { id: 't', to: '+12025550199' } },
	{ previous_call: CALL, call: OWN },
	{ ...OWN, to: 'sip:ada@example.com' },
])('Make API Request: a call to the number is placed in %j', async (body) => {
	expect(await withAnswer(body)).toMatchObject({ result: 'placed' });
});

test.each(Object.keys(ways) as Array<keyof typeof ways>)(
	'%s: a success with a call to another number is of unknown outcome, and is not sent again',
	async (way) => {
		const item = await withAnswer({ data: CALL, campaign_call: CALL }, way);
		expect(item).toMatchObject({ result: 'unknown', code: 'OUTCOME_UNKNOWN', to: '+12025550111' });
		expect(await service.requests('POST')).toHaveLength(1);
	},
);

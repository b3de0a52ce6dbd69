import { byId, type Service, startService } from '../../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const goesOn = { onError: 'continueRegularOutput' } as const;
const flat = (message: string, more: object = {}) => ({ success: false, message, ...more });

/** The JSON of the items of a run in which the first request meets a refusal. */
async function refused(
	parameters: object,
	fault: { status: number; body?: unknown; match?: { method?: string; path?: string } },
	items: Array<Record<string, unknown>> = [{}],
) {
	await service.fault({ match: { method: 'POST' }, kind: 'status', ...fault });
	const { outputs } = await service.run(parameters as never, items, { node: goesOn });
	return outputs[0]?.map(({ json }) => json) ?? [];
}

describe('Queue Call: a 400 without a code', () => {
	const queue = () => ({
		resource: 'campaign',
		operation: 'queueCall',
		campaign: byId(service.seed.campaigns.active),
		phoneNumber: '={{ $json.to }}',
		sending: { maxConcurrentRequests: 1 },
	});
	const items = ['+12025550111', '+12025550122', '+12025550133'].map((to) => ({ to }));

	test.each([
		'Campaign is paused.',
		'The campaign is not active.',
		'A campanha está pausada.',
		'Calls can be queued only in an active campaign.',
		'The campaign has been cancelled.',
		{ message: 'No.', code: 'CAMPAIGN_NOT_ACTIVE' },
	])('%j means that the campaign is not active, so that no other call is tried', async (said) => {
		const body = typeof said === 'string' ? flat(said) : said;
		const [first, ...others] = await refused(queue(), { status: 400, body }, items);
		expect(first).toMatchObject({ result: 'failed', code: 'CAMPAIGN_NOT_ACTIVE', httpStatus: 400 });
		expect(others).toMatchObject([{ result: 'notTried' }, { result: 'notTried' }]);
		expect(await service.requests('POST')).toHaveLength(1);
	});

	test.each([
		flat('The phone number is not valid.'),
		flat('O número de telefone é inválido.'),
		flat('The to field must be in E.164 format.'),
		flat('Invalid payload.'),
		flat('Contact is on the do-not-call list.'),
		flat('Contact opted out'),
		flat('Blocked by compliance'),
		flat('Outside allowed calling window'),
		flat('The number is on the do-not-call list of the campaign'),
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
	const agent = () => byId(service.seed.agents.published);
	const of = (resource: string, operation: string, more: object = {}) => ({
		resource,
		operation,
		agent: agent(),
		campaign: byId(service.seed.campaigns.active),
		...more,
	});

	test.each([
		['knowledge', 'UNAUTHORIZED', 'PUT', () => of('agent', 'update', { updateFields: knowledge })],
		['actions', 'UNAUTHORIZED', 'GET', () => of('agentAction', 'getAll')],
		['calling settings', 'FORBIDDEN', 'PUT', () => of('agent', 'update', { updateFields: { direction: 'inbound' } })],
		['the status of a campaign', 'FORBIDDEN', 'PATCH', () => of('campaign', 'setStatus')],
		['a call of a campaign', 'FORBIDDEN', 'POST', () => of('campaign', 'queueCall', { phoneNumber: '+12025550111' })],
	] as const)('is for %s %s, as the service documents it', async (_what, code, method, parameters) => {
		expect(await refused(parameters(), { status: 403, body, match: { method } })).toMatchObject([
			{ code, httpStatus: 403 },
		]);
	});
	const knowledge = {
		prompt: 'Speaks of the weather',
		askIfHumanPresent: true,
		firstMessageDelay: 1,
		interruptSensitivity: 'low',
		temperature: 1,
	};
});

test('the field and the value that the service rejects are in the message', async () => {
	const details = { field: 'to', value: '+12025550111' };
	const body = { error: { code: 'INVALID_PHONE_NUMBER', message: 'Not in international format.', details } };
	const place = {
		resource: 'call',
		operation: 'place',
		agent: byId(service.seed.agents.published),
		phoneNumber: '+12025550111',
	};
	const [failure] = await refused(place, { status: 400, body });
	expect(failure?.message).toContain('Not in international format (to: "+12025550111").');
	expect(failure?.message).toContain("In the editor to is 'Phone Number'.");
});

describe('Agent Flow: Validate', () => {
	const validate = () => ({
		resource: 'agentFlow',
		operation: 'validate',
		flowSource: 'jsonForAgent',
		options: { ignoreRules: ['action-never-used'] },
		agent: byId(service.seed.agents.published),
		flow: { initial_node_id: 'a', nodes: [{ id: 'a', type: 'end' }] },
	});
	const match = { method: 'POST' };

	test.each([400, 422, 200])('takes a list of errors with HTTP status %s for a result', async (status) => {
		const body = { success: false, errors: ["Node 'a' is odd."] };
		expect(await refused(validate(), { status, body, match })).toMatchObject([
			{ valid: false, service: { valid: false, errors: ["Node 'a' is odd."] }, rules: [] },
		]);
	});

	test.each([400, 422])('takes errors of fields with HTTP status %s for a result', async (status) => {
		const body = flat('Invalid.', { errors: { 'flow_config.nodes': ['is odd', 'is short'] } });
		const errors = ['flow_config.nodes: is odd', 'flow_config.nodes: is short'];
		expect(await refused(validate(), { status, body, match })).toMatchObject([
			{ valid: false, service: { valid: false, errors } },
		]);
	});

	test.each([400, 422])('takes any other response with HTTP status %s for no answer', async (status) => {
		const body = flat('No JSON.');
		expect(await refused(validate(), { status, body, match })).toMatchObject([
			{ valid: true, service: null, notChecked: [expect.stringContaining('No JSON.')] },
		]);
	});
});

describe('Campaign: Set Status', () => {
	const setStatus = (campaign: string, status: string) => ({
		resource: 'campaign',
		operation: 'setStatus',
		campaign: byId(campaign),
		status,
	});
	const match = { method: 'PATCH' };

	test.each([
		[400, 'BAD_REQUEST'],
		[409, 'CONFLICT'],
	])('a %s to a change that is allowed is no invalid transition', async (status, code) => {
		const { active } = service.seed.campaigns;
		const body = flat('The campaign has no agent.');
		expect(await refused(setStatus(active, 'paused'), { status, body, match })).toMatchObject([
			{ result: 'failed', code, message: expect.stringContaining('has no agent') },
		]);
	});

	test('a 400 to a change that is not allowed is one', async () => {
		const { completed } = service.seed.campaigns;
		expect(await refused(setStatus(completed, 'active'), { status: 400, body: flat('No.'), match })).toMatchObject([
			{ result: 'failed', code: 'INVALID_TRANSITION', httpStatus: 400 },
		]);
	});

	test('a 400 is none if the campaign cannot be read', async () => {
		const { completed } = service.seed.campaigns;
		await service.fault({ match: { method: 'GET' }, kind: 'status', status: 403 });
		expect(await refused(setStatus(completed, 'active'), { status: 400, body: flat('No.'), match })).toMatchObject([
			{ result: 'failed', code: 'BAD_REQUEST' },
		]);
	});
});

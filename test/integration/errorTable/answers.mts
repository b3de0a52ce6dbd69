import type { NodeSpec } from '../harness.mts';
import { byId } from '../service.mts';
import { answer } from './provoke.mts';
import type { Circumstances, Operations, Provoker } from './provoke.mts';
import type { Section } from './table.mts';

const unknownId = byId('00000000-0000-4000-8000-000000000000');

type Case = [what: string, parameters: NodeSpec['parameters'], given?: Circumstances];

async function rows(provoker: Provoker, cases: Case[]) {
	const made = [];
	for (const [what, parameters, given] of cases) made.push(await provoker.node(what, parameters, given));
	return made;
}

/** A flat body with a code. */
const flat = (status: number, code: string, message: string, more: object = {}) =>
	answer(status, { success: false, message, code, ...more });

/** The token: missing, wrong, expired, with fewer rights. */
export async function tokens(provoker: Provoker, { place, getCampaign }: Operations): Promise<Section> {
	const { service } = provoker;
	const withToken = (environmentToken: string) => ({ credentials: service.credentials({ environmentToken }) });
	return {
		title: 'The token',
		note: 'Look at the HTTP status first: the service uses the code `UNAUTHORIZED` for both 401 and 403.',
		rows: await rows(provoker, [
			['The token is wrong, or was replaced by a new one', place(), withToken('another-token')],
			['The same, asked in another place', getCampaign(), withToken('another-token')],
			['The token has expired', getCampaign(), withToken(`${service.token}-expired`)],
			[
				'No token arrived: a proxy has removed it, for example',
				getCampaign(),
				answer(401, { error: 'MISSING_TOKEN', message: 'The Authorization header is missing.', status_code: 401 }),
			],
			['The token may read, but not call', place(), withToken(`${service.token}-readonly`)],
			[
				'The token may not do this with the campaign',
				getCampaign(),
				flat(403, 'FORBIDDEN', 'You cannot make calls for this campaign.'),
			],
		]),
	};
}

/** What the description lists for the operations that there are, and its codes for all. */
export async function refusals(provoker: Provoker, operations: Operations): Promise<Section> {
	const { place, queue, setStatus, getCampaign, validate, createHook } = operations;
	const { agents, campaigns } = provoker.service.seed;
	const invalid = { success: false, message: 'The given data was invalid.', errors: { name: ['The name has already been taken.'] } };
	return {
		title: 'Calls, campaigns, agents',
		note: 'What the service refuses, and what stands in the way of it.',
		rows: await rows(provoker, [
			['The agent is not published', place({ agent: byId(agents.draft) })],
			['The agent does not exist', place({ agent: unknownId })],
			['The agent does not exist, in an operation other than a call', validate({ agent: unknownId })],
			[
				'The service finds the number wrong, although it looks right',
				place(),
				answer(400, { error: { code: 'INVALID_PHONE_NUMBER', message: 'The number cannot be called.', details: { field: 'to', value: '+12025550111' } } }),
			],
			['The service has got no number', place(), answer(400, { error: { code: 'MISSING_PHONE_NUMBER', message: 'The to field is required.' } })],
			['The account has no credits', place(), answer(402, { error: { code: 'INSUFFICIENT_CREDITS', message: 'The account lacks credits.' } })],
			['The campaign is not active', queue({ campaign: byId(campaigns.paused) })],
			['The campaign does not exist', queue({ campaign: unknownId })],
			['The campaign does not exist, when it is read', getCampaign({ campaign: unknownId })],
			[
				'The number has an active or queued call already, and On Duplicate is Fail',
				queue({ onDuplicate: 'fail' }),
				answer(409, { success: false, message: 'This number is already queued.', existing_call: { id: 'a1', status: 'queued' } }),
			],
			['The campaign cannot come from its status to this one', setStatus({ campaign: byId(campaigns.completed), status: 'active' })],
			['The service finds values that it does not take', createHook(), answer(422, invalid)],
			['Too many requests', getCampaign(), answer(429, { error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests.', details: { retry_after: 30 } } })],
			['Too many requests, and no word on how long to wait', getCampaign(), answer(429, { success: false, message: 'Too many requests.' })],
			['The service broke down while something was read', getCampaign(), answer(500, { success: false, message: 'An internal error occurred.', code: 'SERVER_ERROR' })],
			['The operation was changed by hand, or by an expression', getCampaign({ operation: 'getOne' })],
		]),
	};
}

/** Codes that no operation of these nodes can bring about yet; the node words them all the same. */
export async function otherCodes(provoker: Provoker, { getCampaign }: Operations): Promise<Section> {
	const cases: Array<[status: number, code: string, what: string, message: string]> = [
		[403, 'UNAUTHORIZED', 'The token has no permission for this agent', 'You do not have permission for this agent.'],
		[404, 'ACTION_NOT_FOUND', 'The action does not exist', 'Action not found.'],
		[404, 'VOICE_NOT_FOUND', 'The voice does not exist', 'Voice not found.'],
		[404, 'TRAINING_NOT_FOUND', 'The training does not exist', 'Training not found.'],
		[404, 'VOICE_TEMPLATE_NOT_FOUND', 'The voice template does not exist', 'Voice template not found.'],
		[500, 'DEMO_GENERATION_FAILED', 'The voice sample could not be made', 'The demo could not be generated.'],
		[403, 'CAMPAIGN_LIMIT_REACHED', 'The plan allows no more campaigns', 'The campaign limit of the plan is reached.'],
		[409, 'CAMPAIGN_HAS_ACTIVE_CALLS', 'The schedule cannot be changed while calls are queued', 'The campaign has queued calls.'],
		[409, 'CONFLICT', 'The campaign cannot be deleted now', 'The campaign is in use.'],
		[409, 'AGENT_HAS_ACTIVE_CALLS', 'The agent cannot be deleted during its calls', 'The agent has active calls.'],
		[409, 'AGENT_IS_PUBLISHED', 'A published agent cannot be deleted', 'The agent is published.'],
		[409, 'CALL_NOT_ACTIVE', 'The call to end is over already', 'The call is not active.'],
		[422, 'SFTP_TEST_REQUIRED', 'SFTP can be enabled only after a successful test', 'Test the connection first.'],
		[409, 'SFTP_IMPORT_IN_PROGRESS', 'An import is running', 'An import is in progress.'],
		[409, 'SFTP_EXPORT_IN_PROGRESS', 'An export is running', 'An export is in progress.'],
		[422, 'LOG_NOT_RETRIABLE', 'The delivery cannot be repeated', 'The delivery cannot be retried.'],
		[422, 'INVALID_AGENT_DIRECTION', 'The agent does not receive calls', 'The agent is not inbound.'],
		[409, 'TRUNK_HAS_DIDS', 'The SIP trunk still has numbers', 'The trunk has numbers.'],
		[409, 'DID_ALREADY_EXISTS', 'The number is there already', 'The number already exists.'],
		[409, 'DID_IN_USE', 'An active agent uses the number', 'The number is in use.'],
		[422, 'MEETING_PROVIDER_REQUIRED', 'No provider that can make meetings is connected', 'Connect a meeting provider.'],
		[422, 'OPTIMIZED_COSTS_NOT_ELIGIBLE', 'Too few calls for the optimised costs', 'The agent is not eligible.'],
		[409, 'RELEASE_ALREADY_PENDING', 'The number is being released already', 'A request is pending.'],
		[422, 'PHONE_NUMBER_IN_USE', 'The number to release is in use', 'The number is in use.'],
		[409, 'RELEASE_ALREADY_RESOLVED', 'The release is decided already', 'The request is resolved.'],
		[422, 'AUTO_TOPUP_NOT_CONFIGURED', 'No automatic top-up is set up', 'Configure the top-up first.'],
		[402, 'PAYMENT_FAILED', 'The payment did not work', 'The card was declined.'],
	];
	return {
		title: 'Other codes of the service',
		note: 'Codes of endpoints that the nodes have no operation for. They were provoked by letting the sandbox answer with such a body, and are worded by their HTTP status.',
		rows: await rows(
			provoker,
			cases.map(([status, code, what, message]): Case => [what, getCampaign(), flat(status, code, message)]),
		),
	};
}

/** One row for each form that a refusal comes in. */
export async function bodies(provoker: Provoker, { getCampaign, validate }: Operations): Promise<Section> {
	const fields = { to: ['is required.'], 'days_of_week.0': ['must be at most 7.'] };
	const cases: Array<[status: number, body: unknown, parameters?: NodeSpec['parameters']]> = [
		[400, { success: false, message: 'Their words.' }],
		[409, { success: false, message: 'Their words.', code: 'CONFLICT' }],
		[422, { success: false, message: 'Their words.', errors: fields }],
		[400, { success: false, errors: ['Node "a" is unreachable.', 'Node "b" has no content.'] }, validate()],
		[400, { error: { code: 'INVALID_PHONE_NUMBER', message: 'Their words.', details: { field: 'to' } } }],
		[401, { error: 'UNAUTHORIZED', message: 'Their words.', status_code: 401 }],
		[401, { success: false, error: { code: 'INVALID_API_KEY', message: 'Their words.', details: {} } }],
		[401, { message: 'Their words.' }],
		[422, { message: 'Their words.', errors: fields }],
		[500, { error: 'Their words.' }],
		[405, { success: false, message: 'The PUT method is not supported. Supported: GET.' }],
		[403, 'Plain text'],
		[413, { success: false, message: 'Their words.' }],
		[502, '<html><body>Bad Gateway</body></html>'],
		[404, ''],
		[418, { reason: { text: 'A form that nobody has described' } }],
	];
	return {
		title: 'The forms of an answer',
		note: 'The service answers in several formats. The node finds the words in all of them.',
		rows: await rows(
			provoker,
			cases.map(([status, body, parameters]): Case => {
				const shown = body === '' ? 'nothing' : `<code>${JSON.stringify(body).replace(/</g, '&lt;').replaceAll('|', '\\|')}</code>`;
				return [`${status} with ${shown}`, parameters ?? getCampaign(), { ...answer(status, body), anchor: '' }];
			}),
		),
	};
}

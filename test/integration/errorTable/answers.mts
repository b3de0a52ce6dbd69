import { answer, type Case, type Operations, type Provoker } from './provoke.mts';
import type { Section } from './table.mts';

export const flat = (status: number, code: string, message: string, more: object = {}) =>
	answer(status, { success: false, message, code, ...more });

/** Errors of the token: missing, invalid, expired, without permission. */
export async function tokens(provoker: Provoker, { place, getCampaign }: Operations): Promise<Section> {
	const withToken = (environmentToken: string) => ({ credential: { environmentToken } });
	return {
		title: 'The token',
		note: 'Look at the HTTP status first: the service uses the code `UNAUTHORIZED` for both 401 and 403.',
		rows: await provoker.rows([
			['The token is wrong, or was replaced by a new one', place(), withToken('another-token')],
			['The service does not know the token', getCampaign(), withToken('another-token')],
			['The token has expired', getCampaign(), withToken(`${provoker.token}-expired`)],
			[
				'No token arrived: a proxy has removed it, for example',
				getCampaign(),
				answer(401, { error: 'MISSING_TOKEN', message: 'The Authorization header is missing.', status_code: 401 }),
			],
			['The token may read, but not call', place(), { ...withToken(`${provoker.token}-readonly`), explains: true }],
			[
				'The token may not do this with the campaign',
				getCampaign(),
				flat(403, 'FORBIDDEN', 'You cannot make calls for this campaign.'),
			],
		]),
	};
}

export async function anyOperation(
	provoker: Provoker,
	{ getCampaign, getByApiRequest, createHook }: Operations,
): Promise<Section> {
	const invalid = {
		success: false,
		message: 'The given data was invalid.',
		errors: { webhook_url: ['The address cannot be reached.'] },
	};
	return {
		title: 'Any operation',
		rows: await provoker.rows([
			['The service finds values that it does not take', createHook(), answer(422, invalid)],
			[
				'Too many requests, for longer than *Max Wait* allows',
				getByApiRequest({ sending: { maxWait: 10 } }),
				answer(429, {
					error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests.', details: { retry_after: 30 } },
				}),
			],
			[
				'The service broke down while something was read',
				getCampaign(),
				answer(500, { success: false, message: 'An internal error occurred.', code: 'SERVER_ERROR' }),
			],
			[
				'The service answers with a success, and says that it failed',
				getCampaign(),
				answer(200, { success: false, message: 'Down for the night.' }),
			],
			[
				'Make API Request was to use a path that the service does not have',
				getByApiRequest(),
				answer(404, { success: false, message: 'No route matches.' }),
			],
			[
				'… or a method that it does not have for the path',
				getByApiRequest(),
				answer(405, { success: false, message: 'The method is not supported.' }),
			],
			[
				'… or a query or body that it does not take',
				getByApiRequest(),
				answer(422, { success: false, message: 'The filter is unknown.' }),
			],
			[
				'Make API Request was to read all pages of what is no list',
				{
					resource: 'service',
					operation: 'makeApiRequest',
					path: `agents/${provoker.seed.agents.published}`,
					options: { returnAllPages: true },
				},
			],
			[
				'The operation was changed by hand, or by an expression',
				getCampaign({ operation: 'getOne' }),
				{ explains: false },
			],
		]),
	};
}

/** Error codes of endpoints that only Make API Request uses. */
export async function otherCodes(provoker: Provoker): Promise<Section> {
	const request = { resource: 'service', operation: 'makeApiRequest', method: 'POST', path: 'auto-topup/test' };
	const cases: Array<[status: number, code: string, what: string]> = [
		[422, 'INVALID_AGENT_DIRECTION', 'An agent that is to take callbacks does not receive calls'],
		[422, 'OPTIMIZED_COSTS_NOT_ELIGIBLE', 'Too few calls for the optimized costs'],
		[409, 'RELEASE_ALREADY_PENDING', 'The number is being given back already'],
		[422, 'PHONE_NUMBER_IN_USE', 'The number to give back is in use'],
		[409, 'RELEASE_ALREADY_RESOLVED', 'Whether the number is given back is decided already'],
		[422, 'AUTO_TOPUP_NOT_CONFIGURED', 'No automatic top-up is set up'],
		[402, 'PAYMENT_FAILED', 'The payment did not work'],
		[400, 'BAD_REQUEST', 'The service gives no other reason'],
		[401, 'INVALID_API_KEY', 'The service takes the token for none'],
	];
	const rows = cases.map(
		([status, code, what]): Case => [what, request, { ...flat(status, code, 'Their words.'), explains: false }],
	);
	return { title: 'Other codes of the service', rows: await provoker.rows(rows) };
}

import { answer, type Case, type Operations, type Provoker } from './provoke.mts';
import type { Section } from './table.mts';

/** An answer with a flat body and a code. */
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

/** Errors of any operation. */
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
				'Too many requests, again and again until *Max Wait* is over',
				getByApiRequest({ sending: { maxWait: 1 } }),
				answer(429, { success: false, message: 'Too many requests.' }, { 'Retry-After': '1' }),
			],
			[
				'The service says that its limit is reached, for longer than *Max Wait* allows',
				getByApiRequest({ sending: { maxWait: 10, maxConcurrentRequests: 1 } }),
				{
					...answer(
						200,
						{ success: true, data: {} },
						{ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' },
					),
					items: [{}, {}],
				},
			],
			[
				'The service broke down while something was read',
				getCampaign(),
				answer(500, { success: false, message: 'An internal error occurred.', code: 'SERVER_ERROR' }),
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
	const { phoneNumber, agents } = provoker.seed;
	const request = (method: string, path: string) => ({
		resource: 'service',
		operation: 'makeApiRequest',
		method,
		path,
	});
	const release = 'phone-numbers/release-requests';
	const cases: Array<[status: number, code: string, what: string, message: string, parameters: Case[1]]> = [
		[
			422,
			'INVALID_AGENT_DIRECTION',
			'An agent that is to take callbacks does not receive calls',
			'The agent is not inbound.',
			request('POST', `agents/${agents.published}/callback`),
		],
		[
			422,
			'OPTIMIZED_COSTS_NOT_ELIGIBLE',
			'Too few calls for the optimized costs',
			'The agent is not eligible.',
			request('PATCH', `agents/${agents.published}/advanced-settings`),
		],
		[
			409,
			'RELEASE_ALREADY_PENDING',
			'The number is being given back already',
			'A request is pending.',
			request('POST', `phone-numbers/${phoneNumber}/request-release`),
		],
		[
			422,
			'PHONE_NUMBER_IN_USE',
			'The number to give back is in use',
			'The number is in use.',
			request('POST', `phone-numbers/${phoneNumber}/request-release`),
		],
		[
			409,
			'RELEASE_ALREADY_RESOLVED',
			'Whether the number is given back is decided already',
			'The request is resolved.',
			request('DELETE', `${release}/${phoneNumber}`),
		],
		[
			422,
			'AUTO_TOPUP_NOT_CONFIGURED',
			'No automatic top-up is set up',
			'Configure the top-up first.',
			request('POST', 'auto-topup/test'),
		],
		[402, 'PAYMENT_FAILED', 'The payment did not work', 'The card was declined.', request('POST', 'auto-topup/test')],
	];
	return {
		title: 'Other codes of the service',
		rows: await provoker.rows(
			cases.map(
				([status, code, what, message, parameters]): Case => [
					what,
					parameters,
					{ ...flat(status, code, message), explains: false },
				],
			),
		),
	};
}

/** One row for each error format. */
export async function bodies(provoker: Provoker, { getCampaign }: Operations): Promise<Section> {
	const fields = { to: ['is required.'], 'days_of_week.0': ['must be at most 7.'] };
	const cases: Array<[status: number, body: unknown]> = [
		[400, { success: false, message: 'Their words.' }],
		[409, { success: false, message: 'Their words.', code: 'CONFLICT' }],
		[422, { success: false, message: 'Their words.', errors: fields }],
		[400, { success: false, errors: ['Node "a" is unreachable.', 'Node "b" has no content.'] }],
		[
			400,
			{ error: { code: 'INVALID_PHONE_NUMBER', message: 'Their words.', details: { field: 'to', value: '+1202' } } },
		],
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
		rows: await provoker.rows(
			cases.map(([status, body]): Case => {
				const shown =
					body === '' ? 'nothing' : `<code>${JSON.stringify(body).replace(/</g, '&lt;').replaceAll('|', '\\|')}</code>`;
				return [`${status} with ${shown}`, getCampaign(), { ...answer(status, body), explains: false }];
			}),
		),
	};
}

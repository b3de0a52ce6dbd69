import type { Route } from '../../../sandbox/http/route.mts';
import { routes } from '../../../sandbox/resources/index.mts';
import { type ApiResponse, startClient } from '../client.mts';
import { realPath } from '../objects.mts';
import { useService } from '../use.mts';

const words = expect.any(String);

/** The body of a 401 for an unknown token, by the route's `refusal`. */
const WRONG_TOKEN = {
	authentication: { error: 'UNAUTHORIZED', message: words, status_code: 401 },
	unauthenticated: { success: false, message: 'Unauthenticated.' },
	unauthorized: { success: false, message: 'Unauthorized' },
	message: { message: words },
	bare: { message: words },
	coded: { success: false, error: { code: 'INVALID_API_KEY', message: words, details: {} } },
	nested: { error: { code: 'INVALID_TOKEN', message: words } },
	campaignCall: { success: false, message: 'Unauthorized' },
};

const closed = routes.filter(({ open }) => !open);
const service = useService();

/** Sends a request with ids that do not exist. */
function ask({ method, path }: Route, token: string | null, to = service): Promise<ApiResponse> {
	const target = path.replace('/api/v1', '').replace(/:\w+/g, 'unknown');
	return to.api(method, target, method === 'GET' ? undefined : {}, token);
}

const failure = (route: Route, { status, data }: ApiResponse) => [route.method, route.path, status, data];

it('needs a token that is valid, and says otherwise what is wrong with it', async () => {
	for (const route of closed) {
		for (const [token, body] of [
			[null, { error: 'MISSING_TOKEN', message: words, status_code: 401 }],
			['TOKEN-expired', { error: 'TOKEN_EXPIRED', message: words, status_code: 401 }],
			['wrong', WRONG_TOKEN[route.refusal]],
		] as const) {
			expect(failure(route, await ask(route, token))).toEqual([route.method, route.path, 401, body]);
		}
	}
});

it('lets a read-only token read, and nothing else', async () => {
	for (const route of closed) {
		const answer = await ask(route, 'TOKEN-readonly');
		if (route.method === 'GET' || route.readOnly) {
			expect([200, 404, 422]).toContain(answer.status);
		} else {
			const nested = { error: { code: 'UNAUTHORIZED', message: words } };
			const body = route.refusal === 'nested' ? nested : { success: false, message: words };
			expect(failure(route, answer)).toEqual([route.method, route.path, 403, body]);
		}
	}
});

it('answers 429 beyond the rate limit', async () => {
	const limited = await startClient({ rateLimit: 0 });
	const coded = { code: 'RATE_LIMIT_EXCEEDED', message: words, details: { retry_after: expect.any(Number) } };
	const flat = { success: false, message: words };
	const special = { nested: { error: coded }, campaignCall: { ...flat, ...coded } } as Partial<Record<string, object>>;
	for (const route of closed) {
		const expected = [route.method, route.path, 429, special[route.refusal] ?? flat];
		expect(failure(route, await ask(route, 'TOKEN', limited))).toEqual(expected);
	}
	await limited.close();
});

/** What is not found, by the variable of the path. */
const NOUNS: Record<string, string> = {
	agent_id: 'Agent',
	campaign_id: 'Campaign',
	webhook_id: 'Webhook',
	log_id: 'Webhook log',
	trunk_id: 'SIP trunk',
	phone_number_id: 'DID',
	voice_template_id: 'Voice template',
	calendar_id: 'Calendar',
	member_id: 'Member',
	event_id: 'Event',
	attendee_id: 'Attendee',
	rule_id: 'Availability rule',
	action_id: 'Action',
	training_id: 'Training',
};

it('says which of the objects in its path does not exist', async () => {
	for (const { method, path } of closed) {
		const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name).filter((name) => name in NOUNS);
		for (const name of names) {
			// The variables before it have ids of objects that exist.
			const [begin = '', end = ''] = path.split(`:${name}`);
			const target = `${await realPath(service, begin)}unknown${end.replace(/:\w+/g, 'unknown')}`;
			const { status, data } = await service.api(method, target, method === 'GET' ? undefined : {});
			const said = expect.stringMatching(new RegExp(`^${NOUNS[name]} not found`));
			expect([method, target, status, data.message ?? data.error?.message]).toEqual([method, target, 404, said]);
		}
	}
});

it('of a campaign without a configuration for SFTP says so', async () => {
	const others = closed.filter(({ method, path }) => /sftp/.test(path) && method + path.at(-1) !== 'POSTp');
	for (const { method, path } of others) {
		const target = path.replace('/api/v1', '').replace(':campaign_id', service.seed.campaigns.draft);
		const { status, data } = await service.api(method, target, method === 'GET' ? undefined : { file_data_ids: [] });
		expect([status, data]).toEqual([404, { success: false, message: 'SFTP configuration not found.' }]);
	}
});

it('is below /api/v1, except the URLs of recordings and demos', () => {
	expect(routes.map(({ path }) => path).filter((path) => !path.startsWith('/api/v1/'))).toEqual([
		'/recordings/:file',
		'/voice-demos/:file',
	]);
});

import { routes } from '../../../sandbox/resources/index.mts';
import { type ApiResponse, type SandboxClient, startClient } from '../client.mts';

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
const each = it.each(closed.map((route) => [route.method, route.path, route] as const));

let service: SandboxClient;
let limited: SandboxClient;
beforeAll(async () => {
	service = await startClient();
	limited = await startClient({ rateLimit: 0 });
});
afterAll(() => Promise.all([service.close(), limited.close()]));

/** Sends a request with ids that do not exist. */
function ask(to: SandboxClient, method: string, path: string, token: string | null): Promise<ApiResponse> {
	const target = path.replace('/api/v1', '').replace(/:\w+/g, 'unknown');
	return to.api(method, target, method === 'GET' ? undefined : {}, token);
}

each('%s %s needs a token that is valid', async (method, path, { refusal }) => {
	for (const [token, body] of [
		[null, { error: 'MISSING_TOKEN', message: words, status_code: 401 }],
		['TOKEN-expired', { error: 'TOKEN_EXPIRED', message: words, status_code: 401 }],
		['wrong', WRONG_TOKEN[refusal]],
	] as const) {
		const { status, data } = await ask(service, method, path, token);
		expect([token, status, data]).toEqual([token, 401, body]);
	}
});

each('%s %s lets a read-only token read, and nothing else', async (method, path, { refusal, readOnly }) => {
	const { status, data } = await ask(service, method, path, 'TOKEN-readonly');
	if (method === 'GET' || readOnly) {
		return expect([200, 404, 422]).toContain(status);
	}
	const nested = { error: { code: 'UNAUTHORIZED', message: words } };
	expect([status, data]).toEqual([403, refusal === 'nested' ? nested : { success: false, message: words }]);
});

each('%s %s answers 429 beyond the rate limit', async (method, path, { refusal }) => {
	const { status, data } = await ask(limited, method, path, 'TOKEN');
	const coded = { code: 'RATE_LIMIT_EXCEEDED', message: words, details: { retry_after: expect.any(Number) } };
	const flat = { success: false, message: words };
	const special = { nested: { error: coded }, campaignCall: { ...flat, ...coded } } as Partial<Record<string, object>>;
	expect([status, data]).toEqual([429, special[refusal] ?? flat]);
});

it.each(routes.map(({ method, path }) => [method, path]))(
	'%s %s has the rate limit in its headers',
	async (method, path) => {
		for (const token of [null, 'TOKEN']) {
			expect((await ask(service, method, path, token)).headers).toMatchObject({
				'x-ratelimit-limit': '100000',
				'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
				'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
			});
		}
	},
);

it('has all routes below /api/v1, except the URLs of recordings and demos', () => {
	expect(routes.map(({ path }) => path).filter((path) => !path.startsWith('/api/v1/'))).toEqual([
		'/recordings/:file',
		'/voice-demos/:file',
	]);
});

import type { SandboxClient } from './client.mts';

/**
 * Checks the 401 and 403 responses that all routes except the agent call share.
 * @param wrongToken the body of the 401 of a wrong token; by default that of the endpoints below /agents
 */
export async function expectRefusals(
	service: SandboxClient,
	method: string,
	path: string,
	body?: unknown,
	wrongToken: unknown = { success: false, message: expect.any(String) },
): Promise<void> {
	const answer = async (token: string | null) => {
		const { status, data } = await service.api(method, path, body, token);
		return { token, status, data };
	};
	const message = expect.any(String);
	const missing = { error: 'MISSING_TOKEN', message, status_code: 401 };
	const expired = { error: 'TOKEN_EXPIRED', message, status_code: 401 };
	expect(await answer(null)).toEqual({ token: null, status: 401, data: missing });
	expect(await answer('TOKEN-expired')).toEqual({ token: 'TOKEN-expired', status: 401, data: expired });
	const flat = { success: false, message };
	expect(await answer('wrong')).toEqual({ token: 'wrong', status: 401, data: wrongToken });
	if (method !== 'GET') {
		expect(await answer('TOKEN-readonly')).toEqual({ token: 'TOKEN-readonly', status: 403, data: flat });
	}
}

/**
 * Checks the 401 and 403 responses of several routes.
 * @param routes method and path; with a third part its object does not exist, and that is the message of its flat 404
 * @param wrongToken the body of the 401 of a wrong token; by default that of the SIP trunk endpoints
 */
export async function expectAllRefused(
	service: SandboxClient,
	routes: Array<[string, string, string?]>,
	wrongToken: unknown = { error: 'UNAUTHORIZED', message: expect.any(String), status_code: 401 },
): Promise<void> {
	for (const [method, path, missing] of routes) {
		const body = method === 'GET' ? undefined : {};
		await expectRefusals(service, method, path, body, wrongToken);
		if (!missing) {
			continue;
		}
		const { status, data } = await service.api(method, path, body);
		expect([method, path, status, data]).toEqual([method, path, 404, { success: false, message: missing }]);
	}
}

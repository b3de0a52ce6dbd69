import type { Route } from '../../../sandbox/http/route.mts';
import { routes } from '../../../sandbox/resources/index.mts';
import { type ApiResponse, startClient } from '../client.mts';
import { realPath } from '../objects.mts';
import { useService } from '../use.mts';

const closed = routes.filter(({ open }) => !open);
const service = useService();

/** Sends a request with ids that do not exist. */
function ask({ method, path }: Route, token: string | null, to = service): Promise<ApiResponse> {
	const target = path.replace('/api/v1', '').replace(/:\w+/g, 'unknown');
	return to.api(method, target, method === 'GET' ? undefined : {}, token);
}

/** The refusals of every route. The comparison with the OpenAPI document checks their formats. */
async function statuses(token: string | null, to = service): Promise<string[]> {
	const found = [];
	for (const route of closed) {
		found.push(`${route.method} ${route.path} ${(await ask(route, token, to)).status}`);
	}
	return found;
}
const all = (status: number) => closed.map(({ method, path }) => `${method} ${path} ${status}`);

it.each([null, 'TOKEN-expired', 'wrong'])('every route answers 401 to the token %j', async (token) => {
	expect(await statuses(token)).toEqual(all(401));
});

it('lets a read-only token read, and nothing else', async () => {
	for (const route of closed) {
		const { method, path, readOnly } = route;
		const { status } = await ask(route, 'TOKEN-readonly');
		const expected = method === 'GET' || readOnly ? [200, 404, 422] : [403];
		expect({ method, path, isExpected: expected.includes(status) }).toEqual({ method, path, isExpected: true });
	}
});

it('returns 429 beyond the rate limit', async () => {
	const limited = await startClient({ rateLimit: 0 });
	expect(await statuses('TOKEN', limited)).toEqual(all(429));
	await limited.close();
});

/** The missing objects, by the variable of the path. */
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
			// The preceding variables have ids of existing objects.
			const [begin = '', end = ''] = path.split(`:${name}`);
			const target = `${await realPath(service, begin)}unknown${end.replace(/:\w+/g, 'unknown')}`;
			const { status, data } = await service.api(method, target, method === 'GET' ? undefined : {});
			const said = expect.stringMatching(new RegExp(`^${NOUNS[name]} not found`));
			expect([method, target, status, data.message ?? data.error?.message]).toEqual([method, target, 404, said]);
		}
	}
});

it('every SFTP route answers 404 for a campaign without SFTP', async () => {
	const others = closed.filter(({ method, path }) => /sftp/.test(path) && method + path.at(-1) !== 'POSTp');
	for (const { method, path } of others) {
		const target = path.replace('/api/v1', '').replace(':campaign_id', service.seed.campaigns.draft);
		const { status, data } = await service.api(method, target, method === 'GET' ? undefined : { file_data_ids: [] });
		expect([status, data]).toEqual([404, { success: false, message: 'SFTP configuration not found.' }]);
	}
});

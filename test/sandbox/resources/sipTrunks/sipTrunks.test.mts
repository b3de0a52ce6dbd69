import { asList, asText, type SandboxClient, startClient } from '../../client.mts';
import { expectAllRefused } from '../../refusals.mts';

const minimal = {
	name: 'Carrier',
	provider_name: 'example',
	domain: 'sip.example.com',
	username: 'user',
	password: 'pa55word',
};
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** Creates a trunk and returns its path. */
async function newTrunk(service: SandboxClient, changes: Record<string, unknown> = {}): Promise<string> {
	const { data } = await service.api('POST', '/sip-trunks', { ...minimal, ...changes });
	return `/sip-trunks/${asText(data.data.id)}`;
}

describe('SIP trunks', () => {
	let service: SandboxClient;
	beforeAll(async () => {
		service = await startClient();
	});
	afterAll(() => service.close());

	const shown = async (path: string) => (await service.api('GET', path)).data.data;

	it('are created unverified and inactive, over TLS and its port, and never show their password', async () => {
		const { status, data } = await service.api('POST', '/sip-trunks', minimal);
		expect([status, data]).toEqual([
			201,
			{
				success: true,
				data: {
					id: expect.any(String),
					name: 'Carrier',
					provider_name: 'example',
					domain: 'sip.example.com',
					transport: 'tls',
					port: 5061,
					is_active: false,
					is_verified: false,
					created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
				},
			},
		]);
		const one = await service.api('GET', `/sip-trunks/${asText(data.data.id)}`);
		expect(one.data).toEqual({
			success: true,
			data: {
				...data.data,
				username: 'user',
				outbound_proxy: null,
				auth_realm: null,
				health_status: null,
				last_health_check_at: null,
				updated_at: data.data.created_at,
			},
		});
		const all = await service.api('GET', '/sip-trunks');
		const { port: _port, ...listed } = data.data;
		expect(asList(all.data.data)).toContainEqual({ ...listed, health_status: null });
		expect(JSON.stringify([data, one.data, all.data])).not.toContain('pa55word');
	});

	it('start with one in use and one that does not answer', async () => {
		expect(await shown('/sip-trunks')).toMatchObject([
			{ id: service.seed.sipTrunk, is_active: true, is_verified: true, health_status: 'healthy' },
			{ domain: 'pbx.invalid', is_active: false, is_verified: false, health_status: null },
			...asList(await shown('/sip-trunks')).slice(2),
		]);
	});

	it.each<[string, unknown]>([
		['name', undefined],
		['name', ''],
		['name', 'x'.repeat(256)],
		['provider_name', undefined],
		['provider_name', 7],
		['domain', undefined],
		['domain', 'sip://example.com'],
		['domain', 'example.com:5060'],
		['domain', 'exa mple.com'],
		['username', undefined],
		['username', ''],
		['password', undefined],
		['password', ''],
		['port', 0],
		['port', 65_536],
		['port', 5060.5],
		['port', '5060'],
		['transport', 'sctp'],
		['outbound_proxy', ''],
		['outbound_proxy', 'a/b'],
		['auth_realm', ''],
		['is_active', 'yes'],
		['is_active', true],
	])('are refused with %s %j, on creation and on update', async (field, value) => {
		const { status, data } = await service.api('POST', '/sip-trunks', { ...minimal, [field]: value });
		expect([status, data.success, Object.keys(data.errors)]).toEqual([422, false, [field]]);
		if (value === undefined) {
			return;
		}
		const update = await service.api('PUT', await newTrunk(service), { [field]: value });
		expect([update.status, Object.keys(update.data.errors)]).toEqual([422, [field]]);
	});

	it('accept every setting at its limits, host names and addresses', async () => {
		// Only the name has a maximum length.
		const long = 'x'.repeat(300);
		const settings = {
			name: 'x'.repeat(255),
			provider_name: long,
			username: long,
			password: long,
			auth_realm: long,
		};
		for (const [port, domain] of [
			[1, '192.0.2.7'],
			[65_535, '2001:db8::1'],
			[null, 'a'],
		] as const) {
			const { status } = await service.api('POST', '/sip-trunks', {
				...settings,
				port,
				domain,
				outbound_proxy: 'proxy.example.com',
				is_active: false,
			});
			expect(status).toBe(201);
		}
	});

	it('have the port of their transport until one is set, and again when it is taken away', async () => {
		const path = await newTrunk(service, { transport: 'udp' });
		const port = async (changes: object) => {
			await service.api('PUT', path, changes);
			return (await shown(path)).port;
		};
		expect((await shown(path)).port).toBe(5060);
		expect(await port({ transport: 'tls' })).toBe(5061);
		expect(await port({ transport: 'tcp' })).toBe(5060);
		expect(await port({ port: 5080 })).toBe(5080);
		expect(await port({ transport: 'tls' })).toBe(5080);
		expect(await port({ port: null })).toBe(5061);
	});

	it('change only in the fields that an update sends', async () => {
		const path = await newTrunk(service, { outbound_proxy: 'proxy.example.com', auth_realm: 'realm' });
		const before = await shown(path);
		const { status, data } = await service.api('PUT', path, { name: 'Renamed', outbound_proxy: null });
		const { id } = before;
		expect([status, data]).toEqual([
			200,
			{
				success: true,
				data: { id, name: 'Renamed', is_active: false, is_verified: false, updated_at: expect.any(String) },
			},
		]);
		expect(await shown(path)).toEqual({
			...before,
			name: 'Renamed',
			outbound_proxy: null,
			updated_at: expect.any(String),
		});
	});

	it('can be activated once verified, and not before', async () => {
		const path = await newTrunk(service);
		const activate = () => service.api('PUT', path, { is_active: true });
		expect((await activate()).status).toBe(422);
		const verified = await service.api('POST', `${path}/verify`);
		expect([verified.status, verified.data]).toEqual([
			200,
			{
				success: true,
				data: { is_verified: true, health_status: 'healthy', last_health_check_at: expect.any(String) },
			},
		]);
		expect((await activate()).data.data).toMatchObject({ is_active: true, is_verified: true });
		expect(await shown(path)).toMatchObject({ is_active: true, ...verified.data.data });
	});

	it.each<[string, unknown]>([
		['domain', 'other.example.com'],
		['transport', 'tcp'],
		['username', 'other'],
		['password', 'other'],
		['auth_realm', 'other'],
	])('must be verified again, and are inactive, after a change of %s', async (field, value) => {
		const path = await newTrunk(service);
		await service.api('POST', `${path}/verify`);
		await service.api('PUT', path, { is_active: true });
		const together = await service.api('PUT', path, { [field]: value, is_active: true });
		expect([together.status, Object.keys(together.data.errors)]).toEqual([422, ['is_active']]);
		expect(await shown(path)).toMatchObject({ is_active: true, is_verified: true });
		const { data } = await service.api('PUT', path, { [field]: value });
		expect(data.data).toMatchObject({ is_active: false, is_verified: false });
	});

	it('stay verified after other changes, and when an update repeats what they have', async () => {
		const path = await newTrunk(service);
		await service.api('POST', `${path}/verify`);
		for (const changes of [minimal, { transport: 'tls', auth_realm: null }, { name: 'Other', port: 5070 }, {}]) {
			expect((await service.api('PUT', path, changes)).data.data.is_verified).toBe(true);
		}
	});

	it('fail their verification if a host ends in .invalid, and lose their previous one', async () => {
		const path = await newTrunk(service);
		await service.api('POST', `${path}/verify`);
		await service.api('PUT', path, { is_active: true, outbound_proxy: 'proxy.INVALID' });
		expect(await shown(path)).toMatchObject({ is_active: true, is_verified: true });
		const { status, data } = await service.api('POST', `${path}/verify`);
		expect([status, data]).toEqual([
			200,
			{
				success: false,
				data: { is_verified: false, health_status: 'unhealthy', error: expect.stringContaining('proxy.INVALID') },
			},
		]);
		expect(await shown(path)).toMatchObject({ is_active: false, is_verified: false, health_status: 'unhealthy' });
		const elsewhere = await newTrunk(service, { domain: 'sip.invalid' });
		expect((await service.api('POST', `${elsewhere}/verify`)).data.success).toBe(false);
		const alike = await newTrunk(service, { domain: 'invalid.example.com' });
		expect((await service.api('POST', `${alike}/verify`)).data.success).toBe(true);
	});

	it('show their health without changing the verification', async () => {
		const path = await newTrunk(service);
		const healthy = await service.api('GET', `${path}/health`);
		expect([healthy.status, healthy.data]).toEqual([
			200,
			{
				success: true,
				data: { is_healthy: true, response_time_ms: expect.any(Number), checked_at: expect.any(String) },
			},
		]);
		expect(await shown(path)).toMatchObject({
			is_verified: false,
			health_status: 'healthy',
			last_health_check_at: healthy.data.data.checked_at,
		});
		await service.api('POST', `${path}/verify`);
		await service.api('PUT', path, { outbound_proxy: 'proxy.invalid' });
		const unhealthy = await service.api('GET', `${path}/health`);
		expect([unhealthy.status, unhealthy.data]).toEqual([
			200,
			{
				success: true,
				data: {
					is_healthy: false,
					response_time_ms: expect.any(Number),
					error: expect.stringContaining('proxy.invalid'),
					checked_at: expect.any(String),
				},
			},
		]);
		expect(await shown(path)).toMatchObject({ is_verified: true, health_status: 'unhealthy' });
	});

	it('keep what a health check found for 30 seconds, or until they change', async () => {
		const path = await newTrunk(service);
		const checked = async () => asText((await shown(`${path}/health`)).checked_at);
		const first = await checked();
		await service.advance(25);
		expect(await checked()).toBe(first);
		await service.advance(6);
		const second = await checked();
		expect(Date.parse(second) - Date.parse(first)).toBeGreaterThanOrEqual(30_000);
		await service.advance(5);
		await service.api('PUT', path, { name: 'Other' });
		expect(Date.parse(await checked())).toBeGreaterThan(Date.parse(second));
	});

	it('do not exist after deletion', async () => {
		const path = await newTrunk(service);
		const { status, data } = await service.api('DELETE', path);
		expect([status, data]).toEqual([200, { success: true, message: expect.any(String) }]);
		expect((await service.api('DELETE', path)).status).toBe(404);
		expect(JSON.stringify(await shown('/sip-trunks'))).not.toContain(path.split('/')[2]);
	});

	it('refuse wrong tokens, and unknown trunks', async () => {
		await expectAllRefused(service, [
			['GET', '/sip-trunks'],
			['POST', '/sip-trunks'],
			...(['GET /', 'PUT /', 'DELETE /', 'POST /verify', 'GET /health', 'GET /dids', 'POST /dids'] as const).map(
				(route): [string, string, string] => {
					const [method, rest] = route.split(' /') as [string, string];
					return [method, `/sip-trunks/${NOBODY}${rest && `/${rest}`}`, 'SIP trunk not found.'];
				},
			),
			['DELETE', `/sip-trunks/${NOBODY}/dids/${NOBODY}`, 'SIP trunk not found.'],
			['DELETE', `/sip-trunks/${service.seed.sipTrunk}/dids/${NOBODY}`, 'DID not found.'],
			['DELETE', `/sip-trunks/${service.seed.sipTrunk}/dids/${service.seed.phoneNumber}`, 'DID not found.'],
		]);
	});
});

describe('SIP trunks on a plan without them', () => {
	let service: SandboxClient;
	beforeAll(async () => {
		service = await startClient({ customSipTrunks: false });
	});
	afterAll(() => service.close());

	it.each([
		['GET', ''],
		['POST', ''],
		['GET', '/ID'],
		['PUT', '/ID'],
		['DELETE', '/ID'],
		['POST', '/ID/verify'],
		['GET', '/ID/health'],
		['GET', '/ID/dids'],
		['POST', '/ID/dids'],
		['DELETE', '/ID/dids/1'],
		['GET', '/unknown'],
	])('%s /sip-trunks%s answers 403, after the token', async (method, rest) => {
		const path = `/sip-trunks${rest.replace('ID', service.seed.sipTrunk)}`;
		const { status, data } = await service.api(method, path, method === 'GET' ? undefined : {});
		expect([status, data]).toEqual([
			403,
			{ success: false, message: expect.stringContaining('plan'), code: 'CUSTOM_SIP_TRUNKS_NOT_ALLOWED' },
		]);
		expect((await service.api(method, path, undefined, 'wrong')).status).toBe(401);
	});
});

import { asList, asText, startClient } from '../../client.mts';
import { useService } from '../../use.mts';

const minimal = {
	name: 'Carrier',
	provider_name: 'example',
	domain: 'sip.example.com',
	username: 'user',
	password: 'pa55word',
};

describe('SIP trunks', () => {
	const service = useService();
	/** Creates a trunk and returns its path. */
	const newTrunk = async (changes: Record<string, unknown> = {}) => {
		const { data } = await service.api('POST', '/sip-trunks', { ...minimal, ...changes });
		return `/sip-trunks/${asText(data.data.id)}`;
	};
	const shown = async (path: string) => (await service.api('GET', path)).data.data;
	const update = async (path: string, changes: object) => (await service.api('PUT', path, changes)).data;
	const verify = async (path: string) => (await service.api('POST', `${path}/verify`)).data;

	it('are created unverified and inactive, never show their password, and change in what an update sends', async () => {
		const path = await newTrunk({ outbound_proxy: 'proxy.example.com', auth_realm: 'realm' });
		const { password: _secret, ...rest } = minimal;
		const fresh = { is_active: false, is_verified: false, health_status: null, transport: 'tls', port: 5061 };
		const before = await shown(path);
		expect(before).toMatchObject({ ...rest, ...fresh, auth_realm: 'realm' });
		await update(path, { name: 'Renamed', outbound_proxy: null });
		const changed = { name: 'Renamed', outbound_proxy: null, updated_at: expect.any(String) };
		expect(await shown(path)).toEqual({ ...before, ...changed });
		expect(JSON.stringify([before, await shown('/sip-trunks')])).not.toContain('pa55word');
		expect((await service.api('DELETE', path)).status).toBe(200);
		expect(asList(await shown('/sip-trunks'))).toHaveLength(2);
	});

	it.each([
		['domain', 'other.example.com'] as const,
		['transport', 'tcp'] as const,
		...['username', 'password', 'auth_realm'].map((field) => [field, 'other'] as const),
	])('must be verified again, and are inactive, after a change of %s', async (field, value) => {
		const path = await newTrunk();
		await verify(path);
		await update(path, { is_active: true });
		expect(Object.keys((await update(path, { [field]: value, is_active: true })).errors)).toEqual(['is_active']);
		expect(await shown(path)).toMatchObject({ is_active: true, is_verified: true });
		expect((await update(path, { [field]: value })).data).toMatchObject({ is_active: false, is_verified: false });
	});

	it('are refused on a plan without them, after the token', async () => {
		const poor = await startClient({ customSipTrunks: false });
		const one = `/sip-trunks/${poor.seed.sipTrunk}`;
		const requests = ['GET /sip-trunks', 'POST /sip-trunks', 'GET /sip-trunks/unknown', `POST ${one}/verify`];
		requests.push(...['GET', 'PUT', 'DELETE'].map((own) => `${own} ${one}`), `GET ${one}/health`, `GET ${one}/dids`);
		requests.push(`POST ${one}/dids`, `DELETE ${one}/dids/1`);
		for (const [method = '', path = ''] of requests.map((own) => own.split(' '))) {
			const { status, data } = await poor.api(method, path, method === 'GET' ? undefined : {});
			expect([method, path, status, data.code]).toEqual([method, path, 403, 'CUSTOM_SIP_TRUNKS_NOT_ALLOWED']);
			expect((await poor.api(method, path, undefined, 'wrong')).status).toBe(401);
		}
		await poor.close();
	});
});

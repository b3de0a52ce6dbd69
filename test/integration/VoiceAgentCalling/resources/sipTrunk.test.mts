import { byId, type Service, startService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const nobody = '00000000-0000-4000-8000-000000000000';
const password = ['pa55', 'word', 'of-the-carrier'].join('-');

const operation = (name: string, more = {}) => ({
	resource: 'sipTrunk',
	operation: name,
	sipTrunk: byId('={{ $json.id }}'),
	...more,
});
const trunks = async () => (await service.api('GET', 'sip-trunks')).body.data as Array<{ id: string; domain: string }>;

/** The trunk in use, one whose host does not respond, and one that does not exist. */
async function three() {
	const [used, dead] = await trunks();
	return [used, dead, { id: nobody }].map(({ id }) => ({ id }));
}

describe('SIP Trunk', () => {
	test('Create sends only what was set, and the password is never shown', async () => {
		const parameters = {
			...operation('create'),
			name: '={{ $json.name }}',
			providerName: 'example',
			domain: '={{ $json.domain }}',
			username: 'ada',
			password,
			options: {
				port: '={{ $json.port }}',
				transport: 'udp',
				outboundProxy: 'proxy.example.com',
				authRealm: 'example',
				active: '={{ $json.active }}',
			},
		};
		const items = [
			{ name: 'One', domain: 'sip.example.com', port: 5080, active: false },
			{ name: 'Two', domain: 'sip.example.com', port: 5080, active: true },
			{ name: 'Three', domain: 'sip://example.com', port: 5080, active: false },
			{ name: 'Four', domain: '2001:db8::1', port: '65535', active: false },
		];
		const sent = await expectItems(service, parameters, items, [
			{ id: expect.any(String), name: 'One', is_verified: false, is_active: false },
			failed('VALIDATION_ERROR', { message: expect.stringContaining('verified before') }),
			failed('INVALID_INPUT', { message: expect.stringContaining('\'Domain\' cannot be "sip://example.com"') }),
			{ name: 'Four', domain: '2001:db8::1', port: 65535 },
		]);
		const common = {
			provider_name: 'example',
			username: 'ada',
			password,
			transport: 'udp',
			outbound_proxy: 'proxy.example.com',
			auth_realm: 'example',
		};
		expect(sent).toEqualInAnyOrder(
			items
				.filter((_item, index) => index !== 2)
				.map(({ name, domain, port, active }) => [
					'POST',
					'sip-trunks',
					{ ...common, name, domain, port: Number(port), is_active: active },
				]),
		);
		const least = await expectItems(service, { ...parameters, options: {} }, items.slice(0, 1), [
			{ name: 'One', transport: 'tls', port: 5061 },
		]);
		expect(least).toEqual([
			[
				'POST',
				'sip-trunks',
				{ name: 'One', provider_name: 'example', domain: 'sip.example.com', username: 'ada', password },
			],
		]);
		const { outputs } = await service.run(parameters, items, { node: { onError: 'continueRegularOutput' } });
		expect(JSON.stringify(outputs)).not.toContain(password);
	});

	test('Get and Get Many read the trunks', async () => {
		const items = await three();
		await expectItems(service, operation('get'), items, [
			{ id: items[0]?.id, is_verified: true, health_status: 'healthy' },
			{ id: items[1]?.id, is_verified: false, health_status: null },
			failed('NOT_FOUND', { httpStatus: 404 }),
		]);
		const simple = await service.run(operation('get'), items.slice(0, 1));
		expect(Object.keys(simple.outputs[0]?.[0]?.json ?? {})).toHaveLength(10);
		const whole = await service.run(operation('get', { output: 'raw' }), items.slice(0, 1));
		expect(whole.outputs[0]?.[0]?.json).toEqual((await service.api('GET', `sip-trunks/${items[0]?.id}`)).body.data);
		const listed = await service.run(operation('getAll', { returnAll: true }));
		expect(listed.outputs[0]?.map(({ json }) => json)).toEqual(await trunks());
		expect((await service.run(operation('getAll', { limit: 1 }))).outputs[0]).toHaveLength(1);
	});

	test('Update sends only what was added, and returns the verification status', async () => {
		const [used, dead] = await three();
		const update = (updateFields: object) => operation('update', { updateFields });
		const items = [
			{ ...used, name: 'Renamed', active: 'true' },
			{ ...dead, name: 'Renamed', active: true },
			{ ...used, name: '', active: true },
			{ ...used, name: 'x'.repeat(256), active: true },
		];
		const sent = await expectItems(
			service,
			update({ name: '={{ $json.name }}', active: '={{ $json.active }}' }),
			items,
			[
				{ id: used?.id, name: 'Renamed', is_verified: true, is_active: true },
				failed('VALIDATION_ERROR', { message: expect.stringContaining('verified before') }),
				failed('INVALID_INPUT', { message: expect.stringContaining("'Name' is empty") }),
				failed('INVALID_INPUT', { message: expect.stringContaining('255 characters at most') }),
			],
		);
		expect(sent).toEqualInAnyOrder(
			[used, dead].map((trunk) => ['PUT', `sip-trunks/${trunk?.id}`, { name: 'Renamed', is_active: true }]),
		);
		const moved = await expectItems(
			service,
			update({ domain: 'other.example.com', password, port: 5060 }),
			items.slice(0, 1),
			[{ id: used?.id, is_verified: false, is_active: false }],
		);
		expect(moved).toEqual([['PUT', `sip-trunks/${used?.id}`, { domain: 'other.example.com', password, port: 5060 }]]);
		const nothing = await expectItems(service, update({}), items.slice(0, 1), [
			failed('INVALID_INPUT', { message: expect.stringContaining('nothing to update') }),
		]);
		expect(nothing).toEqual([]);
	});

	test('Verify returns a result, even if the verification failed', async () => {
		const items = await three();
		const sent = await expectItems(
			service,
			operation('verify'),
			[...items, { id: '' }],
			[
				{ success: true, is_verified: true, health_status: 'healthy' },
				{
					success: false,
					is_verified: false,
					health_status: 'unhealthy',
					error: expect.stringContaining('pbx.invalid'),
				},
				failed('NOT_FOUND'),
				failed('INVALID_INPUT', { message: expect.stringContaining("'SIP Trunk' is empty") }),
			],
		);
		expect(sent).toEqualInAnyOrder(items.map(({ id }) => ['POST', `sip-trunks/${id}/verify`]));
	});

	test('Verify accepts a result with any HTTP status, but not an error response', async () => {
		const [used] = await three();
		const data = { is_verified: false, health_status: 'unhealthy', error: 'No answer.' };
		await service.fault({ kind: 'status', status: 422, body: { success: false, data } });
		await expectItems(service, operation('verify'), [used ?? {}], [{ success: false, ...data }]);
		await service.fault({
			kind: 'status',
			status: 422,
			body: { success: false, message: 'No.', errors: { trunk: ['is busy'] } },
		});
		await expectItems(service, operation('verify'), [used ?? {}], [failed('VALIDATION_ERROR')]);
	});

	test('Check Health reports a carrier that does not respond', async () => {
		const items = await three();
		const sent = await expectItems(
			service,
			operation('checkHealth'),
			[...items, { id: '..' }],
			[
				{ is_healthy: true, response_time_ms: expect.any(Number), checked_at: expect.any(String) },
				{ is_healthy: false, error: expect.stringContaining('pbx.invalid') },
				failed('NOT_FOUND'),
				failed('INVALID_INPUT'),
			],
		);
		expect(sent).toEqualInAnyOrder(items.map(({ id }) => ['GET', `sip-trunks/${id}/health`]));
	});

	test('Add Number, Get Numbers and Remove Number manage the numbers of a trunk', async () => {
		const [used] = await three();
		const path = `sip-trunks/${used?.id}/dids`;
		const add = operation('addNumber', {
			sipTrunk: byId(service.seed.sipTrunk),
			phoneNumber: '={{ $json.number }}',
			countryCode: '={{ $json.country }}',
		});
		const numbers = [
			{ number: '+49 (0)30 1234567', country: 'de' },
			{ number: '+12025550177', country: 'US' },
			{ number: '+12025550177', country: 'USA' },
			{ number: '030 1234567', country: 'DE' },
			{ number: '+13125550142', country: 'US' },
		];
		const added = await expectItems(service, add, numbers, [
			{ id: expect.any(String), number: '+49301234567', country_code: 'DE', trunk_id: used?.id },
			{ number: '+12025550177' },
			failed('INVALID_INPUT', { message: expect.stringContaining('\'Country Code\' cannot be "USA"') }),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Phone Number'") }),
			failed('DID_ALREADY_EXISTS'),
		]);
		expect(added).toEqual([
			['POST', path, { number: '+49301234567', country_code: 'DE' }],
			['POST', path, { number: '+12025550177', country_code: 'US' }],
			['POST', path, { number: '+13125550142', country_code: 'US' }],
		]);

		const listed = await service.run(operation('getNumbers', { returnAll: true }), [{ id: used?.id }]);
		const ids = listed.outputs[0]?.map(({ json }) => String(json.id)) ?? [];
		expect((await service.api('GET', path)).body.data).toEqual(listed.outputs[0]?.map(({ json }) => json));
		expect(ids).toHaveLength(4);

		// A published agent uses the first number.
		await service.api('PUT', `agents/${service.seed.agents.published}/calling`, {
			direction: 'outbound',
			phone_number_ids: [ids[0]],
		});
		await service.api('POST', `agents/${service.seed.agents.published}/publish`);
		const remove = operation('removeNumber', {
			sipTrunk: byId(service.seed.sipTrunk),
			trunkNumber: byId('={{ $json.number }}'),
		});
		const removed = await expectItems(
			service,
			remove,
			[...ids, ''].map((number) => ({ number })),
			[
				failed('DID_IN_USE', { message: expect.stringContaining('Agent → Update first') }),
				...[1, 2, 3].map(() => ({ deleted: true })),
				failed('INVALID_INPUT'),
			],
		);
		expect(removed).toEqual(ids.map((id) => ['DELETE', `${path}/${id}`]));
		expect((await service.api('GET', path)).body.data).toMatchObject([{ id: ids[0] }]);
	});

	test('Delete removes a trunk without numbers', async () => {
		const [used, dead, gone] = await three();
		const sent = await expectItems(service, operation('delete'), [used, dead, gone, { id: '' }] as never, [
			failed('TRUNK_HAS_DIDS', { message: expect.stringContaining('Remove its numbers first') }),
			{ deleted: true },
			failed('NOT_FOUND'),
			failed('INVALID_INPUT'),
		]);
		expect(sent).toEqualInAnyOrder([used, dead, gone].map((trunk) => ['DELETE', `sip-trunks/${trunk?.id}`]));
		expect((await trunks()).map(({ id }) => id)).toEqual([used?.id]);
	});

	test.each(['get', 'getAll', 'verify', 'checkHealth', 'getNumbers'])(
		'%s reports that custom SIP trunks need a plan that includes them',
		async (name) => {
			const { sipTrunk } = service.seed;
			await service.fault({ kind: 'status', status: 403, body: { success: false, message: 'Not in your plan.' } });
			const { run } = await service.run(operation(name), [{ id: sipTrunk }]);
			expect(run.error).toMatchObject({ description: expect.stringContaining('plan') });
		},
	);

	test('the error of a plan without SIP trunks differs from that of a token without permission', async () => {
		const other = await startService({ customSipTrunks: false });
		const { run } = await other.run(operation('getAll'));
		expect(run.error).toMatchObject({
			message: expect.stringContaining('does not include custom SIP trunks'),
			description: expect.stringContaining('allow_custom_sip_trunks'),
		});
	});
});

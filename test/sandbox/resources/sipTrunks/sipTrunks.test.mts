import { asList, asText } from '../../client.mts';
import { useService } from '../../use.mts';

const service = useService();
let path: string;
let agent: string;
beforeEach(() => {
	path = `/sip-trunks/${service.seed.sipTrunk}`;
	agent = `/agents/${service.seed.agents.draft}`;
});
const listed = async (url: string) => asList((await service.api('GET', url)).data.data);

describe('the DIDs of a SIP trunk', () => {
	const add = async (number: string, country_code = 'US') =>
		(await service.api('POST', `${path}/dids`, { number, country_code })).data;
	const phoneNumber = async (id: string) => (await listed('/phone-numbers')).find((number) => asText(number.id) === id);
	const remove = async (url: string) => {
		const { status, data } = await service.api('DELETE', url);
		return [status, data.code ?? asText(data.message)];
	};
	/** Assigns numbers to the draft agent and publishes it. */
	const publishWith = async (...ids: unknown[]) => {
		await service.api('PUT', `${agent}/calling`, { direction: 'outbound', phone_number_ids: ids });
		return service.api('POST', `${agent}/publish`);
	};
	const call = async () => (await service.api('POST', `${agent}/call`, { to: '+12025550001' })).status;

	it('are phone numbers of the environment, each once, which can be called from', async () => {
		const [first] = await listed(`${path}/dids`);
		expect(await phoneNumber(asText(first!.id))).toMatchObject({ ...first, type: 'voice', current_status: 'active' });
		const { data } = await add('+442079460999', 'GB');
		expect(data).toMatchObject({ formatted_number: '+442079460999', trunk_id: service.seed.sipTrunk });
		expect(await listed(`${path}/dids`)).toHaveLength(3);
		await publishWith(data.id);
		await call();
		expect((await listed('/calls'))[0]!.from).toBe('+442079460999');
		for (const number of ['+13125550142', '+12025550123']) {
			expect((await add(number)).code).toBe('DID_ALREADY_EXISTS');
		}
	});

	it('cannot be deleted while a published agent has them; a draft agent loses them', async () => {
		const id = asText((await add('+13125550177')).data.id);
		await publishWith(id, service.seed.phoneNumber);
		expect(await remove(`${path}/dids/${id}`)).toEqual([409, 'DID_IN_USE']);
		await service.api('POST', `${agent}/unpublish`);
		expect((await remove(`${path}/dids/${id}`))[0]).toBe(200);
		expect(await phoneNumber(id)).toBeUndefined();
		expect((await service.api('GET', agent)).data.data.phone_numbers).toMatchObject([{ id: service.seed.phoneNumber }]);
		expect((await add('+13125550177')).success).toBe(true);
	});

	it('prevent the deletion of their trunk, as calls do', async () => {
		const dids = await listed(`${path}/dids`);
		await publishWith(dids[0]!.id);
		await call();
		await service.api('POST', `${agent}/unpublish`);
		expect(await remove(path)).toEqual([409, expect.stringContaining('active calls')]);
		expect((await remove(`${path}/dids/${asText(dids[0]!.id)}`))[0]).toBe(409);
		await service.advance(60);
		expect(await remove(path)).toEqual([409, 'TRUNK_HAS_DIDS']);
		for (const did of dids) {
			await remove(`${path}/dids/${asText(did.id)}`);
		}
		expect((await remove(path))[0]).toBe(200);
	});

	it('are active while their trunk is', async () => {
		const id = asText((await add('+13125550177')).data.id);
		await publishWith(id);
		expect(await call()).toBe(200);
		await service.api('PUT', path, { password: 'new' });
		expect(await phoneNumber(id)).toMatchObject({ current_status: 'inactive' });
		await service.api('POST', `${path}/verify`);
		expect(await call()).toBe(400);
		await service.api('PUT', path, { is_active: true });
		expect(await call()).toBe(200);
	});
});

test.each([
	['domain', 'other.example.com'],
	['transport', 'tcp'],
	['username', 'other'],
	['password', 'other'],
	['auth_realm', 'other'],
])('a SIP trunk must be verified again, and is inactive, after a change of its %s', async (field, value) => {
	const update = async (changes: object) => (await service.api('PUT', path, changes)).data;
	expect(Object.keys((await update({ [field]: value, is_active: true })).errors)).toEqual(['is_active']);
	const { data } = await service.api('GET', path);
	expect(data.data).toMatchObject({ is_active: true, is_verified: true });
	expect((await update({ [field]: value })).data).toMatchObject({ is_active: false, is_verified: false });
});

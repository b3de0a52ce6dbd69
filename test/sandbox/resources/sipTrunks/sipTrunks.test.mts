import { asText } from '../../client.mts';
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
});

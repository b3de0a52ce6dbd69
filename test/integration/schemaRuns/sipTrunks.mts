import { byId } from '../service.mts';
import type { Runs } from './runs.mts';

export const sipTrunk: Runs = (service) => {
	const sipTrunk = byId(service.seed.sipTrunk);
	const carrier = {
		name: 'Carrier',
		providerName: 'example',
		username: 'ada',
		password: 'pa55word',
		options: { transport: 'tcp' },
	};
	const trunks = async () =>
		(await service.api('GET', 'sip-trunks')).body.data as Array<{ id: string; domain: string }>;
	const dead = async () => byId((await trunks()).find(({ domain }) => domain.endsWith('.invalid'))?.id ?? '');
	return {
		create: [
			{ ...carrier, domain: 'sip.example.com' },
			{ ...carrier, domain: 'pbx.invalid' },
		],
		getAll: [{ returnAll: true }],
		get: async () => [{ sipTrunk }, { sipTrunk: await dead() }],
		checkHealth: async () => [{ sipTrunk }, { sipTrunk: await dead() }],
		verify: async () => [{ sipTrunk }, { sipTrunk: await dead() }],
		update: [{ sipTrunk, updateFields: { name: 'Renamed' } }],
		getNumbers: [{ sipTrunk, returnAll: true }],
		addNumber: [{ sipTrunk, carrierNumber: '+12025550177', countryCode: 'US' }],
		removeNumber: async () => {
			const { body } = await service.api('GET', `sip-trunks/${service.seed.sipTrunk}/dids`);
			return [{ sipTrunk, trunkNumber: byId((body.data as Array<{ id: string }>).at(-1)?.id ?? '') }];
		},
		delete: async () => [{ sipTrunk: await dead() }],
	};
};

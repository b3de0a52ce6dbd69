import { type Service, startService } from '../../service.mts';
import { failed } from './items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const getMany = (more = {}) => ({ resource: 'phoneNumber', operation: 'getAll', returnAll: true, ...more });
const all = async () => (await service.api('GET', 'phone-numbers')).body.data as Array<{ id: string; number: string }>;

describe('Phone Number', () => {
	test('Get Many sends only the filters that were added', async () => {
		const filters = {
			type: '={{ $json.type }}',
			hasVoice: '={{ $json.voice }}',
			hasWhatsapp: false,
			direction: 'outbound',
			search: '={{ $json.search }}',
		};
		const [first, second] = await all();
		const items = [
			{ type: 'voice', voice: true, search: first?.number },
			{ type: 'voice', voice: 'true', search: second?.id },
			{ type: 'pager', voice: true, search: 'x' },
			{ type: 'fax', voice: false, search: 'x' },
		];
		const { length } = await service.requests();
		const { outputs } = await service.run(getMany({ filters }), items, { node: { onError: 'continueRegularOutput' } });
		expect(outputs[0]).toMatchObject([
			{ json: { id: first?.id, number: first?.number }, pairedItem: { item: 0 } },
			{ json: { id: second?.id }, pairedItem: { item: 1 } },
			{ json: failed('INVALID_INPUT'), pairedItem: { item: 2 } },
		]);
		const common = { has_whatsapp: 'false', direction: 'outbound' };
		expect((await service.requests()).slice(length).map(({ query }) => query)).toEqualInAnyOrder([
			{ ...common, type: 'voice', has_voice: 'true', search: first?.number },
			{ ...common, type: 'voice', has_voice: 'true', search: second?.id },
			{ ...common, type: 'fax', has_voice: 'false', search: 'x' },
		]);
	});

	test('Get Many returns ten fields, or all without Simplify', async () => {
		const { outputs } = await service.run(getMany());
		expect(outputs[0]?.map(({ json }) => json.id)).toEqual((await all()).map(({ id }) => id));
		expect(Object.keys(outputs[0]?.[0]?.json ?? {})).toHaveLength(10);
		const whole = await service.run(getMany({ output: 'raw', returnAll: false, limit: 2 }));
		expect(whole.outputs[0]?.map(({ json }) => json)).toEqual((await all()).slice(0, 2));
		expect((await service.requests('GET')).at(0)?.query).toEqual({});
	});

	test('an error contains the message of the service', async () => {
		await service.fault({
			kind: 'status',
			status: 422,
			body: { success: false, message: 'Invalid.', errors: { type: ['is not known'] } },
		});
		const { run } = await service.run(getMany());
		expect(run.error?.message).toContain('type: is not known');
	});
});

import { startService } from '../service.mts';
import type { Service } from '../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const three = [{ n: 1 }, { n: 2 }, { n: 3 }];
const links = (...indexes: number[]) => indexes.map((item) => ({ item }));

describe('Service', () => {
	test('Check Health asks once for each item', async () => {
		const { outputs } = await service.run({ resource: 'service', operation: 'checkHealth' }, three);
		expect(outputs[0]).toMatchObject(links(0, 1, 2).map((pairedItem) => ({ json: { status: expect.any(String) }, pairedItem })));
		expect(await service.requests('GET', '/health')).toHaveLength(3);
	});
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CONTROLS } from '../../../sandbox/control/routes.mts';
import { type SandboxClient, startClient } from '../client.mts';

const page = readFileSync(join(__dirname, '../../../docs/contributing/sandbox.md'), 'utf8');

const declared = CONTROLS.map(({ method, path }) => `${method} ${path}`);

describe('every control route', () => {
	let service: SandboxClient;
	beforeAll(async () => {
		service = await startClient();
	});
	afterAll(async () => {
		await service.close();
	});

	it('has a row in docs/contributing/sandbox.md, and every row has its route', () => {
		const [, table = ''] = page.split('<!-- control routes -->');
		const rows = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| `([A-Z]+ [\w/:-]+)` \|/gm)].map(([, row]) => row);
		expect(rows.length).toBeGreaterThan(30);
		expect(rows.toSorted()).toEqual(declared.toSorted());
	});

	it.each(declared)('%s refuses another host and the pages of websites', async (route) => {
		const [method = '', path = ''] = route.split(' ');
		const url = `${service.url}/_sandbox/${path.replace(/:\w+/g, 'x')}`;
		const foreign = await fetch(url, { method, headers: { Origin: 'https://example.com' } });
		expect([foreign.status, ((await foreign.json()) as { message: string }).message]).toEqual([
			403,
			'The sandbox is not for pages of https://example.com.',
		]);
	});

	it.each(CONTROLS.filter(({ body }) => body._def.typeName !== 'ZodUnknown').map(({ method, path }) => [method, path]))(
		'%s %s says which field of a body it does not know',
		async (method, path) => {
			const body = '{"speeed": 1, "__proto__": 1}';
			const { status, data } = await service.controlResponse(method!, path!.replace(/:\w+/g, 'x'), body);
			expect([status, data.errors]).toEqual([422, expect.objectContaining({ speeed: ['There is no speeed field.'] })]);
		},
	);
});

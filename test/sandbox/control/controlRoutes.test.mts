import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CONTROLS } from '../../../sandbox/control/routes.mts';
import { root } from '../../../scripts/lib/places.mts';
import { useService } from '../use.mts';

const service = useService();

describe('every control route', () => {
	it('has a row in docs/contributing/sandbox.md, and every row has its route', () => {
		const page = readFileSync(join(root, 'docs', 'contributing', 'sandbox.md'), 'utf8');
		const [, table = ''] = page.split('<!-- control routes -->');
		const rows = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| `([A-Z]+ [\w/:-]+)` \|/gm)].map(([, row]) => row);
		expect(rows.length).toBeGreaterThan(30);
		expect(rows.toSorted()).toEqual(CONTROLS.map(({ method, path }) => `${method} ${path}`).toSorted());
	});

	it('says which field of a body it does not know', async () => {
		for (const { method, path } of CONTROLS.filter(({ body }) => body._def.typeName !== 'ZodUnknown')) {
			const body = '{"speeed": 1, "__proto__": 1}';
			const { status, data } = await service.controlResponse(method, path.replace(/:\w+/g, 'x'), body);
			expect([path, status, data.errors?.speeed]).toEqual([path, 422, ['There is no speeed field.']]);
		}
	});
});

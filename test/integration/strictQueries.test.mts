import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { listSearch, loadOptions } from '../../nodes/shared/pickers/listSearch.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { root } from '../../scripts/lib/places.mts';
import { startChangedService } from './changedService.mts';
import { harness } from './harness.mts';
import { pickerRequest } from './pickerRequest.mts';
import { makeRuns } from './schemaRuns/run.mts';
import { type Service, startService } from './service.mts';

interface Endpoint {
	parameters?: Array<{ in: string; name: string }>;
}

const { paths } = JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8')) as {
	paths: Record<string, { get?: Endpoint }>;
};

const parametersIn = (path: string) => path.split('{').length;

/** The query parameters that each path documents for GET; paths with fewer parameters first. */
const documented = Object.entries(paths)
	.sort(([one], [other]) => parametersIn(one) - parametersIn(other))
	.map(([path, { get }]) => ({
		matches: new RegExp(`${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
		names: get?.parameters?.filter((parameter) => parameter.in === 'query').map(({ name }) => name) ?? [],
	}));

/** A service that refuses what it does not document in a query. */
let service: Service;
let refused: string[] = [];
beforeAll(async () => {
	service = await startChangedService(
		(body) => body,
		{},
		(method, { pathname, searchParams }) => {
			const names = documented.find(({ matches }) => matches.test(pathname))?.names ?? [];
			const unknown = method === 'GET' ? [...searchParams.keys()].filter((name) => !names.includes(name)) : [];
			if (unknown.length === 0) {
				return undefined;
			}
			refused.push(`${pathname} ${unknown.join(' ')}`);
			return { success: false, message: 'Unknown parameters.', errors: { [unknown[0]]: ['This is unknown.'] } };
		},
	);
});
beforeEach(() => {
	refused = [];
});

test.each(resources.map(({ value }) => [value] as const))(
	'each operation of %s works with a service that refuses unknown parameters in a query',
	async (resource) => {
		const made = makeRuns(service, resource);
		await made.catch(() => undefined);
		expect(refused).toEqual([]);
		await made;
	},
	60_000,
);

test('so do all pickers and menus', async () => {
	await service.reset();
	for (const method of Object.keys(listSearch)) {
		await harness.listSearch(await pickerRequest(service, method)).catch(() => undefined);
	}
	for (const method of Object.keys(loadOptions)) {
		await harness.loadOptions(await pickerRequest(service, method)).catch(() => undefined);
	}
	expect(refused).toEqual([]);
});

test('a list that has further pages without documenting it is read to its end, also if it returns its first page again', async () => {
	const sipTrunks = { resource: 'sipTrunk', operation: 'getAll', returnAll: true };
	for (const pages of [
		[1, 2],
		[1, 1],
	]) {
		const other = await startService();
		for (const current_page of pages) {
			const body = { success: true, data: [{ id: `t${current_page}` }], meta: { current_page, last_page: 2 } };
			await other.fault({ match: { path: '/api/v1/sip-trunks' }, kind: 'status', status: 200, body, times: 1 });
		}
		const { outputs } = await other.run(sipTrunks);
		expect(outputs[0]?.map(({ json }) => json.id)).toEqual([...new Set(pages)].map((page) => `t${page}`));
		expect((await other.requests('GET', '/sip-trunks')).map(({ query }) => query)).toEqual([{}, { page: '2' }]);
	}
});

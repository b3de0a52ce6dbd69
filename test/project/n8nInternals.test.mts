import { join, matchesGlob } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { read, sourcesIn } from './sources.mts';

const INTERNALS = 'nodes/shared/n8nInternals.ts';
/** What n8n does not promise: data of its engine, which only these methods and expressions reach. */
const internal =
	/evaluateExpression|getExecuteData|getWorkflowDataProxy|\$(execution|input|node|runIndex)\b|resumeUrl/g;

test('one file relies on what n8n does not promise', () => {
	const others = sourcesIn('nodes').filter((file) => file !== INTERNALS);
	expect(others.length).toBeGreaterThan(100);
	expect(others.flatMap((file) => (read(file).match(internal) ?? []).map((found) => `${file}: ${found}`))).toEqual([]);
});

test('each use in it names tests that run in every supported n8n', () => {
	process.env.TEST_TIER = 'compat';
	const { projects } = jest.requireActual<{ projects: [{ testMatch: string[] }] }>(join(root, 'jest.config.cjs'));
	const runs = (suite: string) =>
		projects[0].testMatch.some((pattern) => matchesGlob(`<rootDir>/test/e2e/${suite}.test.mts`, pattern));
	const docs = read(INTERNALS)
		.split(/^export function /m)
		.slice(0, -1)
		.map((before) => before.slice(before.lastIndexOf('/**')).replace(/\s*\n \*\s*/g, ' '));
	expect(docs.length).toBeGreaterThan(5);
	for (const doc of docs) {
		const named = [...doc.slice(doc.indexOf('Tests:')).matchAll(/e2e\/(\w+)|"([^"]+)"/g)];
		let suite = '';
		expect({ doc, named: named.length > 1 }).toEqual({ doc, named: true });
		for (const [, file, title = ''] of named) {
			suite = file ?? suite;
			expect({ suite, runs: runs(suite) }).toEqual({ suite, runs: true });
			expect(read(`test/e2e/${suite}.test.mts`)).toContain(title);
		}
	}
});

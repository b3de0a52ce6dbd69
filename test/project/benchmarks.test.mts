import { read, tables } from '../bench/page.mts';

test('nobody has edited what npm run bench measured in docs/contributing/benchmarks.md', () => {
	const rows = (Object.keys(tables) as Array<keyof typeof tables>).map((name) => read(name).length);
	expect(Math.min(...rows)).toBeGreaterThan(0);
});

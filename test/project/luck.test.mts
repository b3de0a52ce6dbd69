import { read, sourcesIn } from './sources.mts';

test('what a property is tried with does not depend on luck: no test imports fast-check without the seed', () => {
	const importing = sourcesIn('test').filter((file) => /^import .* from 'fast-check'/m.test(read(file)));
	expect(importing).toEqual(['test/fastCheck.mts']);
});

test('no test sets HOME, TMPDIR or TZ for itself: jest gives it a copy of the environment, which the system does not read', () => {
	const setting = sourcesIn('test').filter((file) => /process\.env\.(HOME|TMPDIR|TZ) \??\??=[^=]/.test(read(file)));
	expect(setting).toEqual([]);
});

import { read, sourcesIn } from './sources.mts';

test('what a property is tried with does not depend on luck: no test imports fast-check without the seed', () => {
	const importing = sourcesIn('test').filter((file) => /^import .* from 'fast-check'/m.test(read(file)));
	expect(importing).toEqual(['test/fastCheck.mts']);
});

test('no test leans on another home, folder or time zone that it sets for itself: the system reads those that jest was started with', () => {
	const setting = sourcesIn('test').filter((file) => /process\.env\.(HOME|TMPDIR|TZ) \??\??=[^=]/.test(read(file)));
	expect(setting).toEqual([]);
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const source = pathToFileURL(join(__dirname, '..', '..', 'scripts', 'lib', 'jest.mts')).href;
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'tests with blanks '));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs two test files in workers. @param left what the first one does besides */
function run(left: string) {
	writeFileSync(join(folder, 'first.test.js'), `test('passes', () => { ${left} });`);
	writeFileSync(join(folder, 'second.test.js'), "test('passes', () => {});");
	const config = JSON.stringify({ rootDir: folder, cacheDirectory: join(folder, 'cache') });
	const args = JSON.stringify(['--config', config, '--maxWorkers=2']);
	const script = `const { runJest } = await import(${JSON.stringify(source)});
		console.log(await runJest(${args}, { exitSeconds: 2 }));`;
	return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
}

test('a run whose tests pass fails all the same if one leaves something open', () => {
	const { stdout, stderr } = run('require("net").createServer().listen(0, "127.0.0.1");');
	expect(stderr).toContain('2 passed');
	expect(stdout.trim()).toBe('1');
});

test('a run that leaves nothing open passes', () => {
	expect(run('').stdout.trim()).toBe('0');
});

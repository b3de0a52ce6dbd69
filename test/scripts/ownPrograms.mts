import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A folder for each test of a file, with programs of the test's own: what a module of scripts/setup/ finds on its machine. */
export function ownPrograms() {
	let folder = '';
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'set up with blanks '));
	});
	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	const path = (...parts: string[]) => join(folder, ...parts);
	return {
		/** A path in the folder. */
		path,

		/** Makes a program of a few shell lines. @returns its path */
		program(name: string, script = ''): string {
			const file = path(name);
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, `#!/bin/sh\n${script}\n`);
			chmodSync(file, 0o755);
			return file;
		},

		/**
		 * Calls a function of a module as a user: 0 is root.
		 *
		 * @returns what it returns, or the message of its error
		 */
		call(user: number, module: string, name: string, ...args: unknown[]): unknown {
			const source = pathToFileURL(join(__dirname, '..', '..', 'scripts', 'setup', module)).href;
			const script = [
				`process.getuid = () => ${user};`,
				`const { ${name}: call } = await import(${JSON.stringify(source)});`,
				`const answer = async () => await call(...${JSON.stringify(args)});`,
				'console.log(JSON.stringify(await answer().catch(({ message }) => message)));',
			].join('\n');
			const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
			return JSON.parse(stdout);
		},
	};
}

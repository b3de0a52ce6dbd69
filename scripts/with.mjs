// Installs what a command needs, then runs it with Node.js 24: node scripts/with.mjs [need ...] -- node <file>
// [arguments] scripts/setup/install.mjs and programs.mjs list the needs. These files are plain JavaScript without
// libraries, because they run before anything is installed.
import { runWith } from './setup/install.mjs';

const [separator, command] = [process.argv.indexOf('--'), 'node scripts/with.mjs [need ...] -- node <file>'];
const [program, ...args] = separator === -1 ? [] : process.argv.slice(separator + 1);
if (program === 'node') {
	await runWith({ needs: process.argv.slice(2, separator), run: args });
} else {
	console.error(`Usage: ${command}`);
	process.exitCode = 2;
}

import { prepareNode } from './install.mjs';
import { prepare } from './needs.mjs';
import { root, say } from './places.mjs';
import { runTask } from './process.mjs';

/**
 * Installs what a command needs, then runs it with Node.js 24. Sets the exit status of this process.
 *
 * @param needs names from needs.mjs
 * @param run arguments for Node.js 24
 * @param explain checks the command's own arguments before anything is installed, and returns the help if it was asked for
 */
export async function runWith({ needs, run, explain }) {
	try {
		const help = explain?.(run.slice(1));
		if (help) {
			console.log(help);
			return;
		}
		const toolchain = await prepareNode();
		await prepare(needs, toolchain);
		process.exitCode = await runTask(toolchain.node.path, run, { cwd: root, env: toolchain.env });
	} catch (error) {
		say(error.message);
		process.exitCode ||= error.exitStatus ?? 1;
	}
}

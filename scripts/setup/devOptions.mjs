import { parseArgs } from 'node:util';

const options = { sandbox: { type: 'boolean' }, reset: { type: 'boolean' }, help: { type: 'boolean' } };

const help = `npm run dev: a real n8n with the nodes, which loads them again after each change of their source.

  npm run dev                 workflows and credentials stay for the next time
  npm run dev -- --sandbox    with the sandbox of the service, too
  npm run dev -- --reset      deletes what earlier runs have left, and starts over
  npm run dev -- --help       shows this`;

/**
 * Checks the options of `npm run dev`.
 *
 * @returns the help, if it was asked for
 * @throws Error with the exit status 2 if the command line is wrong
 */
export function explainDev(args) {
	try {
		return parseArgs({ args, options }).values.help ? help : undefined;
	} catch (error) {
		throw Object.assign(new Error(`npm run dev: ${error.message}`), { exitStatus: 2 });
	}
}

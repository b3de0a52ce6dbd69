import { parseArgs } from 'node:util';

const help = `npm start: a real n8n with the nodes, and the sandbox of the service. No phone rings.

  npm start                     starts over each time
  npm start -- --keep           keeps workflows, credentials and sandbox data for the next start with --keep
  npm start -- --keep --reset   deletes what was kept, and starts over
  npm start -- --once           ends by itself after the first events; also with --keep
  npm start -- --help           shows this`;

const names = ['keep', 'reset', 'once', 'help'];

/** Creates an error with the exit status 2 and a message of one line for the user. */
function usageError(problem) {
	const options = names.map((name) => `--${name}`).join(', ');
	return Object.assign(new Error(`npm start: ${problem}. Options: ${options}.`), { exitStatus: 2 });
}

/**
 * Checks the options of `npm start`, before anything is installed.
 *
 * @returns the help text for --help
 * @throws Error with the exit status 2
 */
export function explainStart(args, env = process.env) {
	let values;
	try {
		({ values } = parseArgs({ args, options: Object.fromEntries(names.map((name) => [name, { type: 'boolean' }])) }));
	} catch (error) {
		const [problem] = error.message.split('. ', 1);
		throw usageError(problem.replace(/^./, (letter) => letter.toLowerCase()).replace(/\.$/, ''));
	}
	if (values.help) {
		return help;
	}
	// npm consumes options that are not after `--`.
	const taken = names.find((name) => env[`npm_config_${name}`] && !args.includes(`--${name}`));
	if (taken) {
		throw usageError(`npm has taken --${taken} for itself: write npm start -- --${taken}`);
	}
	if (values.reset && !values.keep) {
		throw usageError('--reset deletes what --keep has kept: write npm start -- --keep --reset');
	}
	return undefined;
}

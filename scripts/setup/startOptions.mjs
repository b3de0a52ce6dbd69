import { parseArgs } from 'node:util';

const help = `npm start: a real n8n with the nodes, and the sandbox of the service. No phone rings.

  npm start                     starts over each time
  npm start -- --keep           keeps workflows, credentials and sandbox data for the next start with --keep
  npm start -- --keep --reset   deletes what was kept, and starts over
  npm start -- --once           ends by itself after the first events; also with --keep
  npm start -- --help           shows this`;

const names = ['keep', 'reset', 'once', 'help'];

/** A wrong command line; the message is one line for the user. */
class UsageError extends Error {
	exitStatus = 2;

	constructor(problem) {
		super(`npm start: ${problem}. Options: ${names.map((name) => `--${name}`).join(', ')}.`);
	}
}

/**
 * Checks the options of `npm start`.
 *
 * @returns the help, if it was asked for
 * @throws UsageError
 */
export function explainStart(args, env = process.env) {
	const { help: isHelp, keep, reset } = parse(args);
	if (isHelp) {
		return help;
	}
	// npm takes for itself what is not after `--`.
	const taken = names.find((name) => env[`npm_config_${name}`] && !args.includes(`--${name}`));
	if (taken) {
		throw new UsageError(`npm has taken --${taken} for itself: write npm start -- --${taken}`);
	}
	if (reset && !keep) {
		throw new UsageError('--reset deletes what --keep has kept: write npm start -- --keep --reset');
	}
	return undefined;
}

function parse(args) {
	try {
		return parseArgs({ args, options: Object.fromEntries(names.map((name) => [name, { type: 'boolean' }])) }).values;
	} catch (error) {
		const [problem] = error.message.split('. ', 1);
		throw new UsageError(problem.replace(/^./, (letter) => letter.toLowerCase()).replace(/\.$/, ''));
	}
}

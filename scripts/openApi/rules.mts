import { join } from 'node:path';

import { root } from '../lib/places.mts';
import { runCaptured } from '../lib/process.mts';

/** Spectral's rules, as tools/openapi/spectral.yaml has them. @returns the problems; none if it is clean */
export async function spectralProblems(document: string): Promise<string[]> {
	const tools = join(root, 'tools', 'openapi');
	const program = join(tools, 'node_modules', '@stoplight', 'spectral-cli', 'dist', 'index.js');
	const options = ['--ruleset', join(tools, 'spectral.yaml'), '--format', 'json', '--quiet', '--fail-severity', 'hint'];
	const { status, output } = await runCaptured([program, 'lint', document, ...options], root);
	const json = output.slice(output.indexOf('['), output.lastIndexOf(']') + 1) || '[]';
	const problems = JSON.parse(json) as Array<{ code: string; message: string; path: string[] }>;
	if (status !== 0 && problems.length === 0) {
		throw new Error(output);
	}
	return problems.map(({ code, message, path }) => `${code}: ${message} (${path.join('/')})`);
}

/** Redocly's recommended rules, as tools/openapi/redocly.yaml has them. @returns the problems; none if it is clean */
export async function redoclyProblems(document: string): Promise<string[]> {
	const tools = join(root, 'tools', 'openapi');
	const program = join(tools, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
	Object.assign(process.env, { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' });
	const config = join(tools, 'redocly.yaml');
	const { status, output } = await runCaptured([program, 'lint', document, '--config', config, '--format=json'], root);
	const json = output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1);
	const { problems } = JSON.parse(json) as {
		problems: Array<{ ruleId: string; message: string; location: Array<{ pointer: string }> }>;
	};
	if (status !== 0 && problems.length === 0) {
		throw new Error(output);
	}
	return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
}

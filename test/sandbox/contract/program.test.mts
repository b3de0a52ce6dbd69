import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { readOptions, WrongCommandLine } from '../../../sandbox/contract/options.mts';
import type { Report } from '../../../sandbox/contract/report.mts';
import { groups } from '../../../sandbox/contract/steps/index.mts';
import { asList, asText } from '../client.mts';
import { listening } from '../listening.mts';
import { main, startInTerminal, startMain } from '../programs.mts';
import { filesIn, freePort, leftIn, NUMBER, newHome, startService, TOKEN, withResult } from './runs.mts';

/** Starts the program. @param home the folder of its files */
function run(home: string, args: string[], { input = '', token = TOKEN }: { input?: string; token?: string } = {}) {
	const env = { ...process.env, HOME: home, VOICE_AGENT_CALLING_TOKEN: token || undefined };
	const started = startMain(['contract', ...args, '--out', join(home, 'report')], env);
	started.child.stdin.end(input);
	return started;
}

const reportIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;

/** Starts a run that has created an agent and a campaign, and waits for a response. */
async function runUnderWay(home: string) {
	const service = await startService();
	await service.control('faults', {
		match: { method: 'PUT', path: '/api/v1/campaigns/*' },
		kind: 'latency',
		ms: 60_000,
		times: 9,
	});
	const started = run(home, ['--base-url', service.url, '--write']);
	while ((await leftIn(service)).length < 2) {
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	return { service, ...started };
}

test('against the sandbox all that is tested is confirmed, nothing is left, and no secret, number or name is written', async () => {
	const service = await startService();
	const home = newHome();
	const receive = `http://127.0.0.1:${await freePort()}`;
	const args = ['--base-url', service.url, '--write', '--call', NUMBER, '--receive', receive];
	const ended = await run(home, args, { input: 'y\n' }).ended;
	expect(ended).toMatchObject({ code: 0, stderr: '' });
	const report = reportIn(join(home, 'report'));
	expect([withResult(report, 'otherwise'), report.ended, report.differences]).toEqual([[], null, []]);
	const questions = groups.flatMap(({ steps }) => steps.flatMap(({ confirms }) => Object.keys(confirms ?? {})));
	expect(withResult(report, 'confirmed').sort()).toEqual(expect.arrayContaining([...new Set(questions)].sort()));
	expect(await leftIn(service)).toEqual([]);
	const calls = asList(await service.control('calls')).filter(({ to }) => (to as unknown) === NUMBER);
	expect(calls.map(({ status }) => asText(status))).toEqual(['completed']);
	const files = filesIn(home);
	expect(files).toHaveLength(2);
	const hidden = [
		TOKEN,
		'contract-check-signing-secret',
		NUMBER.slice(1),
		'Amelia',
		'Berlin',
		service.seed.agents.published,
	];
	for (const text of [...files, ended.stdout.replace(`Call ${NUMBER} now?`, ''), ended.stderr]) {
		expect(hidden.filter((secret) => text.includes(secret))).toEqual([]);
	}
	await service.close();
});

test('a service that repeats the token everywhere does not get it into what a run writes', async () => {
	const server = createServer((request, response) => {
		const own = request.headers.authorization?.slice('Bearer '.length) ?? 'none';
		const all = {
			[own]: own,
			message: `No ${own}.`,
			code: own.toUpperCase(),
			status: own,
			errors: { [own]: [own] },
			id: own,
		};
		request.resume();
		response.writeHead(request.method === 'GET' ? 200 : 422, {
			'X-RateLimit-Reset': own,
			[own]: encodeURIComponent(own),
		});
		response.end(JSON.stringify({ ...all, data: [all, { ...all, voices: [all] }] }));
	});
	const home = newHome();
	const ended = await run(home, ['--base-url', await listening(server), '--write']).ended;
	server.close();
	const texts = [...filesIn(home), ended.stdout, ended.stderr];
	expect(texts.filter((text) => text.toLowerCase().includes(TOKEN.toLowerCase()))).toEqual([]);
	expect(texts.join('')).toContain('[removed]');
}, 30_000);

test('Ctrl-C deletes what a run has created, and keeps the report; a second run does not begin meanwhile', async () => {
	const home = newHome();
	const { service, child, ended } = await runUnderWay(home);
	expect(await run(home, ['--base-url', service.url, '--write']).ended).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(/^contract: Another run is in progress \(process \d+\)\.[^\n]+\n$/),
	});
	child.kill('SIGINT');
	expect(await ended).toMatchObject({ code: 130, stderr: '' });
	expect([await leftIn(service), filesIn(home).length]).toEqual([[], 2]);
	expect(readFileSync(join(home, 'report', 'report.md'), 'utf8')).toContain('The run ended early: it was stopped.');
	await service.close();
});

test('the next start deletes what a killed run has left, whatever it is asked to do, and nothing of another run', async () => {
	const home = newHome();
	const { service, child, ended } = await runUnderWay(home);
	child.kill('SIGKILL');
	await ended;
	expect((await leftIn(service)).length).toBeGreaterThanOrEqual(2);
	expect(filesIn(home).join()).not.toContain(TOKEN);
	const name = 'Contract check, may be deleted (2026-01-01T00:00:00.000Z)';
	const owner_id = asText((await service.api('GET', '/calendars')).data.data![0]!.owner_id);
	await service.api('POST', '/calendars', { name, owner_id });
	await service.controlResponse('DELETE', 'faults');
	expect(await run(home, ['--base-url', service.url]).ended).toMatchObject({ code: 0, stderr: '' });
	expect(await leftIn(service)).toEqual([name]);
	await service.close();
});

test('it calls nobody without a yes', async () => {
	const service = await startService();
	const { code, stdout } = await run(newHome(), ['--base-url', service.url, '--call', NUMBER], { input: 'n\n' }).ended;
	expect({ code, asked: stdout.includes(`Call ${NUMBER} now? [y/N]`) }).toEqual({ code: 2, asked: true });
	expect(await service.control('requests')).toEqual([]);
	await service.close();
});

test('a run that finds something otherwise ends with 1', async () => {
	const service = await startService();
	await service.control('faults', {
		match: { path: '/api/v1/agents' },
		kind: 'status',
		status: 200,
		body: [],
		times: 100,
	});
	expect(await run(newHome(), ['--base-url', service.url]).ended).toMatchObject({ code: 1, stderr: '' });
	await service.close();
});

test.each([
	['--token', TOKEN],
	[`--token=${TOKEN}`],
	[TOKEN],
	[`--write=${TOKEN}`],
	['--call', TOKEN],
	['--base-url', TOKEN],
	['--base-url', `https://${TOKEN}@example.com`],
	['--base-url', `http://example.com/${TOKEN}`],
])('a wrong command line is refused in one line that repeats nothing: %s %s', (...args) => {
	const read = () => readOptions(['--base-url', 'https://service.invalid', ...args]);
	expect(read).toThrow(WrongCommandLine);
	expect(read).toThrow(/^[^\n]+\.$/);
	expect(read).not.toThrow(TOKEN);
});

test('in a terminal it asks for the token and does not show it, and without options it only reads', async () => {
	const service = await startService();
	const home = newHome();
	const program = `'${process.execPath}' '${main}' contract --base-url ${service.url} --out '${home}'`;
	const command = `exec env -u VOICE_AGENT_CALLING_TOKEN ${program}`;
	const terminal = startInTerminal(command, { ...process.env, HOME: home });
	await terminal.shown('token: ');
	terminal.child.stdin.write(`x\x7f${TOKEN}\r`);
	const { stdout: shown } = await terminal.ended;
	expect(shown).toMatch(/\d+ confirmed, 0 otherwise/);
	expect([shown, ...filesIn(home)].filter((text) => text.includes(TOKEN))).toEqual([]);
	const methods = asList(await service.control('requests')).map(({ method }) => asText(method));
	expect([...new Set(methods)]).toEqual(['GET']);
	const signature = reportIn(home).results.find(({ question }) => question === 'Signature');
	expect(signature).toMatchObject({ is: 'notTested', note: 'needs --write --receive URL' });
	await service.close();
});

test('without a token and without a terminal it says where the token comes from', async () => {
	const { code, stderr } = await run(newHome(), ['--base-url', 'https://service.invalid'], { token: '' }).ended;
	expect([code, stderr]).toEqual([
		2,
		'contract: The token is missing or contains spaces. Set VOICE_AGENT_CALLING_TOKEN.\n',
	]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { checks } from '../../../sandbox/contract/checks/index.mts';
import { readOptions, WrongCommandLine } from '../../../sandbox/contract/contractOptions.mts';
import type { Report } from '../../../sandbox/contract/report.mts';
import { asList, asText, type SandboxClient } from '../client.mts';
import { listening } from '../listening.mts';
import { main, startInTerminal, startMain } from '../programs.mts';
import { freePort, leftIn, NUMBER, newHome, start, startService, TOKEN, withResult } from './runs.mts';

/** Starts the program. @param home where it keeps its files */
function run(home: string, args: string[], { input = '', token = TOKEN }: { input?: string; token?: string } = {}) {
	const env = { ...process.env, HOME: home, VOICE_AGENT_CALLING_TOKEN: token || undefined };
	const started = startMain(['contract', ...args, '--out', join(home, 'report')], env);
	started.child.stdin.end(input);
	return started;
}

/** All that a run wrote below its home folder. */
const filesIn = (home: string) =>
	readdirSync(home, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));

/** Waits until a run has created something. */
async function untilCreated(service: SandboxClient): Promise<void> {
	while ((await leftIn(service)).length < 2) {
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}

/** A service whose answers take time, so that a run can be ended in between. */
async function slowService(): Promise<SandboxClient> {
	const service = await startService();
	await service.control('faults', { kind: 'latency', ms: 30, times: 100_000 });
	return service;
}

/** What not even a run with all options can test: it stays below the rate limit and within a window, and the plan has the flag. */
const NOT_HERE = [
	'A plan without the flag',
	'Is there a `Retry-After` header?',
	'When does a rate window begin?',
	'Which body has a 429?',
];

test('against the sandbox all that can be is confirmed, nothing is left, and no secret, number or name is written', async () => {
	const service = await startService();
	const home = newHome();
	const port = await freePort();
	const everything = ['--write', '--publish', '--activate', '--call', NUMBER, '--receive', `http://127.0.0.1:${port}`];
	const ended = await run(home, ['--base-url', service.url, ...everything, '--record', join(home, 'record')], {
		input: 'y\n',
	}).ended;
	expect(ended).toMatchObject({ code: 0, stderr: '' });
	const report = JSON.parse(readFileSync(join(home, 'report', 'report.json'), 'utf8')) as Report;
	expect([withResult(report, 'otherwise'), report.ended, report.differences]).toEqual([[], null, []]);
	const untested = withResult(report, 'notTested').map(([question]) => question);
	const isChecked = (question: string) => checks.some((check) => check.question === question);
	expect([untested.filter(isChecked).sort(), await leftIn(service)]).toEqual([NOT_HERE, []]);
	const files = filesIn(home);
	expect(files).toHaveLength(3);
	const hidden = [
		TOKEN,
		Buffer.from(TOKEN).toString('base64'),
		'contract-check-signing-secret',
		'2025550',
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
		const own = request.headers.authorization?.slice('Bearer '.length) ?? '';
		const errors = { name: [own], [own]: [own] };
		const all = {
			[own]: own,
			message: `No ${own}.`,
			code: own.toUpperCase(),
			errors,
			id: own,
			next: encodeURIComponent(own),
		};
		const headers = { 'Retry-After': own, 'X-RateLimit-Reset': own, 'X-RateLimit-Limit': own };
		request.resume();
		response.writeHead(request.method === 'GET' ? 200 : 422, headers);
		response.end(JSON.stringify({ ...all, data: [all, { ...all, voices: [all] }] }));
	});
	const home = newHome();
	const url = await listening(server);
	const ended = await run(home, ['--base-url', url, '--write', '--record', join(home, 'record')]).ended;
	server.close();
	const texts = [...filesIn(home), ended.stdout, ended.stderr];
	expect(texts.filter((text) => text.toLowerCase().includes(TOKEN.toLowerCase()))).toEqual([]);
	expect(texts.length).toBeGreaterThan(4);
}, 30_000);

test('Ctrl-C deletes what a run has created, and keeps the report; a second run does not begin meanwhile', async () => {
	const service = await slowService();
	const home = newHome();
	const first = run(home, ['--base-url', service.url, '--write']);
	await untilCreated(service);
	expect(await run(home, ['--base-url', service.url, '--write']).ended).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(/^contract: Another run is under way \(process \d+\)\.[^\n]+\n$/),
	});
	first.child.kill('SIGINT');
	expect(await first.ended).toMatchObject({ code: 130, stderr: '' });
	expect([await leftIn(service), filesIn(home).length]).toEqual([[], 2]);
	expect(readFileSync(join(home, 'report', 'report.md'), 'utf8')).toContain('The run ended early: it was stopped.');
	await service.close();
});

test('the next start deletes what a killed run has left, whatever it is asked to do', async () => {
	const service = await slowService();
	const home = newHome();
	const { child, ended } = run(home, ['--base-url', service.url, '--write']);
	await untilCreated(service);
	child.kill('SIGKILL');
	await ended;
	expect((await leftIn(service)).length).toBeGreaterThanOrEqual(2);
	const kept = filesIn(home).join();
	expect(kept).not.toContain(TOKEN);
	await service.controlResponse('DELETE', 'faults');
	expect(await run(home, ['--base-url', service.url]).ended).toMatchObject({ code: 0, stderr: '' });
	expect(await leftIn(service)).toEqual([]);
	await service.close();
});

test('a run finds what was left by its name, and leaves alone what may belong to another run', async () => {
	const service = await startService();
	const { data } = await service.api('GET', '/calendars');
	const [{ owner_id }] = data.data as unknown as [{ owner_id: string }];
	const name = (at: number) => `Contract check, may be deleted (${new Date(at).toISOString()})`;
	const young = name(Date.now() - 60_000);
	for (const own of [name(Date.now() - 7_200_000), young]) {
		await service.api('POST', '/calendars', { name: own, owner_id });
	}
	await start(service.url, { write: true, only: ({ question }) => question === 'Languages of an agent' }).report;
	expect(await leftIn(service)).toEqual([young]);
	await service.close();
});

test('it calls nobody without a yes', async () => {
	const service = await startService();
	const { code, stdout } = await run(newHome(), ['--base-url', service.url, '--call', NUMBER], { input: 'n\n' }).ended;
	expect({ code, asked: stdout.includes(`Call ${NUMBER} now? [y/N]`) }).toEqual({ code: 2, asked: true });
	expect(await service.control('requests')).toEqual([]);
	await service.close();
});

test.each([
	['--token', TOKEN],
	[`--token=${TOKEN}`],
	[TOKEN],
	['--write', TOKEN],
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
	expect([...new Set(methods)].sort()).toEqual(['GET', 'HEAD', 'OPTIONS']);
	const report = JSON.parse(readFileSync(join(home, 'report.json'), 'utf8')) as Report;
	expect(withResult(report, 'confirmed').length).toBeGreaterThan(20);
	expect(withResult(report, 'notTested')).toContainEqual(['Signature', 'needs --write --receive URL']);
	await service.close();
});

test('without a token and without a terminal it says where the token comes from', async () => {
	const { code, stderr } = await run(newHome(), ['--base-url', 'https://service.invalid'], { token: '' }).ended;
	expect([code, stderr]).toEqual([2, 'contract: There is no token. Set VOICE_AGENT_CALLING_TOKEN.\n']);
});

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { readOptions, WrongCommandLine } from '../../../sandbox/contract/contractOptions.mts';
import { root } from '../../../scripts/lib/places.mts';
import type { SandboxClient } from '../client.mts';
import { freePort, leftIn, NUMBER, newHome, startService, TOKEN } from './runs.mts';

interface Ended {
	code: number | null;
	stdout: string;
	stderr: string;
}

/** Starts the program. @param home where it keeps its files */
function run(home: string, args: string[], { input = '', token = TOKEN }: { input?: string; token?: string } = {}) {
	const { [`VOICE_AGENT_CALLING_TOKEN`]: _own, ...env } = process.env;
	const child = spawn(
		process.execPath,
		[join(root, 'sandbox', 'main.mts'), 'contract', ...args, '--out', join(home, 'report')],
		{
			env: { ...env, HOME: home, ...(token === '' ? {} : { VOICE_AGENT_CALLING_TOKEN: token }) },
		},
	);
	let [stdout, stderr] = ['', ''];
	child.stdout.on('data', (chunk) => (stdout += String(chunk)));
	child.stderr.on('data', (chunk) => (stderr += String(chunk)));
	child.stdin.on('error', () => undefined);
	child.stdin.end(input);
	const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
	return { child, ended };
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

test('what a run writes has no secret, no number and no name; not even where the service repeats them', async () => {
	const service = await startService();
	const home = newHome();
	const port = await freePort();
	const everything = ['--write', '--publish', '--activate', '--call', NUMBER, '--receive', `http://127.0.0.1:${port}`];
	const ended = await run(home, ['--base-url', service.url, ...everything, '--record', join(home, 'record')], {
		input: 'y\n',
	}).ended;
	expect(ended).toMatchObject({ code: 0, stderr: '' });
	const files = filesIn(home);
	expect(files).toHaveLength(3);
	const { agents } = (await service.control('seed')) as unknown as { agents: { published: string } };
	const hidden = [
		TOKEN,
		Buffer.from(TOKEN).toString('base64'),
		'contract-check-signing-secret',
		'2025550',
		'Amelia',
		'Berlin',
		agents.published,
	];
	for (const text of [...files, ended.stdout.replace(`Call ${NUMBER} now?`, ''), ended.stderr]) {
		expect(hidden.filter((secret) => text.includes(secret))).toEqual([]);
	}
	expect(JSON.parse(readFileSync(join(home, 'report', 'report.json'), 'utf8'))).toMatchObject({
		ended: null,
		differences: [],
	});
	await service.close();
});

test('a service that repeats the token everywhere does not get it into what a run writes', async () => {
	const server = createServer((request, response) => {
		const own = request.headers.authorization?.slice('Bearer '.length) ?? '';
		const all = {
			[own]: own,
			message: `No ${own}.`,
			code: own.toUpperCase(),
			errors: { name: [own], [own]: [own] },
			id: own,
			next: encodeURIComponent(own),
		};
		request.resume();
		response.writeHead(request.method === 'GET' ? 200 : 422, {
			'Retry-After': own,
			'X-RateLimit-Reset': own,
			'X-RateLimit-Limit': own,
		});
		response.end(JSON.stringify({ ...all, data: [all, { ...all, voices: [all] }] }));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const home = newHome();
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const ended = await run(home, ['--base-url', url, '--write', '--record', join(home, 'record')]).ended;
	server.close();
	const texts = [...filesIn(home), ended.stdout, ended.stderr];
	expect(texts.filter((text) => text.toLowerCase().includes(TOKEN.toLowerCase()))).toEqual([]);
	expect(texts.length).toBeGreaterThan(4);
}, 30_000);

test('Ctrl-C deletes what a run has created, and keeps the report', async () => {
	const service = await slowService();
	const home = newHome();
	const { child, ended } = run(home, ['--base-url', service.url, '--write']);
	await untilCreated(service);
	child.kill('SIGINT');
	expect(await ended).toMatchObject({ code: 130, stderr: '' });
	expect(await leftIn(service)).toEqual([]);
	expect(filesIn(home)).toHaveLength(2);
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
	expect(await run(newHome(), ['--base-url', service.url, '--write']).ended).toMatchObject({ code: 0 });
	expect(await leftIn(service)).toEqual([young]);
	await service.close();
});

test('a second run waits for no other: it says that one is under way', async () => {
	const service = await slowService();
	const home = newHome();
	const first = run(home, ['--base-url', service.url, '--write']);
	await untilCreated(service);
	const { code, stderr } = await run(home, ['--base-url', service.url, '--write']).ended;
	expect({ code, stderr }).toEqual({
		code: 2,
		stderr: expect.stringMatching(/^contract: Another run is under way \(process \d+\)\.[^\n]+\n$/),
	});
	first.child.kill('SIGINT');
	await first.ended;
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
	const message = (() => {
		try {
			return readOptions(['--base-url', 'https://service.invalid', ...args]);
		} catch (error) {
			return error instanceof WrongCommandLine ? error.message : undefined;
		}
	})();
	expect(message).toMatch(/^[^\n]+\.$/);
	expect(message).not.toContain(TOKEN);
});

test('in a terminal it asks for the token, and does not show it', async () => {
	const service = await startService();
	const home = newHome();
	const program = `'${process.execPath}' '${join(root, 'sandbox', 'main.mts')}'`;
	const command = `exec env -u VOICE_AGENT_CALLING_TOKEN ${program} contract --base-url ${service.url} --out '${home}'`;
	const terminal =
		process.platform === 'darwin' ? ['-q', '/dev/null', 'sh', '-c', command] : ['-qec', command, '/dev/null'];
	const child = spawn('script', terminal, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, HOME: home } });
	let shown = '';
	child.stdout.on('data', (chunk) => {
		const isAsked = shown.includes('token: ');
		shown += String(chunk);
		if (!isAsked && shown.includes('token: ')) {
			child.stdin.write(`x\x7f${TOKEN}\r`);
		}
	});
	await new Promise((resolve) => child.on('close', resolve));
	expect(shown).toMatch(/\d+ confirmed, 0 otherwise/);
	expect([shown, ...filesIn(home)].filter((text) => text.includes(TOKEN))).toEqual([]);
	await service.close();
});

test('without a token and without a terminal it says where the token comes from', async () => {
	const { code, stderr } = await run(newHome(), ['--base-url', 'https://service.invalid'], { token: '' }).ended;
	expect({ code, stderr }).toEqual({
		code: 2,
		stderr: 'contract: There is no token. Set VOICE_AGENT_CALLING_TOKEN.\n',
	});
});

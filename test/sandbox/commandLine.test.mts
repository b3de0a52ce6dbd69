import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import axios from 'axios';

import { readCommandLine, UsageError } from '../../sandbox/commandLine.mts';
import { DEFAULT_OPTIONS } from '../../sandbox/options.mts';
import { root } from '../../scripts/lib/places.mts';

/** Starts the sandbox as a separate process. */
function run(...args: string[]) {
	const child = spawn(process.execPath, [join(__dirname, '../../sandbox/main.mts'), ...args]);
	let stdout = '';
	let stderr = '';
	const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
		child.on('close', (code) => resolve({ code, stdout, stderr })),
	);
	child.stderr.on('data', (chunk) => (stderr += String(chunk)));
	const line = new Promise<string>((resolve) =>
		child.stdout.on('data', (chunk) => {
			stdout += String(chunk);
			if (stdout.includes('\n')) {
				resolve(stdout);
			}
		}),
	);
	return { child, ended, line };
}

describe('the command line', () => {
	it('has the documented defaults', () => {
		expect(readCommandLine([])).toEqual(DEFAULT_OPTIONS);
		expect(DEFAULT_OPTIONS).toMatchObject({
			port: 4010,
			token: 'TOKEN',
			speed: 1,
			rateLimit: 1000,
			rateWindow: 60,
			rateWindows: 'fixed',
			signatureHeader: 'X-Webhook-Signature',
			signatureFormat: 'hex',
			credits: Infinity,
			maxCampaigns: Infinity,
			callsPerHour: Infinity,
			customSipTrunks: true,
		});
	});

	it('takes every option', () => {
		const args =
			'--port 0 --token abc --speed 0.5 --rate-limit 7 --rate-window 2 --sliding-rate-window --signature-header X-Sig ' +
			'--signature-format t,v1 --credits 0 --max-campaigns 9 --calls-per-hour 8 --no-custom-sip-trunks ' +
			'--seed 7 --start-time 2030-01-07T10:00:00+01:00 --state state.json';
		expect(readCommandLine(args.split(' '))).toMatchObject({
			port: 0,
			token: 'abc',
			speed: 0.5,
			rateLimit: 7,
			rateWindow: 2,
			rateWindows: 'sliding',
			signatureHeader: 'X-Sig',
			signatureFormat: 't,v1',
			credits: 0,
			maxCampaigns: 9,
			callsPerHour: 8,
			customSipTrunks: false,
			seed: 7,
			startTime: Date.UTC(2030, 0, 7, 9),
			stateFile: 'state.json',
		});
		expect(readCommandLine(['--speed', '0']).speed).toBe(0);
	});

	it.each([
		'--port 65536',
		'--port x',
		'--speed -1',
		'--speed 1000001',
		'--rate-limit 0',
		'--rate-limit 1.5',
		'--rate-window 0',
		'--signature-format md5',
		'--signature-header X:Y',
		'--signature-header Content-Length',
		'--signature-header content-type',
		'--seed -1',
		'--seed x',
		'--start-time tomorrow',
		'--start-time 2030-02-30',
		'--start-time 2030-02-31T09:00:00Z',
		'--start-time 2030-01-07T09:00:00',
		'--start-time 2030-13-01T09:00:00Z',
		'--state',
		'--credits -1',
		'--credits',
		'--max-campaigns 1.5',
		'--unknown',
		'extra',
	])('refuses %s in one line', (args) => {
		const message = (() => {
			try {
				readCommandLine(args.split(' '));
				return undefined;
			} catch (error) {
				return error instanceof UsageError ? error.message : undefined;
			}
		})();
		expect(message).toMatch(/^[^\n]+$/);
	});

	it('prints one JSON line when it listens, answers, and ends cleanly on SIGTERM and SIGINT', async () => {
		for (const signal of ['SIGTERM', 'SIGINT'] as const) {
			const { child, ended, line } = run('--port', '0', '--token', 'mine');
			const start = JSON.parse(await line) as { url: string; token: string; seed: object };
			expect(start).toEqual({
				url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
				token: 'mine',
				seed: expect.any(Object),
			});
			expect((await axios.get(`${start.url}/_sandbox/seed`)).data).toEqual(start.seed);
			child.kill(signal);
			expect(await ended).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^[^\n]+\n$/) });
		}
	});

	it('prints its options or its version and starts nothing, whatever else is given', async () => {
		const help = await run('--help', '--port', '99999').ended;
		expect(help).toMatchObject({ code: 0, stderr: '' });
		expect(help.stdout).toMatch(/^ {2}--port N +Port on 127\.0\.0\.1; 0 for any free one \(4010\)$/m);
		expect(help.stdout).toMatch(/^ {2}--speed N +[^\n]*at most 1000000;/m);
		const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
		expect(await run('--version').ended).toEqual({ code: 0, stderr: '', stdout: `${version}\n` });
	});

	it('shows people in a terminal where the console and the API reference are', async () => {
		const command = `exec '${process.execPath}' '${join(root, 'sandbox', 'main.mts')}' --port 0`;
		const terminal =
			process.platform === 'darwin' ? ['-q', '/dev/null', 'sh', '-c', command] : ['-qec', command, '/dev/null'];
		const child = spawn('script', terminal, { stdio: ['pipe', 'pipe', 'inherit'] });
		let shown = '';
		await new Promise<void>((resolve) =>
			child.stdout.on('data', (chunk) => {
				shown += String(chunk);
				if (shown.includes('Ctrl-C')) {
					resolve();
				}
			}),
		);
		const { url } = JSON.parse(shown.split('\n', 1)[0]!) as { url: string };
		expect(shown).toMatch(new RegExp(`Console +${url}\r\n +API reference +${url}/docs\r\n`));
		child.stdin.write('\x03');
		await once(child, 'close');
		await expect(axios.get(url)).rejects.toThrow('ECONNREFUSED');
	});

	it('says in one line that Node.js is too old', async () => {
		const older = `Object.defineProperty(process, 'versions', { value: { node: '20.18.3' } })`;
		const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, join(root, 'sandbox', 'main.mts')];
		const child = spawn(process.execPath, args);
		let stderr = '';
		child.stderr.on('data', (chunk) => (stderr += String(chunk)));
		expect(await once(child, 'close')).toEqual([2, null]);
		expect(stderr).toMatch(/^sandbox: It needs Node\.js 20\.19\.0 or newer, and this is v[\d.]+\.\n$/);
	});

	it.each([['--help'], ['--port', '0']])(
		'ends without a stack trace when nobody reads its output: %s',
		async (...args) => {
			const child = spawn(process.execPath, [join(root, 'sandbox', 'main.mts'), ...args]);
			let stderr = '';
			child.stderr.on('data', (chunk) => (stderr += String(chunk)));
			child.stdout.destroy();
			expect([await once(child, 'close'), stderr]).toEqual([[0, null], '']);
		},
	);

	it('exits with 2 and one line for a wrong option and for a taken port', async () => {
		const wrong = await run('--speed', 'fast').ended;
		expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^sandbox: --speed [^\n]+\n$/) });
		const taken = createServer();
		await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
		const { port } = taken.address() as { port: number };
		const refused = await run('--port', String(port)).ended;
		expect(refused).toMatchObject({
			code: 2,
			stderr: expect.stringMatching(new RegExp(`^sandbox: Port ${port} is taken[^\\n]+\\n$`)),
		});
		taken.close();
	});
});

import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import axios from 'axios';

import { readCommandLine, UsageError } from '../../sandbox/commandLine.mts';
import { DEFAULT_OPTIONS } from '../../sandbox/options.mts';

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
			'--port 0 --token abc --speed 0.5 --rate-limit 7 --rate-window 2 --signature-header X-Sig ' +
			'--signature-format t,v1 --credits 0 --max-campaigns 9 --calls-per-hour 8 --no-custom-sip-trunks';
		expect(readCommandLine(args.split(' '))).toMatchObject({
			port: 0,
			token: 'abc',
			speed: 0.5,
			rateLimit: 7,
			rateWindow: 2,
			signatureHeader: 'X-Sig',
			signatureFormat: 't,v1',
			credits: 0,
			maxCampaigns: 9,
			callsPerHour: 8,
			customSipTrunks: false,
		});
	});

	it.each([
		'--port 65536',
		'--port x',
		'--speed 0',
		'--speed -1',
		'--speed 1000001',
		'--rate-limit 0',
		'--rate-limit 1.5',
		'--rate-window 0',
		'--signature-format md5',
		'--signature-header X:Y',
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

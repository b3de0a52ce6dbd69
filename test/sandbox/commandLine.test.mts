import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { readCommandLine, UsageError } from '../../sandbox/commandLine.mts';
import { DEFAULT_OPTIONS } from '../../sandbox/options.mts';
import { root } from '../../scripts/lib/places.mts';
import { listening } from './listening.mts';
import { main, start, startInTerminal, startMain } from './programs.mts';

describe('the command line', () => {
	it('takes every option, and each has a default', () => {
		const given = {
			port: 0,
			token: 'abc',
			speed: 0.5,
			rateLimit: 7,
			rateWindow: 2,
			rateWindows: 'sliding' as const,
			signatureHeader: 'X-Sig',
			signatureFormat: 't,v1' as const,
			credits: 0,
			maxCampaigns: 9,
			callsPerHour: 8,
			customSipTrunks: false,
			seed: 7,
			startTime: Date.UTC(2030, 0, 7, 9),
			stateFile: 'state.json',
		};
		const args =
			'--port 0 --token abc --speed 0.5 --rate-limit 7 --rate-window 2 --sliding-rate-window --signature-header X-Sig ' +
			'--signature-format t,v1 --credits 0 --max-campaigns 9 --calls-per-hour 8 --no-custom-sip-trunks ' +
			'--seed 7 --start-time 2030-01-07T10:00:00+01:00 --state state.json';
		expect(readCommandLine(args.split(' '))).toMatchObject(given);
		expect(readCommandLine([])).toEqual(DEFAULT_OPTIONS);
	});

	const REFUSED = `--port 65536; --port x; --speed -1; --speed 1000001; --rate-limit 0; --rate-limit 1.5; --rate-window 0;
		--signature-format md5; --signature-header X:Y; --signature-header Content-Length; --seed -1; --seed x; --state;
		--start-time tomorrow; --start-time 2030-02-31T09:00:00Z; --start-time 2030-01-07T09:00:00; --credits -1; --credits;
		--max-campaigns 1.5; --variant answer-in-rhyme; --unknown; extra`;
	it.each(REFUSED.split(/;\s*/))('refuses %s in one line', (args) => {
		const read = () => readCommandLine(args.split(' '));
		expect(read).toThrow(UsageError);
		expect(read).toThrow(/^[^\n]+$/);
	});

	it('prints one JSON line when it listens, answers, and ends cleanly', async () => {
		const { child, ended, shown } = startMain(['--port', '0', '--token', 'mine']);
		const { url, token, seed } = JSON.parse(await shown('\n')) as { url: string; token: string; seed: object };
		expect([url, token]).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), 'mine']);
		expect(await (await fetch(`${url}/_sandbox/seed`)).json()).toEqual(seed);
		child.kill('SIGTERM');
		expect(await ended).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^[^\n]+\n$/) });
	});

	it('prints its options or its version and starts nothing, whatever else is given, and nobody has to read it', async () => {
		const unread = startMain(['--help']);
		unread.child.stdout.destroy();
		const ends = [startMain(['--help', '--port', '99999']).ended, startMain(['--version']).ended, unread.ended];
		const [help, version, silent] = await Promise.all(ends);
		expect(help).toMatchObject({ code: 0, stderr: '' });
		expect(help!.stdout).toMatch(/^ {2}--port N +Port on 127\.0\.0\.1; 0 for any free one \(4010\)$/m);
		const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
		expect(version).toEqual({ code: 0, stderr: '', stdout: `${manifest.version}\n` });
		expect(silent).toMatchObject({ code: 0, stderr: '' });
	});

	it('shows people in a terminal where the console and the API reference are', async () => {
		const { child, ended, shown } = startInTerminal(`exec '${process.execPath}' '${main}' --port 0`);
		const text = await shown('Ctrl-C');
		const { url } = JSON.parse(text.split('\n', 1)[0]!) as { url: string };
		expect(text).toMatch(new RegExp(`Console +${url}\r\n +API reference +${url}/docs\r\n`));
		child.stdin.write('\x03');
		await ended;
		await expect(fetch(url)).rejects.toThrow('fetch failed');
	});

	it('says in one line that Node.js is too old', async () => {
		const older = `Object.defineProperty(process, 'versions', { value: { node: '20.18.3' } })`;
		const old = start(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(older)}`, main]);
		const stderr = expect.stringMatching(/^sandbox: It needs Node\.js 20\.19\.0 or newer, and this is v[\d.]+\.\n$/);
		expect(await old.ended).toMatchObject({ code: 2, stderr });
	});

	it('exits with 2 and one line for a wrong option and for a taken port', async () => {
		const taken = createServer();
		const { port } = new URL(await listening(taken));
		const ends = await Promise.all([startMain(['--speed', 'fast']).ended, startMain(['--port', port]).ended]);
		expect(ends).toMatchObject([
			{ code: 2, stdout: '', stderr: expect.stringMatching(/^sandbox: --speed [^\n]+\n$/) },
			{ code: 2, stderr: expect.stringMatching(new RegExp(`^sandbox: Port ${port} is taken[^\\n]+\\n$`)) },
		]);
		taken.close();
	});
});

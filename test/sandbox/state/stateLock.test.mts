import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readState } from '../../../sandbox/state/state.mts';
import { until } from '../../../scripts/lib/process.mts';
import { type SandboxClient, startClient } from '../client.mts';
import { listening } from '../listening.mts';
import { startMain } from '../programs.mts';

describe('a state file', () => {
	let folder: string;
	let stateFile: string;
	let lockFile: string;
	/** The sandboxes that a test has not closed. */
	const open = new Set<SandboxClient>();
	const start = async () => {
		const service = await startClient({ speed: 0, stateFile });
		open.add(service);
		return service;
	};
	const close = (service: SandboxClient) => open.delete(service) && service.close();
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'sandbox lock '));
		stateFile = join(folder, 'state');
		lockFile = `${stateFile}.lock`;
	});
	afterEach(async () => {
		await Promise.all([...open].map(close));
		rmSync(folder, { recursive: true });
	});

	/** Starts a sandbox in a separate process. @returns after it listens or has ended */
	const spawned = async () => {
		const { child, ended, shown } = startMain(['--port', '0', '--speed', '0', '--state', stateFile]);
		const line = await Promise.race([shown('\n'), ended.then(() => '{}')]);
		const { url } = JSON.parse(line) as { url?: string };
		return { child, ended, url };
	};

	it('is refused by another process in one line, and can be used at once after a kill', async () => {
		const first = await spawned();
		expect(await (await spawned()).ended).toMatchObject({
			code: 2,
			stderr: expect.stringMatching(/^sandbox: The state file .* is in use by another sandbox at http:[^\n]*\n$/),
		});
		await fetch(`${first.url}/_sandbox/credits`, { method: 'POST', body: '{"credits":5}' });
		await until(async () => existsSync(stateFile) || undefined, {
			seconds: 30,
			every: 20,
			otherwise: () => new Error('nothing was saved'),
		});
		first.child.kill('SIGKILL');
		await first.ended;
		expect(existsSync(lockFile)).toBe(true);
		const next = await spawned();
		expect(await (await fetch(`${next.url}/_sandbox/status`)).json()).toMatchObject({ credits: 5 });
		next.child.kill('SIGHUP');
		expect(await next.ended).toMatchObject({ code: 0, stderr: '' });
		expect(readdirSync(folder)).toEqual(['state']);
	});

	it('can be used if no sandbox responds at the address in its lock, or the address is invalid', async () => {
		const other = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'));
		// Nothing listens on port 1.
		for (const lock of ['http://127.0.0.1:1', await listening(other), 'x', '']) {
			writeFileSync(lockFile, lock);
			const service = await start();
			expect(readFileSync(lockFile, 'utf8')).toBe(service.url);
			await close(service);
		}
		other.close();
	});

	it('has one user also if several start at the same moment over the lock of a dead one', async () => {
		for (let round = 0; round < 2; round++) {
			writeFileSync(lockFile, 'http://127.0.0.1:1');
			const results = await Promise.allSettled([start(), start(), start(), start()]);
			expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
			await Promise.all([...open].map(close));
		}
	});

	it('is not overwritten by a sandbox that has lost it', async () => {
		const first = await start();
		await first.control('credits', { credits: 1 });
		rmSync(lockFile);
		const second = await start();
		await second.control('credits', { credits: 2 });
		await close(second);
		await expect(close(first)).rejects.toThrow(`${lockFile} is missing, or belongs to another sandbox`);
		expect(readState(readFileSync(stateFile)).credits).toBe(2);
		await expect(fetch(first.url)).rejects.toThrow();
	});
});

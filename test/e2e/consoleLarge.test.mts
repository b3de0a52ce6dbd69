import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Route } from 'playwright-core';

import { asList, asText, type SandboxClient, startClient } from '../sandbox/client.mts';
import { ConsolePage } from './consolePage.mts';
import { inWords, size } from './size.mts';

const CALLS = size({ small: 1000, full: 10_000 });
const DELIVERIES = size({ small: 3000, full: 50_000 });
const AT_ONCE = 100;

/** Limits in milliseconds: some times what a quiet machine needs, and ten times that where other tests run beside it. */
const LIMITS = {
	firstRows: size({ small: 30_000, full: 3000 }),
	filter: size({ small: 15_000, full: 1500 }),
	scrollFrame: size({ small: 1000, full: 100 }),
	change: size({ small: 15_000, full: 1500 }),
};

/** Calls that the sandbox has at the start. */
let seeded = 0;

let service: SandboxClient;
let shown: ConsolePage;
let agentId: string;
let webhookId: string;
const receiver = createServer((request, response) => {
	request.resume();
	request.on('end', () => response.end());
});
const measured: Record<string, number> = {};

beforeAll(async () => {
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	service = await startClient({ speed: 0, rateLimit: 1_000_000 });
	agentId = asText((await service.control('seed')).agents!.published);
	const { data } = await service.api('POST', `/agents/${agentId}/webhooks`, {
		name: 'Appointments',
		webhook_url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
		events: ['event_action'],
	});
	expect(data).toBeDefined();
	const [webhook] = (await service.control('webhooks')) as unknown as Array<{ id: string }>;
	webhookId = webhook!.id;
	seeded = asList(await service.control('calls')).length;
	for (let placed = 0; placed < CALLS; placed += AT_ONCE) {
		await Promise.all(
			Array.from({ length: AT_ONCE }, (_, index) =>
				service.api('POST', `/agents/${agentId}/call`, { to: `+1202556${String(placed + index).padStart(4, '0')}` }),
			),
		);
	}
	for (let sent = 0; sent < DELIVERIES; sent += 100) {
		await service.control('deliver', { webhookId, event: 'event_action', times: 100 });
	}
	const { counts } = (await service.control('status')) as unknown as { counts: Record<string, number> };
	expect(counts.calls).toBeGreaterThanOrEqual(CALLS);
	expect(counts.deliveries).toBeGreaterThanOrEqual(DELIVERIES);
	shown = await ConsolePage.open(service.url);
}, 600_000);

afterAll(async () => {
	await shown?.close();
	await service?.close();
	receiver.close();
	process.stdout.write(`console with ${CALLS} calls and ${DELIVERIES} deliveries, ms: ${JSON.stringify(measured)}\n`);
});

async function timed(name: string, work: () => Promise<unknown>): Promise<number> {
	const began = performance.now();
	await work();
	measured[name] = Math.round(performance.now() - began);
	return measured[name];
}

const rows = () => shown.page.locator('.row');

test.each(['calls', 'deliveries'])(
	'the list of %s appears at once, with only some of its rows in the page',
	async (place) => {
		expect(
			await timed(`${place}: first rows`, async () => {
				await shown.load(place);
				await rows().first().waitFor();
			}),
		).toBeLessThan(LIMITS.firstRows);
		await shown.page
			.getByText(place === 'calls' ? `${inWords(CALLS + seeded)} calls` : `${inWords(DELIVERIES)} attempts`)
			.waitFor();
		expect(await rows().count()).toBeLessThan(60);
	},
);

test('scrolling to the end of all deliveries drops no frame for long', async () => {
	await shown.load('deliveries');
	await rows().first().waitFor();
	const frames = (await shown.page.evaluate(`new Promise((resolve) => {
		const box = document.querySelector('.rows');
		const frames = [];
		let last = performance.now();
		let still = 0;
		const step = (now) => {
			frames.push(now - last);
			last = now;
			const before = box.scrollTop;
			box.scrollTop += 4000;
			still = box.scrollTop === before ? still + 1 : 0;
			if (still < 120) {
				requestAnimationFrame(step);
			} else {
				resolve({ frames, height: box.scrollHeight, rows: document.querySelectorAll('.row').length });
			}
		};
		requestAnimationFrame(step);
	})`)) as { frames: number[]; height: number; rows: number };
	const sorted = frames.frames.slice(1).sort((one, other) => one - other);
	measured['scroll: median frame'] = Math.round(sorted[Math.floor(sorted.length / 2)]!);
	measured['scroll: 95 % of frames'] = Math.round(sorted[Math.floor(sorted.length * 0.95)]!);
	measured['scroll: 99 % of frames'] = Math.round(sorted[Math.floor(sorted.length * 0.99)]!);
	expect(frames.height).toBe(DELIVERIES * 56);
	expect(frames.rows).toBeLessThan(60);
	// Other test files run at the same time: single frames say nothing.
	expect(measured['scroll: 95 % of frames']).toBeLessThan(LIMITS.scrollFrame);
	const { heap } = (await shown.page.evaluate('({ heap: performance.memory.usedJSHeapSize })')) as { heap: number };
	measured['scroll: MB of JavaScript'] = Math.round(heap / 1e6);
}, 120_000);

test('a filter finds one call of all', async () => {
	await shown.load('calls');
	await rows().first().waitFor();
	expect(
		await timed('calls: filter', async () => {
			await shown.page.getByLabel('Filter calls').fill('+12025560007');
			while ((await rows().count()) !== 1) {
				await shown.page.waitForTimeout(10);
			}
		}),
	).toBeLessThan(LIMITS.filter);
});

test('a new delivery shows up at the top of all', async () => {
	await shown.load('deliveries');
	await rows().first().waitFor();
	expect(
		await timed('deliveries: a new one', async () => {
			await service.control('deliver', { webhookId, event: 'event_phone_call_error', times: 1 });
			await rows().first().getByText('event_phone_call_error').waitFor();
		}),
	).toBeLessThan(LIMITS.change);
});

test('a list whose end is reached while its beginning is loaded again goes on', async () => {
	const { page } = shown;
	const [stream, answer] = [gate(), gate()];
	await page.route('**/_sandbox/events', stream.pass);
	await shown.load('deliveries');
	await rows().first().waitFor();
	const again = (url: URL) => url.pathname.endsWith('/deliveries') && !url.searchParams.has('before');
	await page.route(again, answer.pass);
	// The list is loaded again when the stream of changes opens, and stays the same.
	const asked = page.waitForRequest((request) => again(new URL(request.url())));
	stream.open();
	await asked;
	await page.evaluate(`document.querySelector('.rows').scrollTop = 100_000`);
	await page.locator('[data-index="99"]').waitFor();
	answer.open();
	await page.locator('[data-index="105"]').waitFor();
	await page.unrouteAll();
});

/** Holds requests back until it is open. */
function gate() {
	let open!: () => void;
	const opened = new Promise<void>((resolve) => (open = resolve));
	const pass = async (route: Route) => {
		await opened;
		await route.continue();
	};
	return { open, pass };
}

import { performance } from 'node:perf_hooks';

import { asList, asText, type SandboxClient, startClient } from '../sandbox/client.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../sandbox/webhookReceiver.mts';
import { type ConsolePage, openConsole } from './consolePage.mts';
import { eventually } from './eventually.mts';
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
let receiver: WebhookReceiver;
let webhookId: string;
const measured: Record<string, number> = {};

const deliver = (event: string, times: number) => service.control('deliver', { webhookId, event, times });

beforeAll(async () => {
	receiver = await startWebhookReceiver();
	service = await startClient({ speed: 0, rateLimit: 1_000_000 });
	const agentId = asText((await service.control('seed')).agents!.published);
	await service.api('POST', `/agents/${agentId}/webhooks`, {
		name: 'Appointments',
		webhook_url: receiver.url,
		events: ['event_action'],
	});
	webhookId = asText(asList(await service.control('webhooks'))[0]!.id);
	seeded = asList(await service.control('calls')).length;
	for (let placed = 0; placed < CALLS; placed += AT_ONCE) {
		const numbers = Array.from({ length: AT_ONCE }, (_, index) => String(placed + index).padStart(4, '0'));
		const call = (number: string) => service.api('POST', `/agents/${agentId}/call`, { to: `+1202556${number}` });
		await Promise.all(numbers.map(call));
	}
	for (let sent = 0; sent < DELIVERIES; sent += AT_ONCE) {
		await deliver('event_action', AT_ONCE);
	}
	shown = await openConsole(service.url);
}, 600_000);

afterAll(async () => {
	await shown?.close();
	await service?.close();
	receiver.close();
	process.stdout.write(`console with ${CALLS} calls and ${DELIVERIES} deliveries, ms: ${JSON.stringify(measured)}\n`);
});

const rows = () => shown.page.locator('.row');

async function open(place: string): Promise<void> {
	await shown.load(place);
	await rows().first().waitFor();
}

async function expectTime(name: string, limit: number, work: () => Promise<unknown>): Promise<void> {
	const began = performance.now();
	await work();
	measured[name] = Math.round(performance.now() - began);
	expect(measured[name]).toBeLessThan(limit);
}

test.each([
	['calls', () => `${inWords(CALLS + seeded)} calls`],
	['deliveries', () => `${inWords(DELIVERIES)} attempts`],
])('the list of %s appears at once, with only some of its rows in the page', async (place, amount) => {
	await expectTime(`${place}: first rows`, LIMITS.firstRows, async () => await open(place));
	await shown.page.getByText(amount()).waitFor();
	expect(await rows().count()).toBeLessThan(60);
});

test('scrolling to the end of all deliveries drops no frame for long', async () => {
	await open('deliveries');
	const { frames, height, shownRows } = (await shown.page.evaluate(`new Promise((resolve) => {
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
				resolve({ frames, height: box.scrollHeight, shownRows: document.querySelectorAll('.row').length });
			}
		};
		requestAnimationFrame(step);
	})`)) as { frames: number[]; height: number; shownRows: number };
	const sorted = frames.slice(1).sort((one, other) => one - other);
	measured['scroll: 95 % of frames'] = Math.round(sorted[Math.floor(sorted.length * 0.95)]!);
	expect(height).toBe(DELIVERIES * 56);
	expect(shownRows).toBeLessThan(60);
	// Other test files run at the same time: single frames say nothing.
	expect(measured['scroll: 95 % of frames']).toBeLessThan(LIMITS.scrollFrame);
}, 120_000);

test('a filter finds one call of all', async () => {
	await open('calls');
	await expectTime('calls: filter', LIMITS.filter, async () => {
		await shown.page.getByLabel('Filter calls').fill('+12025560007');
		await eventually(async () => expect(await rows().count()).toBe(1));
	});
});

test('a new delivery shows up at the top of all', async () => {
	await open('deliveries');
	await expectTime('deliveries: a new one', LIMITS.change, async () => {
		await deliver('event_phone_call_error', 1);
		await rows().first().getByText('event_phone_call_error').waitFor();
	});
});

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { asList, asText, type Json, type SandboxClient, startClient } from '../sandbox/client.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../sandbox/webhookReceiver.mts';
import { ConsolePage, greetingFlow } from './consolePage.mts';

const axe = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 A and AA, and what axe holds for good practice. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

let service: SandboxClient;
let receiver: WebhookReceiver;
const places = new Map<string, string>();

beforeAll(async () => {
	service = await startClient({ startTime: Date.parse('2030-01-07T09:00:00Z'), speed: 0 });
	receiver = await startWebhookReceiver();
	const seed = await service.control('seed');
	const agentId = asText(seed.agents!.published);
	const campaignId = asText(seed.campaigns!.active);
	const webhook = await service.api('POST', `/agents/${agentId}/webhooks`, {
		name: 'Appointments',
		webhook_url: receiver.url,
		events: ['event_phone_call_started', 'event_phone_call_ended'],
		webhook_secret: 'a-secret-of-some-length',
	});
	expect(webhook.status).toBeLessThan(300);
	await service.api('PUT', `/agents/${agentId}/flow`, greetingFlow);
	await service.api('POST', `/agents/${agentId}/call`, { to: '+12025550001', payload: { first_name: 'Ada' } });
	await service.api('POST', `/agents/${agentId}/call`, { to: '12' });
	await service.api('POST', `/campaigns/${campaignId}/call`, { to: '+12025550002', payload: {} });
	await service.advance(600);
	await service.control('mode', { calls: 'manual' });
	for (const to of ['+12025550003', '+12025550004']) {
		await service.api('POST', `/agents/${agentId}/call`, { to });
	}
	await service.advance(3);
	const newest = async (path: string) => asText(asList((await service.control(path)).items)[0]!.id);
	const answered = await newest('calls?active=true');
	await service.control(`calls/${answered}/act`, { action: 'answer' });
	await service.control('script', { to: '+12025550123', steps: [{ after: 3, do: 'answer' }] });
	await service.control('delays', { event: 'event_recording', seconds: 90 });
	await service.control('faults', { kind: 'latency', ms: 5, match: { path: '/api/v1/nothing' } });
	const [calendar] = asList(await service.control('calendars')) as [Json];
	const [ownWebhook] = asList(await service.control('webhooks')) as [Json];
	for (const [name, place] of Object.entries({
		'the phones': 'calls',
		'no matching call': 'calls?q=nobody',
		'a call that is over': `calls/${await newest('calls?status=completed')}`,
		'a call in progress': `calls/${answered}`,
		'an unknown call': 'calls/nobody',
		deliveries: 'deliveries',
		'a delivery': `deliveries/${await newest('deliveries?limit=1')}`,
		requests: 'requests',
		'a rejected request': `requests/${await newest('requests?status=4xx')}`,
		'the clock': 'clock',
		agents: 'objects/agents',
		'an agent with a flow': `objects/agents/${agentId}`,
		campaigns: 'objects/campaigns',
		'a campaign': `objects/campaigns/${campaignId}`,
		webhooks: 'objects/webhooks',
		'a webhook': `objects/webhooks/${asText(ownWebhook.id)}`,
		calendars: 'objects/calendars',
		'a calendar': `objects/calendars/${asText(calendar.id)}`,
		'phone numbers': 'objects/phone-numbers',
		'no page': 'nothing',
	})) {
		places.set(name, place);
	}
});

/** Where each window opens, and by which button. */
const dialogs = [
	['calls', 'Call an agent'],
	['calls', 'Script a call'],
	['deliveries', 'Send a sample'],
	['clock', 'Reset everything'],
] as const;

/** Opens a window in place of the one before. */
async function openDialog(shown: ConsolePage, place: string, name: string): Promise<void> {
	await shown.page.keyboard.press('Escape');
	await shown.go(place);
	await shown.page.getByRole('button', { name }).click();
	await shown.page.getByRole('dialog').getByRole('button').first().waitFor();
	await shown.page.evaluate('scrollTo(0, 0)');
}

afterAll(async () => {
	receiver.close();
	await service.close();
});

// Both themes and both widths are checked by all rules, and all four pairs by those for colors.
test.each([
	['light', 1280, RULES],
	['dark', 400, RULES],
	['dark', 1280, ['color-contrast']],
	['light', 400, ['color-contrast']],
] as const)(
	'axe finds nothing in any view with the %s theme at %i pixels, and nothing is wider than the page or cut off',
	async (colorScheme, width, rules) => {
		const shown = await ConsolePage.open(service.url, { colorScheme, width, bypassCSP: true });
		const { page } = shown;
		const check = async (name: string) => {
			const found = (await page.evaluate(
				`axe.run({ runOnly: ${JSON.stringify(rules)} }).then(({ violations, passes }) => ({
				violations: violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ': ' + failureSummary)),
				passes: passes.length,
				wide: document.documentElement.scrollWidth,
				cut: [...document.querySelectorAll('.row strong')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText),
			}))`,
			)) as { violations: string[]; passes: number; wide: number; cut: string[] };
			expect({ name, ...found }).toEqual({ name, violations: [], passes: expect.any(Number), wide: width, cut: [] });
			expect([name, found.passes > (rules === RULES ? 15 : 0)]).toEqual([name, true]);
		};
		try {
			await page.addScriptTag({ content: axe });
			for (const [name, place] of places) {
				await shown.go(place);
				await page.locator('main').waitFor();
				await page.waitForFunction(`!document.querySelector('main .loading')`);
				await check(name);
			}
			await shown.go('clock');
			await page.locator('summary', { hasText: 'Lists' }).click();
			// Nothing is half behind the bar at the top.
			await page.evaluate('scrollTo(0, 0)');
			await check('the variants of a section');
			for (const [place, name] of dialogs) {
				await openDialog(shown, place, name);
				await check(`the window of ${name}`);
			}
			await page.keyboard.press('Escape');
			await shown.go('calls');
			await page.keyboard.press('/');
			await page.getByLabel('Search for').fill('a');
			await page.getByRole('dialog').getByText('Amelia').waitFor();
			await check('the search');
		} finally {
			await shown.close();
		}
	},
);

test.each([1280, 400])(
	'Tab reaches all of every view and window at %i pixels, and shows where it is',
	async (width) => {
		const shown = await ConsolePage.open(service.url, { width, bypassCSP: true });
		const { page } = shown;
		const tabThrough = async (name: string) => {
			await page.evaluate(`document.activeElement.blur(); window.left = new Set(
			[...(document.querySelector('dialog') ?? document).querySelectorAll('a[href], button, input, select, textarea, summary, audio')]
				.filter((one) => one.checkVisibility() && !one.disabled && !one.matches('input[type=radio]:not(:checked), .rows a ~ a')))`);
			const unseen: string[] = [];
			for (let count = 0; count < 300; count += 1) {
				await page.keyboard.press('Tab');
				const { hidden, left } = (await page.evaluate(`(() => {
				const one = document.activeElement;
				window.left.delete(one);
				const shown = one.matches('input[type=radio], .fileButton input') ? one.parentElement : one;
				const parts = [shown, ...shown.querySelectorAll('*')];
				// The browser draws the focus of its player itself.
				const seen = one.matches('body, audio') || parts.some((part) => getComputedStyle(part).outlineStyle !== 'none');
				return { hidden: seen ? null : one.outerHTML, left: window.left.size };
			})()`)) as { hidden: string | null; left: number };
				unseen.push(...(hidden === null ? [] : [hidden]));
				if (left === 0) {
					break;
				}
			}
			const missed = await page.evaluate(
				`[...window.left].filter((one) => one.isConnected).map((one) => one.outerHTML)`,
			);
			expect({ name, missed, unseen }).toEqual({ name, missed: [], unseen: [] });
		};
		try {
			for (const [name, place] of places) {
				await shown.go(place);
				await page.waitForFunction(`!document.querySelector('main .loading')`);
				await tabThrough(name);
			}
			for (const [place, name] of [...dialogs, ['calls', 'Search']] as const) {
				await openDialog(shown, place, name);
				await tabThrough(`the window of ${name}`);
			}
		} finally {
			await shown.close();
		}
	},
);

test('all that can be clicked has a name and is at least 24 pixels high', async () => {
	const shown = await ConsolePage.open(service.url, { bypassCSP: true });
	try {
		for (const place of places.values()) {
			await shown.go(place);
			await shown.page.waitForFunction(`!document.querySelector('main .loading')`);
			const small =
				await shown.page.evaluate(`[...document.querySelectorAll('button, select, input:not(.hidden):not([type=radio]):not([type=checkbox])')]
				.filter((control) => control.getBoundingClientRect().height < 24).map((control) => control.outerHTML)`);
			expect({ place, small }).toEqual({ place, small: [] });
		}
	} finally {
		await shown.close();
	}
});

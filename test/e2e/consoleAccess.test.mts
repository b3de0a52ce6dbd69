import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { asList, asText, type SandboxClient, startClient } from '../sandbox/client.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../sandbox/webhookReceiver.mts';
import { ConsolePage, greetingFlow } from './consolePage.mts';

const axe = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 A and AA, and what axe holds for good practice. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

let service: SandboxClient;
let receiver: WebhookReceiver;
/** Views by their names, and windows with the button that opens each. */
const views: Array<[name: string, place: string, opener?: string]> = [];

beforeAll(async () => {
	service = await startClient({ startTime: Date.parse('2030-01-07T09:00:00Z'), speed: 0 });
	receiver = await startWebhookReceiver();
	const seed = await service.control('seed');
	const agentId = asText(seed.agents!.published);
	const campaignId = asText(seed.campaigns!.active);
	await service.api('POST', `/agents/${agentId}/webhooks`, {
		name: 'Appointments',
		webhook_url: receiver.url,
		webhook_secret: 'a-secret-of-some-length',
		events: ['event_phone_call_started', 'event_phone_call_ended'],
	});
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
	const first = async (path: string) => asText(asList(await service.control(path))[0]!.id);
	const answered = await newest('calls?active=true');
	await service.control(`calls/${answered}/act`, { action: 'answer' });
	await service.control('script', { to: '+12025550123', steps: [{ after: 3, do: 'answer' }] });
	await service.control('delays', { event: 'event_recording', seconds: 90 });
	await service.control('faults', { kind: 'latency', ms: 5, match: { path: '/api/v1/nothing' } });
	views.push(
		['the phones', 'calls'],
		['no matching call', 'calls?q=nobody'],
		['a call that is over', `calls/${await newest('calls?status=completed')}`],
		['a call in progress', `calls/${answered}`],
		['an unknown call', 'calls/nobody'],
		['deliveries', 'deliveries'],
		['a delivery', `deliveries/${await newest('deliveries?limit=1')}`],
		['requests', 'requests'],
		['a rejected request', `requests/${await newest('requests?status=4xx')}`],
		['the clock', 'clock'],
		['the variants of a section', 'clock', 'Lists'],
		['agents', 'objects/agents'],
		['an agent with a flow', `objects/agents/${agentId}`],
		['the end of a flow', `objects/agents/${agentId}`, 'yes → bye'],
		['campaigns', 'objects/campaigns'],
		['a campaign', `objects/campaigns/${campaignId}`],
		['webhooks', 'objects/webhooks'],
		['a webhook', `objects/webhooks/${await first('webhooks')}`],
		['calendars', 'objects/calendars'],
		['a calendar', `objects/calendars/${await first('calendars')}`],
		['phone numbers', 'objects/phone-numbers'],
		['no page', 'nothing'],
		['the window of a call', 'calls', 'Call an agent'],
		['the window of a script', 'calls', 'Script a call'],
		['the window of a sample', 'deliveries', 'Send a sample'],
		['the window of a reset', 'clock', 'Reset everything'],
		['the search', 'calls', 'Search'],
	);
});

afterAll(async () => {
	receiver.close();
	await service.close();
});

type Check = (name: string, page: ConsolePage['page']) => Promise<void>;

/** Shows one view after the other. */
async function eachView(look: object, begin: Check, check: Check): Promise<void> {
	const shown = await ConsolePage.open(service.url, { ...look, bypassCSP: true });
	const { page } = shown;
	await begin('', page);
	for (const [name, place, opener] of views) {
		// Closes the window before.
		await page.keyboard.press('Escape');
		await shown.go(place);
		await page.waitForFunction(`document.querySelector('main') && !document.querySelector('main .loading')`);
		if (opener) {
			await page
				.getByRole('button', { name: opener })
				.or(page.locator('summary', { hasText: opener }))
				.first()
				.click();
			if (name.startsWith('the window') || name === 'the search') {
				await page.getByRole('dialog').getByRole('button').first().waitFor();
			}
			// Nothing is half behind the bar at the top.
			await page.evaluate('scrollTo(0, 0)');
		}
		await check(name, page);
	}
	await shown.close();
}

// Each theme and each width once.
test.each([
	['light', 1280],
	['dark', 400],
] as const)(
	'axe finds nothing in any view with the %s theme at %i pixels; nothing is wider than the page, cut off or too small to click',
	async (colorScheme, width) => {
		const addAxe: Check = async (_name, page) => void (await page.addScriptTag({ content: axe }));
		await eachView({ colorScheme, width }, addAxe, async (name, page) => {
			const found = await page.evaluate(
				`axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations, passes }) => ({
					violations: violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ': ' + failureSummary)),
					checked: passes.length > 15,
					wide: document.documentElement.scrollWidth,
					cut: [...document.querySelectorAll('.row strong')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText),
					small: [...document.querySelectorAll('button, select, input:not(.hidden):not([type=radio]):not([type=checkbox])')]
						.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 24).map((one) => one.outerHTML),
				}))`,
			);
			expect({ name, found }).toEqual({
				name,
				found: { violations: [], checked: true, wide: width, cut: [], small: [] },
			});
		});
	},
);

test('Tab reaches all of every view and window, and shows where it is', async () => {
	const nothing: Check = async () => undefined;
	await eachView({}, nothing, async (name, page) => {
		await page.evaluate(`document.activeElement.blur(); window.left = new Set(
			[...(document.querySelector('dialog') ?? document).querySelectorAll('a[href], button, input, select, textarea, summary, audio')]
				.filter((one) => one.checkVisibility() && !one.disabled && !one.matches('input[type=radio]:not(:checked), .rows a ~ a')))`);
		const unseen: string[] = [];
		for (let count = 0, left = 1; count < 300 && left > 0; count += 1) {
			await page.keyboard.press('Tab');
			const focused = (await page.evaluate(`(() => {
				const one = document.activeElement;
				window.left.delete(one);
				const shown = one.matches('input[type=radio], .fileButton input') ? one.parentElement : one;
				const parts = [shown, ...shown.querySelectorAll('*')];
				// The browser draws the focus of its player itself.
				const seen = one.matches('body, audio') || parts.some((part) => getComputedStyle(part).outlineStyle !== 'none');
				return { unseen: seen ? [] : [one.outerHTML], left: window.left.size };
			})()`)) as { unseen: string[]; left: number };
			unseen.push(...focused.unseen);
			({ left } = focused);
		}
		const missed = await page.evaluate(`[...window.left].filter((one) => one.isConnected).map((one) => one.outerHTML)`);
		expect({ name, missed, unseen }).toEqual({ name, missed: [], unseen: [] });
	});
});

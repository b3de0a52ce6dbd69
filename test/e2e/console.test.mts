import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { asList, asText, changeState, type SandboxClient, startClient } from '../sandbox/client.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../sandbox/webhookReceiver.mts';
import { type ConsolePage, openConsole } from './consolePage.mts';
import { eventually } from './eventually.mts';

const axe = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 A and AA, and what axe holds for good practice. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

let service: SandboxClient;
let receiver: WebhookReceiver;
let shown: ConsolePage;
/** What each test begins with: a ringing phone, its first event, a rejected request, and one object of each kind. */
let ids: Record<string, string>;

beforeAll(async () => {
	service = await startClient({ token: 'a-token-of-its-own', startTime: Date.parse('2030-01-07T09:00:00Z'), speed: 0 });
	receiver = await startWebhookReceiver();
	shown = await openConsole(service.url);
});

beforeEach(async () => {
	await shown.page.goto('about:blank');
	await service.control('reset', {});
	await service.control('mode', { calls: 'manual', ringSeconds: 60 });
	const { agents, campaigns, calendar } = await service.control('seed');
	const personal = asList(await service.control('agents')).find(({ name }) => String(name) === 'Odette')!.id;
	ids = { $agent: asText(agents!.published), $personal: asText(personal), $calendar: asText(calendar) };
	ids.$campaign = asText(campaigns!.active);
	const events = { events: ['event_phone_call_started'], webhook_secret: 'a-secret-of-some-length' };
	const hook = { name: 'Appointments in Berlin', webhook_url: receiver.url, ...events };
	await service.api('POST', `/agents/${ids.$agent}/webhooks`, hook);
	await ring({ order: 'A-77' });
	await service.api('POST', `/agents/${ids.$agent}/call`, { to: '12' });
	ids.$webhook = asText(asList(await service.control('webhooks'))[0]!.id);
	for (const [name, list] of Object.entries({ $call: 'calls', $delivery: 'deliveries', $request: 'requests' })) {
		ids[name] = await newest(list);
	}
	await shown.load('calls');
});

afterEach(() => expect(shown.errors.splice(0)).toEqual([]));

afterAll(async () => {
	await shown.close();
	receiver.close();
	await service.close();
});

const newest = async (list: string) => asText(asList((await service.control(`${list}?limit=1`)).items)[0]!.id);
const field = (label: string) => shown.page.getByLabel(new RegExp(`^\\s*${label.replace(/[()]/g, '\\$&')}`)).last();
const evaluate = (expression: string) => shown.page.evaluate(expression);
const eventuallyIs = (read: () => Promise<unknown>, expected: unknown) =>
	eventually(async () => expect(await read()).toEqual(expected));
/** The browser notes each answer that is an error: a test that causes some has to say so. */
const allowErrors = () => shown.errors.splice(0);
const named = (text: string) => text.replace(/\$\w+/g, (name) => ids[name] ?? name);

/** Lets an agent place a call that rings. */
async function ring(payload: object, agent = '$agent'): Promise<void> {
	await service.api('POST', named(`/agents/${agent}/call`), { to: '+12025550001', payload });
	await service.advance(2);
}

/** What a person does and sees, by the first word of a step; `has` is what a control route then answers. */
const verbs: Record<string, (what: string, value: string) => Promise<unknown>> = {
	at: (place) => shown.go(named(place)),
	click: (name) => shown.page.getByRole('button', { name, exact: true }).first().click(),
	press: (name) => shown.page.getByRole('button', { name, exact: true }).first().press('Enter'),
	follow: (name) => shown.page.getByRole('link', { name, exact: true }).first().click(),
	advance: (seconds) => service.advance(Number(seconds)),
	back: () => shown.page.goBack(),
	loaded: () => eventuallyIs(() => shown.page.locator('main .loading').count(), 0),
	ring: (agent) => ring({}, agent),
	key: (name) => shown.page.keyboard.press(name),
	fill: (label, text) => field(label).fill(text),
	enter: (label) => field(label).press('Enter'),
	check: (label) => field(label).check(),
	choose: (label, text) => field(label).selectOption(text),
	see: (text) => shown.page.getByText(text).first().waitFor(),
	focus: (text) => eventuallyIs(() => evaluate('document.activeElement.innerText'), text),
	rows: (amount) => eventuallyIs(() => shown.page.locator('.row').count(), Number(amount)),
	first: () => shown.page.locator('.row').first().click(),
	has: (path, json) =>
		eventually(async () => expect(await service.control(named(path))).toMatchObject(JSON.parse(json) as object)),
};

/** Steps are separated by arrows; what stands after `: ` is filled in, chosen or expected. */
async function walk(...lines: string[]): Promise<void> {
	for (const step of lines.flatMap((line) => line.split(' → '))) {
		const [, verb = '', what = '', value = ''] = /^(\w+) ?(.*?)(?:: (.*))?$/.exec(step)!;
		await verbs[verb]!(what, value);
	}
}

const busy = 'see The line was busy, or the call was declined.';
const refused = 'rows 2 → first → see No, the signature is wrong.';
const sentAgain = 'at deliveries/$delivery → see Yes.';
/** What others do meanwhile shows, and changes nothing that was typed. */
const others = 'ring $agent → see 4 of 100,000 requests';
const fault = `at clock → fill Path: /api/v1/agents* → fill Times: 2 → ${others} → click Add → see 2 times left`;

test.each([
	['declines', `press Decline → ${busy} → focus +1 202 555 0001 → focus Phones → has calls/$call: {"status":"busy"}`],
	['is busy', `click Busy → ${busy} → has calls/$call: {"status":"busy"}`],
	['does not answer', 'click No answer → see Nobody answered. → has calls/$call: {"status":"no-answer"}'],
	['lets a call fail', 'click Fail → see The call failed. → has calls/$call: {"status":"failed"}'],
	['has a voicemail', 'click Voicemail → see Answered, voicemail → has calls/$call: {"answered_by":"machine"}'],
	['hangs up while it rings', 'click Hang up → see No phone is ringing. → has calls/$call: {"can":[]}'],
	[
		'answers, speaks, presses keys and hangs up by keyboard',
		'press Answer → see In conversation → follow Talk, or use an action → fill Says: On Tuesday. → press Say',
		'see On Tuesday. → fill Keys: 1# → press Press → see 1# → press Hang up → see Completed',
		'has calls/$call: {"status":"completed","answered_by":"person","ended_by":"person"}',
	],
	['calls an agent', 'click Call an agent → click Call → has calls?direction=inbound&active=true: {"total":1}'],
	['lets phones ring longer', 'fill Ring for: 90 → enter Ring for → has mode: {"ringSeconds":90}'],
	['lets the sandbox answer', 'check Automatic → has mode: {"calls":"automatic"}'],
	[
		'filters calls and shows all again',
		'fill Filter calls: A-77 → rows 1 → choose Status: active → rows 1 → choose Direction: inbound',
		'see No call matches → follow Show all calls → see +1 202 555 1029',
	],
	['resends a delivery', `${sentAgain} → click Resend → rows 2 → first → see No, the same event was accepted before.`],
	['tampers with the body', `${sentAgain} → click Tamper with the body → ${refused}`],
	['tampers with the signature', `${sentAgain} → click Tamper with the signature → ${refused}`],
	['uses a wrong secret', `${sentAgain} → click Use a wrong secret → ${refused}`],
	['duplicates a delivery', `${sentAgain} → click Duplicate → rows 3`],
	['delays a delivery', `${sentAgain} → click Delay by → see It will be sent in 60 s. → advance 61 → rows 2`],
	[
		'sends a sample to the webhook and of the event that the list shows',
		'at deliveries?webhookId=$webhook&event=event_action → see No delivery matches → click Send a sample',
		'click Send → rows 1 → has deliveries?limit=1: {"items":[{"event":"event_action","status":"success"}]}',
	],
	['finds a rejected request', 'at requests → choose Status: 4xx → rows 1 → first → see in international format'],
	['advances the clock', 'at clock → click 1 hour → has status: {"now":"2030-01-07T10:00:02.000Z"}'],
	['makes the clock faster', 'at clock → click × 60 → has status: {"speed":60}'],
	['limits credits', 'at clock → fill New credits: 0 → enter New credits → has status: {"credits":0}'],
	['adds a fault', `${fault} → has faults: [{"kind":"status","times":2,"match":{"path":"/api/v1/agents*"}}]`],
	['removes a fault', `${fault} → click Remove the fault, Respond with a status → see No faults → has faults: []`],
	[
		'resets everything, but is asked first',
		'at clock → click Reset everything → click Cancel → has calls?active=true: {"total":1}',
		'click Reset everything → click Reset → has calls?active=true: {"total":0}',
	],
	[
		'lets the agent book an appointment during a call',
		'click Decline → ring $personal → see is called by Odette → click Answer → follow Talk, or use an action',
		'click Use it → see The action succeeded. → see Action book_appointment → fill Arguments (JSON): {',
		'click Use it → see The arguments are not valid JSON. → at objects/calendars/$calendar → see (4)',
	],
	[
		'follows links between objects, and goes back',
		'at objects → follow Amelia → see All fields → follow Spring offer, Berlin → see Queued calls → see None. Publish a workflow → back → see Amelia',
		'follow Calendars → follow Sales appointments → see Product tour → follow Phone numbers → see +12025550123',
	],
	[
		'sees a secret on demand',
		'at objects/webhooks/$webhook → see •••• → click Show secrets → see a-secret-of-some-length',
	],
])('a person %s', async (_does, ...lines) => await walk(...lines));

test('a request is copied as curl without the token', async () => {
	await walk('at requests/$request → click Copy as curl → see Copied');
	const copied = String(await evaluate('navigator.clipboard.readText()'));
	expect(copied).toBe((await service.control(named('requests/$request'))).curl);
	expect(copied).not.toContain(service.token);
});

test('a hundred phones are answered and hung up at once, and all ring in every tab without a reload', async () => {
	const other = await shown.page.context().newPage();
	await other.goto(service.url);
	const numbers = Array.from({ length: 119 }, (_, index) => `+442079461${100 + index}`);
	await Promise.all(numbers.map((to) => service.api('POST', `/agents/${ids.$agent}/call`, { to })));
	await service.advance(2);
	await other.getByText('120 phones are ringing.').waitFor({ state: 'attached' });
	await other.close();
	await walk(
		'click Answer all 120 → click Hang up all → see No phone is ringing. → has calls?active=true: {"total":0}',
	);
});

test('the result of a call is shown, too, if the sandbox begins late to tell of changes', async () => {
	const events = '**/_sandbox/events';
	await shown.page.route(events, (route) => setTimeout(() => void route.continue(), 1500));
	await shown.load('calls');
	await walk('click No answer → see Nobody answered.');
	await shown.page.unroute(events);
});

test('each row of the deliveries says the event type, which attempt it was, and its status', async () => {
	const sees = (...texts: string[]) =>
		eventuallyIs(() => shown.page.locator('.row').first().innerText(), inOrder(texts));
	const inOrder = (texts: string[]) => expect.stringMatching(new RegExp(texts.join('.*'), 's')) as string;
	receiver.respond(500);
	await ring({ order: 'A-78' });
	await shown.go('deliveries');
	await sees('event_phone_call_started', 'Attempt 1, next at ', 'Appointments in Berlin', 'Retrying · 500');
	receiver.respond(200);
	await service.advance(10);
	await sees('event_phone_call_started', 'Attempt 2', 'Success · 200');
});

test('the list of requests says how many older ones were dropped', async () => {
	await changeState(service, ({ requests }) => {
		requests.dropped = 1234;
	});
	await walk('at requests → see 1,234 older ones were dropped to save memory');
});

test('data are shown as text, never as HTML, and nothing from them runs', async () => {
	const evil = (place: string) => `<img src=x onerror="window.ran=1"><script>window.ran=1</script>${place}`;
	await changeState(service, ({ agents, campaigns, calendars, webhooks }) => {
		agents.get(ids.$agent!)!.name = evil('agent');
		campaigns.get(ids.$campaign!)!.name = evil('campaign');
		calendars.get(ids.$calendar!)!.name = evil('calendar');
		webhooks.get(ids.$webhook!)!.name = evil('webhook');
	});
	receiver.respond(200, { 'X-Answer': evil('answer') });
	await ring({ first_name: evil('payload'), nested: { [evil('key')]: 1 } });
	Object.assign(ids, { $call: await newest('calls'), $delivery: await newest('deliveries') });
	await service.control(named('calls/$call/act'), { action: 'answer' });
	await service.control(named('calls/$call/act'), { action: 'say', text: evil('said') });
	await service.api('POST', `/agents/${ids.$agent}/call?x=${encodeURIComponent(evil('query'))}`, { to: evil('to') });
	ids.$request = await newest('requests');
	let texts = '';
	for (const view of VIEWS) {
		await walk(`key Escape → at ${view} → loaded`);
		texts += await shown.page.locator('main').textContent();
		expect(await evaluate('window.ran ?? document.querySelectorAll("main script, main img").length')).toBe(0);
	}
	for (const name of ['agent', 'campaign', 'calendar', 'webhook', 'answer', 'payload', 'key', 'said', 'to', 'query']) {
		expect(texts).toContain(`</script>${name}`);
	}
	allowErrors();
	receiver.respond(200);
});

test('the page says when the sandbox does not answer, and goes on by itself when it is back', async () => {
	const first = await startClient({ speed: 0 });
	const { page } = await openConsole(first.url);
	await page.locator('.row').first().waitFor();
	await first.close();
	await page.getByText('This page continues when it is back.').waitFor();
	const second = await startClient({ speed: 0, port: Number(new URL(first.url).port) });
	await page.getByText('This page continues when it is back.').waitFor({ state: 'detached' });
	await second.control('mode', { calls: 'manual' });
	await page.getByText('The next call rings here').waitFor();
	await page.context().close();
	await second.close();
});

const FILTERED = 'deliveries?webhookId=$webhook&event=event_phone_call_did_not_connect&callId=$call';

/** Every view, and what opens its window. */
const VIEWS = [
	...['calls', 'calls?q=nobody', 'calls/$call', 'calls/$live', 'calls/nobody', 'deliveries', 'deliveries/$delivery'],
	...[FILTERED, 'requests', 'requests/$request', 'clock', 'nothing', 'objects/agents', 'objects/agents/$agent'],
	...['objects/campaigns', 'objects/campaigns/$campaign', 'objects/webhooks', 'objects/webhooks/$webhook'],
	...['objects/calendars', 'objects/calendars/$calendar', 'objects/phone-numbers'],
	...['calls → click Call an agent', 'deliveries → click Send a sample', 'clock → click Reset everything'],
];

/** What somebody cannot see or use: what axe finds, what is cut off, and what is too small for a finger. */
const FINDINGS = `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations, passes }) => {
	const found = (selector, isBad) => [...document.querySelectorAll(selector)].filter((one) =>
		one.checkVisibility() && !one.closest('.skip') && isBad(one)).map((one) => one.outerHTML);
	return {
		violations: violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => String(target))].join(' ')),
		checked: passes.length > 15,
		wide: document.documentElement.scrollWidth - innerWidth,
		cut: [
			...found('.row strong, button', (one) => one.scrollWidth > one.clientWidth + 1),
			...found('select', (one) => one.offsetWidth < widthOfText(one)),
			...found('button, a, h2, select, input', (one) => {
				const { left, right } = one.getBoundingClientRect();
				const box = one.closest('.panel')?.getBoundingClientRect() ?? { left: 0, right: innerWidth };
				return left < box.left || right > box.right;
			}),
		],
		small: found('button, a, select, input, summary', (one) => one.getBoundingClientRect().height < 24),
	};
})`;
const NOTHING = { violations: [], checked: true, wide: 0, cut: [], small: [] };

/** Adds to the page what the findings need: axe, and how wide a selection has to be for the text that it shows. */
async function addFinders(): Promise<void> {
	const widthOfText = `function widthOfText(select) {
		const copy = document.createElement('select');
		copy.add(new Option(select.selectedOptions[0]?.text));
		copy.style = 'position: absolute; min-width: 0; max-width: none';
		document.body.append(copy);
		const { offsetWidth } = copy;
		copy.remove();
		return offsetWidth;
	}`;
	await shown.page.addScriptTag({ content: `${axe}; ${widthOfText}` });
}

/** Goes with Tab through all of a page or window; gives what it does not reach, and where the focus cannot be seen. */
async function tabThrough(): Promise<unknown> {
	const focusable = 'a[href], button, input:not([type=radio]:not(:checked)), select, textarea, summary, audio';
	await evaluate(`document.activeElement.blur(); window.unseen = []; window.left = new Set(
		[...(document.querySelector('dialog') ?? document).querySelectorAll('${focusable}')]
			.filter((one) => one.checkVisibility() && !one.matches('.rows div ~ div a')));
		addEventListener('focusin', ({ target }) => {
			left.delete(target);
			// The browser draws the focus of its player itself.
			getComputedStyle(target).outlineStyle === 'none' && target.matches(':not(audio)') && unseen.push(target.outerHTML);
		})`);
	const missed = () => evaluate('[...left].filter((one) => one.isConnected).map((one) => one.outerHTML)');
	for (let count = 0; count < 300 && String(await missed()); count += 1) {
		await shown.page.keyboard.press('Tab');
	}
	return [await missed(), await evaluate('unseen')];
}

test.each([1280, 400])('everybody can use every view, in both themes, %i pixels wide', async (width) => {
	await shown.close();
	shown = await openConsole(service.url, { viewport: { width, height: 860 }, bypassCSP: true });
	await addFinders();
	await service.control('faults', { kind: 'latency', ms: 5, match: { path: '/api/v1/nothing' } });
	await ring({}, '$personal');
	ids.$live = await newest('calls');
	await service.control(named('calls/$live/act'), { action: 'answer' });
	for (const view of VIEWS) {
		await walk(`key Escape → at ${view} → loaded`);
		for (const colorScheme of ['light', 'dark'] as const) {
			await shown.page.emulateMedia({ colorScheme });
			expect([view, colorScheme, await evaluate(FINDINGS)]).toEqual([view, colorScheme, NOTHING]);
		}
		expect([view, await tabThrough()]).toEqual([view, [[], []]]);
	}
	allowErrors();
});

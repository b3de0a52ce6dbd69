import { readFileSync } from 'node:fs';

import { readState, writeState } from '../../sandbox/state/state.mts';
import { asList, asText, changeState, type Json, type SandboxClient, startClient } from '../sandbox/client.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../sandbox/webhookReceiver.mts';
import { ConsolePage, greetingFlow } from './consolePage.mts';
import { eventually } from './eventually.mts';

let service: SandboxClient;
let shown: ConsolePage;
let receiver: WebhookReceiver;
let agentId: string;

beforeAll(async () => {
	const startTime = Date.parse('2030-01-07T09:00:00Z');
	service = await startClient({ token: 'a-token-of-its-own', startTime, speed: 0 });
	receiver = await startWebhookReceiver();
	agentId = asText((await service.control('seed')).agents!.published);
});

const startAgain = async () => {
	await service.control('reset', {});
	await service.control('mode', { calls: 'manual', ringSeconds: 60 });
};

beforeEach(async () => {
	await startAgain();
	receiver.answer(200);
	shown = await ConsolePage.open(service.url);
});

afterEach(async () => {
	const { errors } = shown;
	await shown.close();
	expect(errors).toEqual([]);
});

afterAll(async () => {
	receiver.close();
	await service.close();
});

/** Places a call that rings. @returns its id */
async function ring(to = '+12025550001', payload = {}): Promise<string> {
	expect((await service.api('POST', `/agents/${agentId}/call`, { to, payload })).status).toBe(200);
	await service.advance(2);
	return await newest('calls');
}

/** Registers a webhook of the agent at the receiver. @returns its id */
async function addWebhook(name = 'Appointments', more: object = {}): Promise<string> {
	const events = { events: ['event_phone_call_started'], webhook_secret: 'a-secret-of-some-length' };
	await service.api('POST', `/agents/${agentId}/webhooks`, { name, webhook_url: receiver.url, ...events, ...more });
	return asText(asList(await service.control('webhooks')).at(-1)!.id);
}

const itemsOf = async (path: string) => asList((await service.control(path)).items);
const newest = async (list: string) => asText((await itemsOf(`${list}?limit=1`))[0]!.id);
const callOf = (id: string) => service.control(`calls/${id}`);
const act = (id: string, more: object) => service.control(`calls/${id}/act`, more);
const statusIs = (expected: object) =>
	eventually(async () => expect(await service.control('status')).toMatchObject(expected));
const phone = () => shown.page.locator('.phone');
const rows = () => shown.page.locator('.row');
const rowsAre = (amount: number) => eventually(async () => expect(await rows().count()).toBe(amount));
const dialog = () => shown.page.getByRole('dialog');
const button = (name: string) => shown.page.getByRole('button', { name, exact: true });
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });
const says = (text: string) => shown.page.getByText(text).first().waitFor();
const heading = (name: string) => shown.page.getByRole('heading', { name }).waitFor();
const follow = (name: string) => shown.page.getByRole('link', { name, exact: true }).click();
const choose = (label: string, option: string) => shown.page.getByLabel(label, { exact: true }).selectOption(option);
const evaluate = (expression: string) => shown.page.evaluate(expression);
const focused = () => evaluate('document.activeElement.textContent');
const seen = async (path: string, expected: unknown) =>
	await eventually(async () => expect(await service.control(path)).toEqual(expected));

/** The browser notes each answer that is an error: a test that causes some has to say so. */
const allowErrors = () => shown.errors.splice(0);

describe('the phones', () => {
	it('ring without a reload, and a person answers by keyboard, speaks, presses keys and hangs up', async () => {
		await says('No phone is ringing.');
		const id = await ring();
		await shown.page.getByRole('status').getByText('+1 202 555 0001 is ringing.').waitFor({ state: 'attached' });
		await phone().getByRole('button', { name: 'Answer', exact: true }).press('Enter');
		await says('In conversation');
		expect(await callOf(id)).toMatchObject({ status: 'answered', answered_by: 'person' });
		await follow('Talk, or use an action');
		await shown.page.getByLabel('Says').fill('Yes, on Tuesday.');
		await button('Say').click();
		await shown.page.locator('.timeline').getByText('Yes, on Tuesday.').waitFor();
		await shown.page.getByLabel('Keys').fill('1#');
		await button('Press').click();
		await eventually(async () => expect(JSON.stringify((await callOf(id)).transcript)).toContain('1#'));
		await button('Hang up').click();
		await shown.page.locator('.titleRow').getByText('Completed').waitFor();
		expect(await callOf(id)).toMatchObject({ status: 'completed', ended_by: 'person' });
	});

	it('do what each button says; the card of a call that is over stays a moment, with the focus', async () => {
		for (const [name, result] of Object.entries({
			Busy: { status: 'busy', can: [] },
			'No answer': { status: 'no-answer' },
			Fail: { status: 'failed' },
			Voicemail: { status: 'answered', answered_by: 'machine' },
			'Hang up': { can: [] },
			Decline: { status: 'busy', can: [] },
		})) {
			await startAgain();
			await phone().waitFor({ state: 'detached' });
			const id = await ring();
			await button(name).click();
			await eventually(async () => expect(await callOf(id)).toMatchObject(result));
		}
		await phone().getByText('The line was busy').waitFor();
		expect(await focused()).toBe('+1 202 555 0001');
		await phone().waitFor({ state: 'detached' });
		expect(await focused()).toBe('Phones');
	});

	it('are answered and hung up by the hundred, a call can come in, and somebody else can answer', async () => {
		const numbers = Array.from({ length: 120 }, (_, index) => `+442079461${100 + index}`);
		await Promise.all(numbers.map((to) => service.api('POST', `/agents/${agentId}/call`, { to })));
		await service.advance(2);
		const answered = () => itemsOf('calls?limit=500&status=answered');
		await button('Answer all 120').click();
		await eventually(async () => expect(await answered()).toHaveLength(120));
		await button('Hang up all').click();
		await says('No phone is ringing.');
		expect(await answered()).toEqual([]);
		await shown.page.getByLabel('Ring for').fill('20');
		await button('Call an agent').click();
		await inDialog('Call').click();
		await phone().first().waitFor();
		expect(await itemsOf('calls?direction=inbound&active=true')).toHaveLength(1);
		await seen('mode', { calls: 'manual', ringSeconds: 20 });
		await shown.page.getByLabel('Automatic').click({ force: true });
		await seen('mode', { calls: 'automatic', ringSeconds: 20 });
	});

	it('follow a script that is written in the page, which refuses one that makes no sense in front of the form', async () => {
		const steps = dialog().getByRole('list', { name: 'Steps' }).getByRole('listitem');
		const happens = (step: number, what: string) => steps.nth(step).getByLabel('What happens').selectOption(what);
		await button('Script a call').click();
		await shown.page.keyboard.press('Escape');
		await dialog().waitFor({ state: 'detached' });
		expect(await focused()).toBe('Script a call');
		await button('Script a call').click();
		await happens(0, 'busy');
		await inDialog('Save').click();
		const message = dialog().getByRole('alert');
		await message.getByText('The call is over before this step.').waitFor();
		await message.getByRole('button').click();
		await shown.page.locator('.notice').waitFor({ state: 'detached' });
		await happens(0, 'answer');
		await dialog().getByLabel('Number').fill('+12025550177');
		await dialog().getByLabel('How many').fill('2');
		await button('Add a step').click();
		await happens(2, 'press');
		await steps.nth(2).getByRole('textbox', { name: 'Keys' }).fill('1#');
		await happens(3, 'agentHangsUp');
		await steps.nth(3).getByLabel('After (s)').fill('4.5');
		await inDialog('Save').click();
		await dialog().waitFor({ state: 'detached' });
		const hangUp = { after: 4.5, do: 'hangUp', by: 'agent' };
		const written = [{ do: 'answer' }, { do: 'say' }, { do: 'press', keys: '1#' }, hangUp];
		expect(await service.control('script')).toMatchObject([{ to: '+12025550177', times: 2, steps: written }]);
		await says('The agent hangs up after 4.5 s');
		await ring('+12025550177');
		await says('The next call to +12025550177');
		await button('Remove the script for +12025550177').click();
		await seen('script', []);
		allowErrors();
	});

	it('follow what other tabs do, also after the first one is closed, and what changed before they listened', async () => {
		const first = shown.page;
		let open!: () => void;
		const opened = new Promise<void>((resolve) => (open = resolve));
		const second = await first.context().newPage();
		await second.route('**/_sandbox/events', async (route) => {
			await opened;
			await route.continue();
		});
		await second.goto(service.url);
		await second.getByText('No phone is ringing.').waitFor();
		await ring();
		open();
		for (const tab of [first, second]) {
			await tab.locator('.phone').getByText('+1 202 555 0001').waitFor();
		}
		await second.getByRole('button', { name: 'Answer', exact: true }).click();
		await says('In conversation');
		await first.close();
		await ring('+12025550003');
		await second.locator('.phone').getByText('+1 202 555 0003').waitFor();
		await statusIs({ listeners: 1 });
	});
});

describe('the lists', () => {
	it('of calls are filtered by status, direction, agent and text, and the address says how', async () => {
		const id = await ring('+12025550188', { order: 'A-77' });
		await choose('Status', 'active');
		await shown.page.getByText('1 call', { exact: true }).waitFor();
		await choose('Status', 'busy');
		const { length } = await itemsOf('calls?limit=500&status=busy');
		await shown.page.getByText(`${length} calls`, { exact: true }).waitFor();
		await choose('Direction', 'inbound');
		await says('No call matches');
		expect(shown.page.url()).toContain('status=busy&direction=inbound');
		await follow('Show all calls');
		await shown.page.getByLabel('Filter calls').fill('A-77');
		await rowsAre(1);
		expect(await rows().first().getAttribute('href')).toBe(`#/calls/${id}`);
		await shown.load(`calls?agentId=${service.seed.agents.draft}`);
		await says('No call matches');
	});

	it('of deliveries say whether the trigger would accept each, and why not, and send them in every way', async () => {
		await addWebhook();
		const id = await ring('+12025550001', { first_name: 'Ada' });
		await shown.go('deliveries');
		await rows().first().click();
		await shown.page.locator('.verdict.good').getByText('Yes.').waitFor();
		expect(await shown.page.getByLabel('the request body', { exact: true }).innerText()).toContain(id);

		for (const [index, [name, reason]] of [
			['Resend', 'accepted before'],
			['Tamper with the body', 'signature'],
			['Tamper with the signature', 'signature'],
			['Use a wrong secret', 'signature'],
		].entries()) {
			await button(name!).click();
			await rowsAre(index + 2);
			await rows().first().click();
			await shown.page.locator('.row[aria-current]').first().waitFor();
			expect(await shown.page.locator('.verdict.bad').innerText()).toContain(reason);
		}
		await button('Duplicate').click();
		await rowsAre(7);
		await shown.page.getByLabel('Delay in seconds').fill('60');
		await button('Delay by').click();
		await says('It will be sent in 60 s.');
		await service.advance(61);
		await rowsAre(8);
		expect(receiver.received.length).toBeGreaterThanOrEqual(8);

		const second = await addWebhook('Second');
		await shown.go(`deliveries?webhookId=${second}&event=event_action`);
		await button('Send a sample').click();
		expect(await dialog().getByLabel('Webhook').inputValue()).toBe(second);
		await inDialog('Send').click();
		await rows().getByText('event_action').waitFor();
		await choose('Status', 'failed');
		await says('No delivery matches');
	});

	it('of requests say why one was rejected, and copy it as curl without the token', async () => {
		await service.api('GET', '/agents');
		await service.api('POST', `/agents/${agentId}/call`, { to: '12' });
		await shown.go('requests');
		await rowsAre(2);
		await choose('Status', '4xx');
		await rowsAre(1);
		await rows().first().click();
		const rejected = shown.page.getByRole('table', { name: 'Rejected fields' });
		expect(await rejected.innerText()).toMatch(/to\s+The phone number must be in international format/);
		await button('Copy as curl').click();
		await says('Copied: as curl');
		const copied = String(await evaluate('navigator.clipboard.readText()'));
		expect(copied).toBe(asText((await service.control(`requests/${await newest('requests')}`)).curl));
		expect(copied).not.toContain(service.token);
	});
});

describe('the page of the clock', () => {
	beforeEach(async () => await shown.go('clock'));

	it('advances the clock, changes its speed, and limits credits', async () => {
		await button('1 hour').click();
		await statusIs({ now: '2030-01-07T10:00:00.000Z' });
		await ring();
		const { next_event_at: now } = await service.control('status');
		await button('To the next event').click();
		await statusIs({ now });
		await button('× 60').click();
		await statusIs({ speed: 60 });
		await button('Stop').click();
		await statusIs({ speed: 0 });
		await shown.page.getByLabel('New credits').fill('0');
		// The page is drawn again each time the rate limit is read; what is typed stays.
		await service.api('GET', '/campaigns');
		await says('2 of 100,000 requests');
		expect(await shown.page.getByLabel('New credits').inputValue()).toBe('0');
		await shown.page.getByRole('button', { name: 'Set', exact: true }).first().click();
		await statusIs({ credits: 0 });
	});

	it('adds and removes faults, and sends events late or never', async () => {
		const fault = shown.page.locator('form', { hasText: 'What happens' });
		await fault.getByLabel('Path').fill('/api/v1/agents*');
		await fault.getByLabel('Status', { exact: true }).fill('500');
		await fault.getByLabel('Times').fill('2');
		await button('Add').click();
		await says('2 times left');
		const match = { path: '/api/v1/agents*' };
		expect(await service.control('faults')).toMatchObject([{ kind: 'status', status: 500, times: 2, match }]);
		await button('Remove the fault: Answer with a status').click();
		await seen('faults', []);

		const form = shown.page.locator('form', { hasText: 'Never send it' });
		await form.getByLabel('Event').selectOption('event_recording');
		await form.getByLabel('Delay (seconds)').fill('90');
		await form.getByRole('button', { name: 'Set' }).click();
		await seen('delays', [{ event: 'event_recording', seconds: 90 }]);
		await form.getByLabel('Never send it').check();
		await form.getByRole('button', { name: 'Set' }).click();
		await seen('delays', [{ event: 'event_recording', seconds: null }]);
		await button('Send at once: event_recording').click();
		await seen('delays', []);
	});

	it('makes the sandbox another service, by keyboard, and shows what is chosen', async () => {
		const chosen = async () =>
			asList(await service.control('variants')).flatMap(({ name, chosen: on }) => (on ? [name] : []));
		const section = shown.page.locator('summary', { hasText: 'Signatures' });
		await section.press('Enter');
		await shown.page.keyboard.press('Tab');
		await shown.page.keyboard.press('Space');
		await section.getByText('1 chosen').waitFor();
		expect(await chosen()).toEqual(['signature-sha256']);
		await button('As the sandbox assumes').click();
		await says('Choose what the service does otherwise.');
		expect(await chosen()).toEqual([]);
	});

	it('saves a snapshot and loads it, refuses what is none, and says what was dropped', async () => {
		const id = await ring();
		const [download] = await Promise.all([shown.page.waitForEvent('download'), follow('Save a snapshot')]);
		expect(download.suggestedFilename()).toBe('sandbox.snapshot');
		const saved = readState(readFileSync(await download.path()));
		await service.control('reset', {});
		const load = async (buffer: Buffer) => {
			const file = { name: 'mine.snapshot', mimeType: 'application/octet-stream', buffer };
			await shown.page.getByLabel('Load a snapshot').setInputFiles(file);
			await says('mine.snapshot replaces everything');
			await inDialog('Load').click();
			await dialog().waitFor({ state: 'detached' });
		};
		await load(Buffer.from('something else'));
		await says('The snapshot cannot be used: it is no state of this sandbox.');
		saved.requests.dropped = 1234;
		await load(writeState({ ...saved, droppedCalls: 1 }));
		await says('The snapshot is loaded.');
		expect((await callOf(id)).status).toBe('ringing');
		await shown.go('requests');
		await says('1,234 older ones were dropped to save memory');
		allowErrors();
	});

	it('resets everything, but asks first', async () => {
		await ring();
		const active = () => itemsOf('calls?active=true');
		await button('Reset everything').click();
		await button('Cancel').click();
		expect(await active()).toHaveLength(1);
		await button('Reset everything').click();
		await inDialog('Reset').click();
		await eventually(async () => expect(await active()).toHaveLength(0));
	});
});

describe('the objects', () => {
	/** Gives the agent a flow, whatever the service would say of it, and shows the agent. */
	const showFlow = async (flow: Record<string, unknown>) => {
		await changeState(service, ({ agents }) => {
			agents.get(agentId)!.flow_config = flow;
		});
		await shown.go(`objects/agents/${agentId}`);
		await walk().waitFor();
	};
	const diagram = () => shown.page.getByRole('region', { name: 'Flow diagram' });
	const walk = () => shown.page.locator('.walk');
	const here = () => shown.page.locator('.diagram .here .name');

	it('have links between them, a flow is a diagram and a calendar a week', async () => {
		expect((await service.api('PUT', `/agents/${agentId}/flow`, greetingFlow)).status).toBe(200);
		await shown.go('objects');
		await follow('Amelia');
		await diagram().getByText('greet', { exact: true }).waitFor();
		expect(await diagram().locator('.node').count()).toBe(2);
		await follow('Spring offer, Berlin');
		await heading('Spring offer, Berlin');
		await follow('Calendars');
		await follow('Sales appointments');
		await eventually(async () => expect(await shown.page.locator('.day').count()).toBe(7));
		await says('3 events in this week.');
		await button('Week after →').click();
		await heading('Mon, Jan 14 to Sun, Jan 20');
		await follow('Phone numbers');
		await says('+12025550123');
	});

	it('walk through a flow by keyboard: texts are said, the node is marked, and nothing is sent', async () => {
		const [action] = asList((await service.control(`agents/${agentId}`)).actions) as [Json];
		/** Chooses a way: the step has the focus, and its first way is next. */
		const go = async (name: string, step: string) => {
			await eventually(async () => {
				await shown.page.keyboard.press('Tab');
				expect(await evaluate('document.activeElement.innerText.replace(/\\s+/g, " ")')).toBe(name);
			});
			await shown.page.keyboard.press('Enter');
			await eventually(async () => expect(await focused()).toContain(step));
		};
		await showFlow({
			initial_node_id: 'greet',
			nodes: [
				{ id: 'greet', type: 'say', content: 'Hello {{first_name}}!', next: 'want' },
				{
					id: 'want',
					type: 'ask',
					content: 'An appointment, {{ first_name }}?',
					next: 'greet',
					branches: [{ match: 'yes', next: 'book' }],
				},
				{ id: 'book', type: 'action', action_id: asText(action.id), slot: 'first', next: 'bye' },
				{ id: 'bye', type: 'end' },
			],
		});
		const { total } = await service.control('requests?limit=1');
		await walk().getByLabel('first_name').fill('Ada');
		expect(await walk().locator('blockquote').innerText()).toBe('Hello Ada!');
		await go('Continue → want', 'Step 2: want (Ask)');
		const ways = (await walk().locator('.ways button').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
		expect(ways).toEqual(['yes → book', 'None of these branches (next) → greet']);
		await go('yes → book', 'Step 3: book (Action)');
		await eventually(async () => expect(await here().allTextContents()).toEqual(['book']));
		await walk().getByText('The action book_appointment would be sent').waitFor();
		await go('Continue → bye', 'Step 4: bye (End)');
		const steps = walk().getByLabel('Steps so far').locator('li');
		expect((await steps.nth(1).innerText()).replace(/\s+/g, ' ')).toContain('want (Ask) An appointment, Ada? → yes');
		await button('Start again').click();
		await heading('Step 1: greet (Say)');
		expect((await service.control('requests?limit=1')).total).toBe(total);
	});
});

it('lets the agent use an action during a call, and shows its request, answer and time', async () => {
	await service.api('POST', `/agents/${agentId}/actions`, {
		node_id: 'book',
		name: 'book',
		description: 'Books',
		type: 'webhook',
		url: receiver.url,
		inputs: [
			{ name: 'day', type: 'string', required: true, description: 'The day' },
			{ name: 'people', type: 'integer', required: true, description: 'How many' },
		],
	});
	await service.api('POST', `/agents/${agentId}/publish`);
	const id = await ring();
	await act(id, { action: 'answer' });
	await shown.go(`calls/${id}`);
	await shown.page.getByLabel('Agent’s action').selectOption({ label: 'book' });
	const given = shown.page.getByLabel('Arguments (JSON)');
	expect(JSON.parse(await given.inputValue())).toEqual({ day: '', people: 1 });
	await given.fill('{"day": "Tuesday", "people": 2}');
	await button('Use it').click();
	await says('The action succeeded.');
	const used = shown.page.locator('.timeline .action');
	await eventually(async () => expect(await used.innerText()).toMatch(/Action book\s+✓\s+Succeeded\s+\d+ ms/));
	expect(receiver.received.at(-1)!.body).toMatchObject({ people: 2 });
	await given.fill('{');
	await button('Use it').click();
	await says('The arguments are not valid JSON.');
	allowErrors();
});

it('has a link for every place, a search after a slash and a theme that stays, and the back button works', async () => {
	const id = await ring();
	await shown.load(`calls/${id}`);
	await heading('+1 202 555 0001');
	await follow('Amelia');
	await heading('Amelia');
	await shown.page.goBack();
	await heading('+1 202 555 0001');
	await shown.page.keyboard.press('/');
	await shown.page.keyboard.type('amel', { delay: 30 });
	await dialog().getByText('Amelia').waitFor();
	await shown.page.getByLabel('Search for').press('Enter');
	await heading('Amelia');
	const color = () => evaluate('getComputedStyle(document.body).backgroundColor');
	const light = await color();
	await choose('Theme', 'dark');
	const dark = await color();
	expect(dark).not.toBe(light);
	await shown.load('calls/nobody');
	await says('Call not found.');
	expect([await color(), await shown.page.getByLabel('Theme').inputValue()]).toEqual([dark, 'dark']);
	allowErrors();
});

it('shows data as text, never as HTML, and runs nothing from it', async () => {
	const evil = (place: string) =>
		`<img src=x onerror="window.ran='${place}'"><script>window.ran='${place}'</script>${place}`;
	const [campaign] = asList(await service.control('campaigns')) as [Json];
	const [calendar] = asList(await service.control('calendars')) as [Json];
	const [campaignId, calendarId] = [asText(campaign.id), asText(calendar.id)];
	await changeState(service, ({ agents, campaigns, calendars }) => {
		campaigns.get(campaignId)!.name = evil('campaign');
		calendars.get(calendarId)!.name = evil('calendar');
		const branches = [{ match: evil('match'), next: evil('node') }];
		const node = { id: evil('node'), type: evil('type'), content: evil('content'), branches };
		const flow = { initial_node_id: evil('initial'), nodes: [node] };
		Object.assign(agents.get(agentId)!, { name: evil('agent'), flow_config: flow });
	});
	const webhookId = await addWebhook(evil('webhook'), {
		webhook_url: `${receiver.url}?${encodeURIComponent(evil('url'))}`,
		custom_headers: [{ key: 'X-Mine', value: evil('header') }],
	});
	receiver.answer(200, { 'X-Answer': evil('answer') });
	const id = await ring('+12025550001', { first_name: evil('payload'), nested: { [evil('key')]: 1 } });
	await act(id, { action: 'answer' });
	await act(id, { action: 'say', text: evil('said') });
	await service.api('POST', `/agents/${agentId}/call?x=${encodeURIComponent(evil('query'))}`, { to: evil('to') });
	for (const [place, texts] of Object.entries({
		calls: ['agent'],
		[`calls/${id}`]: ['agent', 'payload', 'key', 'said'],
		deliveries: ['webhook'],
		[`deliveries/${await newest('deliveries')}`]: ['header', 'answer', 'agent'],
		requests: [],
		[`requests/${await newest('requests')}`]: ['to', 'query'],
		'objects/agents': ['agent'],
		[`objects/agents/${agentId}`]: ['agent', 'node', 'content', 'initial', 'webhook'],
		'objects/campaigns': ['campaign'],
		[`objects/campaigns/${campaignId}`]: ['campaign'],
		'objects/webhooks': ['webhook'],
		[`objects/webhooks/${webhookId}`]: ['webhook'],
		'objects/calendars': ['calendar'],
		[`objects/calendars/${calendarId}`]: ['calendar'],
		[`calls?q=${encodeURIComponent(evil('filter'))}`]: [],
		[encodeURIComponent(evil('place'))]: [],
	})) {
		await shown.go(place);
		await eventually(async () => expect(await shown.page.locator('main .loading').count()).toBe(0));
		for (const text of texts) {
			const content = () => shown.page.locator('main').textContent();
			await eventually(async () => expect(await content()).toContain(`</script>${text}`));
		}
		const found = `[window.ran ?? null, document.querySelectorAll('main script, main img').length]`;
		expect(await evaluate(found)).toEqual([null, 0]);
	}
	await shown.page.keyboard.press('/');
	await shown.page.getByLabel('Search for').fill('<img');
	await dialog().getByText('</script>campaign').waitFor();
	expect(await evaluate(`window.ran ?? null`)).toBeNull();
});

it('says when the sandbox does not answer, and goes on by itself when it is back', async () => {
	const first = await startClient({ speed: 0 });
	const { page } = await ConsolePage.open(first.url);
	let second: SandboxClient | undefined;
	try {
		await page.locator('.row').first().waitFor();
		await first.close();
		await page.getByText('The sandbox does not answer.', { exact: false }).first().waitFor();
		second = await startClient({ speed: 0, port: Number(new URL(first.url).port) });
		await page.locator('.banner').waitFor({ state: 'detached' });
		await second.control('mode', { calls: 'manual' });
		await page.getByText('The next call rings here').waitFor();
	} finally {
		await second?.close();
		await page.context().close();
	}
});

import { readFileSync } from 'node:fs';

import { readState, writeState } from '../../sandbox/state/state.mts';
import { asList, asText, changeState, type Json, type SandboxClient, startClient } from '../sandbox/client.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../sandbox/webhookReceiver.mts';
import { eventually } from './browser.mts';
import { ConsolePage, greetingFlow } from './consolePage.mts';

// More than the patience of `eventually`, so that a failure says what was expected.
jest.setTimeout(180_000);

describe('the console', () => {
	let service: SandboxClient;
	let shown: ConsolePage;
	let receiver: WebhookReceiver;
	let agentId: string;

	beforeAll(async () => {
		service = await startClient({
			token: 'a-token-of-its-own',
			startTime: Date.parse('2030-01-07T09:00:00Z'),
			speed: 0,
		});
		receiver = await startWebhookReceiver();
		agentId = asText((await service.control('seed')).agents!.published);
	});

	beforeEach(async () => {
		await service.control('reset', {});
		await service.control('mode', { calls: 'manual', ringSeconds: 60 });
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
		const { status } = await service.api('POST', `/agents/${agentId}/call`, { to, payload });
		expect(status).toBe(200);
		await service.advance(2);
		return asText(asList((await service.control('calls?limit=1')).items)[0]!.id);
	}

	/** An action of the agent that is sent to the receiver. */
	async function defineAction(settings: object): Promise<void> {
		const more = { node_id: 'book', name: 'book', description: 'Books', type: 'webhook', url: receiver.url };
		expect((await service.api('POST', `/agents/${agentId}/actions`, { ...more, ...settings })).status).toBe(200);
		await service.api('POST', `/agents/${agentId}/publish`);
	}

	const loaded = () => eventually(async () => expect(await shown.page.locator('main .loading').count()).toBe(0));
	const callOf = (id: string) => service.control(`calls/${id}`);
	const phone = () => shown.page.locator('.phone');
	const button = (name: string) => shown.page.getByRole('button', { name, exact: true });

	it('follows the changes in ten tabs, also after the first one is closed', async () => {
		const [context, first] = [shown.page.context(), shown.page];
		const tabs = [first];
		for (let tab = 2; tab <= 10; tab += 1) {
			const page = await context.newPage();
			await page.goto(service.url, { timeout: 20_000 });
			await page.getByText('No phone is ringing.').waitFor();
			tabs.push(page);
		}
		await ring();
		for (const page of tabs) {
			await page.locator('.phone').getByText('+1 202 555 0001').waitFor();
		}
		await first.close();
		await ring('+12025550003');
		for (const page of tabs.slice(1)) {
			await page.locator('.phone').getByText('+1 202 555 0003').waitFor();
		}
		expect((await service.control('status')).listeners).toBe(1);
	});

	it('shows what changed before its stream of changes was open', async () => {
		let open!: () => void;
		const opened = new Promise<void>((resolve) => (open = resolve));
		await shown.page.route('**/_sandbox/events', async (route) => {
			await opened;
			await route.continue();
		});
		await shown.page.reload();
		await shown.page.getByText('No phone is ringing.').waitFor();
		await ring();
		open();
		await phone().getByRole('button', { name: 'Answer', exact: true }).waitFor();
	});

	it('says in front of a dialog what is wrong with its form, once, and the message can be closed there', async () => {
		await shown.page.getByRole('button', { name: 'Script a call' }).click();
		const dialog = shown.page.getByRole('dialog');
		await dialog.getByLabel('What happens').nth(2).selectOption('answer');
		await button('Save').click();
		const message = dialog.getByRole('alert');
		await message.getByText('The call is answered already before this step.').waitFor();
		expect((await message.innerText()).match(/answered already/g)).toHaveLength(1);
		await message.getByRole('button').click();
		await shown.page.locator('.notice').waitFor({ state: 'detached' });
		shown.errors.splice(0);
	});

	it('shows a ringing phone without a reload, and a person answers, speaks, presses keys and hangs up', async () => {
		await shown.page.getByText('No phone is ringing.').waitFor();
		const id = await ring();
		await phone().getByText('+1 202 555 0001').waitFor();
		await shown.page.getByRole('status').getByText('+1 202 555 0001 is ringing.').waitFor({ state: 'attached' });
		await phone().getByRole('button', { name: 'Answer', exact: true }).click();
		await phone().getByText('In conversation').waitFor();
		expect(await callOf(id)).toMatchObject({ status: 'answered', answered_by: 'person' });

		await phone().getByRole('link', { name: 'Talk, or use an action' }).click();
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

	it('answers 300 phones at once, tells how many ring, and hangs them up', async () => {
		const numbers = Array.from({ length: 300 }, (_, index) => `+442079461${100 + index}`);
		await Promise.all(numbers.map((to) => service.api('POST', `/agents/${agentId}/call`, { to })));
		await service.advance(2);
		await shown.page.getByRole('status').getByText('300 phones are ringing.').waitFor({ state: 'attached' });
		const amount = async (status: string) => asList((await service.control(`calls?limit=500&status=${status}`)).items);
		await button('Answer all 300').click();
		await eventually(async () => expect(await amount('answered')).toHaveLength(300));
		await button('Hang up all').click();
		await shown.page.getByText('No phone is ringing.').waitFor();
		expect(await amount('answered')).toEqual([]);
		expect(await shown.page.locator('.notice').count()).toBe(0);
	});

	it('shows all that is said in quick succession', async () => {
		const id = await ring();
		await service.control(`calls/${id}/act`, { action: 'answer' });
		await shown.go(`calls/${id}`);
		for (let count = 1; count <= 10; count += 1) {
			await service.control(`calls/${id}/act`, { action: 'say', text: `Sentence ${count}.` });
			await shown.page.locator('.timeline').getByText(`Sentence ${count}.`).waitFor();
		}
	});

	it.each([
		['Decline', { status: 'busy', can: [] }],
		['Busy', { status: 'busy', can: [] }],
		['No answer', { status: 'no-answer' }],
		['Fail', { status: 'failed' }],
		['Voicemail', { status: 'answered', answered_by: 'machine' }],
		['Hang up', { can: [] }],
	])('does what the button %s says', async (name, result) => {
		const id = await ring();
		await phone().getByRole('button', { name, exact: true }).click();
		await eventually(async () => expect((await callOf(id)).status).not.toBe('ringing'));
		expect(await callOf(id)).toMatchObject(result);
		expect(await shown.page.locator('.notice.bad').count()).toBe(0);
	});

	it('keeps the card of a call that is over for 3 seconds, with what became of it and with the focus', async () => {
		// Time passes in the page only when this test says so.
		await shown.page.clock.install();
		await shown.load('calls');
		const step = async (expectation: () => Promise<void>) =>
			await eventually(async () => {
				await shown.page.clock.runFor(20);
				await expectation();
			});
		await shown.page.clock.pauseAt(Date.now() + 3_600_000);
		const [first, second] = [await ring('+12025550001'), await ring('+12025550002')];
		await step(async () => expect(await phone().count()).toBe(2));
		await phone().first().getByRole('button', { name: 'Decline' }).focus();
		await shown.page.keyboard.press('Enter');
		await eventually(async () => expect((await callOf(first)).status).toBe('busy'));
		await step(async () => expect(await phone().first().innerText()).toContain('The line was busy'));
		expect(await phone().first().getByRole('button').count()).toBe(0);
		const focused = () => shown.page.evaluate('document.activeElement.textContent');
		expect(await focused()).toBe('+1 202 555 0001');
		await shown.page.clock.runFor(900);
		expect(await phone().count()).toBe(2);
		await shown.page.clock.runFor(3000);
		expect(await phone().count()).toBe(1);
		expect(await focused()).toBe('Phones');
		// What happens without the page shows as well, and a reset leaves nothing behind.
		await service.control(`calls/${second}/act`, { action: 'fail' });
		await step(async () => expect(await phone().innerText()).toContain('The call failed.'));
		await service.control('reset', {});
		await step(async () => expect(await phone().count()).toBe(0));
	});

	it('writes a script for the next calls to a number, shows it, and removes it', async () => {
		const dialog = shown.page.getByRole('dialog');
		const steps = dialog.getByRole('list', { name: 'Steps' }).getByRole('listitem');
		const write = async (number: string) => {
			await button('Script a call').click();
			await dialog.getByLabel('Number').fill(number);
			await dialog.getByLabel('How many').fill('2');
			await button('Add a step').click();
			await steps.nth(2).getByLabel('What happens').selectOption('press');
			await steps.nth(2).getByRole('textbox', { name: 'Keys' }).fill('1#');
			await steps.nth(3).getByLabel('What happens').selectOption('agentHangsUp');
			await steps.nth(3).getByLabel('After (s)').fill('4.5');
			await button('Save').click();
			await dialog.waitFor({ state: 'detached' });
		};
		await write('+12025550177');
		const [script] = asList(await service.control('script')) as [Json];
		expect(script).toMatchObject({
			...{ to: '+12025550177', from: null, times: 2 },
			steps: [
				{ after: 3, do: 'answer' },
				{ after: 2, do: 'say', text: 'Yes, on Tuesday.', by: 'person' },
				{ after: 4, do: 'press', keys: '1#' },
				{ after: 4.5, do: 'hangUp', by: 'agent' },
			],
		});
		await shown.page.getByText('The next 2 calls to +12025550177').waitFor();
		await shown.page.getByText('Press keys 1# after 4 s → The agent hangs up after 4.5 s').waitFor();
		const id = await ring('+12025550177');
		await service.advance(60);
		expect(await callOf(id)).toMatchObject({ status: 'completed', ended_by: 'agent' });
		await shown.page.getByText('The next call to +12025550177').waitFor();
		await button('Remove the script for +12025550177').click();
		await eventually(async () => expect(await service.control('script')).toEqual([]));
		await shown.page.getByRole('heading', { name: 'Scripts' }).waitFor({ state: 'detached' });

		// A script that makes no sense is refused in words, and the window stays.
		await button('Script a call').click();
		await steps.nth(0).getByLabel('What happens').selectOption('busy');
		await button('Save').click();
		await dialog.getByText('The call is over before this step.').waitFor();
		expect(await service.control('script')).toEqual([]);
		await shown.page.keyboard.press('Escape');
		await dialog.waitFor({ state: 'detached' });
		expect(await shown.page.evaluate('document.activeElement.textContent')).toBe('Script a call');
		shown.errors.length = 0;
	});

	it('lets the agent use an action during a call, and shows its request, answer and time', async () => {
		receiver.answer(200);
		await defineAction({
			inputs: [
				{ name: 'day', type: 'string', required: true, description: 'The day' },
				{ name: 'people', type: 'integer', required: true, description: 'How many' },
				{ name: 'branch', type: 'string', required: true, description: 'Fixed', value: 'north' },
			],
			custom_headers: [{ key: 'X-Mine', value: 'for {{name}} on {{arguments.day}}' }],
		});
		const id = await ring('+12025550001', { name: 'Ada' });
		await service.control(`calls/${id}/act`, { action: 'answer' });
		await shown.go(`calls/${id}`);
		await shown.page.getByLabel('Agent’s action').selectOption({ label: 'book' });
		const given = shown.page.getByLabel('Arguments (JSON)');
		expect(JSON.parse(await given.inputValue())).toEqual({ day: '', people: 1 });
		await given.fill('{"day": "Tuesday", "people": 2}');
		await button('Use it').click();
		await shown.page.getByText('The action succeeded.').waitFor();
		const used = shown.page.locator('.timeline .action');
		await eventually(async () => expect(await used.innerText()).toMatch(/Action book\s+✓\s+Succeeded\s+\d+ ms/));
		await used.locator('summary').click();
		const sent = receiver.received.at(-1)!;
		expect([sent.headers['x-mine'], sent.body]).toEqual(['for Ada on Tuesday', expect.objectContaining({ people: 2 })]);
		expect(await used.getByRole('table', { name: 'Headers of the action' }).innerText()).toMatch(
			/x-mine\s+for Ada on Tuesday/i,
		);
		expect(await used.innerText()).toMatch(/Response\s+✓\s+200/);

		receiver.answer(503);
		await button('Use it').click();
		await shown.page.getByRole('alert').getByText('The action failed').waitFor();
		await used.nth(1).getByText('Failed').waitFor();
		await given.fill('{"day": 5}');
		await button('Use it').click();
		await shown.page.getByRole('alert').getByText('day').waitFor();
		await given.fill('{');
		await button('Use it').click();
		await shown.page.getByText('The arguments are not valid JSON.').waitFor();
		receiver.answer(200);
		shown.errors.length = 0;
	});

	it('chooses who answers, and how long a phone rings', async () => {
		await shown.page.getByLabel('Ring for').fill('20');
		// The page is drawn again while someone types.
		await ring('+12025550009');
		await phone().getByText('+1 202 555 0009').waitFor();
		expect(await shown.page.getByLabel('Ring for').inputValue()).toBe('20');
		await service.advance(60);
		await phone().waitFor({ state: 'detached' });
		await shown.page.getByLabel('Ring for').blur();
		await eventually(async () => expect(await service.control('mode')).toEqual({ calls: 'manual', ringSeconds: 20 }));
		await shown.page.getByLabel('Automatic').click({ force: true });
		await eventually(async () => expect((await service.control('mode')).calls).toBe('automatic'));
		await shown.page.getByText('Calls are answered automatically.').waitFor();
	});

	it('can be used with the keyboard alone', async () => {
		const id = await ring();
		await phone().getByRole('button', { name: 'Answer', exact: true }).waitFor();
		for (let step = 0; step < 30; step += 1) {
			await shown.page.keyboard.press('Tab');
			const focused = await shown.page.evaluate(`document.activeElement.textContent.trim()`);
			if (focused === 'Answer') {
				break;
			}
		}
		expect(await shown.page.evaluate(`document.activeElement.textContent.trim()`)).toBe('Answer');
		expect(await shown.page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)).toBe('solid');
		await shown.page.keyboard.press('Enter');
		await eventually(async () => expect((await callOf(id)).status).toBe('answered'));
	});

	it('lets a phone call an agent', async () => {
		await button('Call an agent').click();
		// The agents are read when the form shows.
		await shown.page.getByLabel('To (the agent').locator('option').first().waitFor({ state: 'attached' });
		await shown.page.getByRole('dialog').getByRole('button', { name: 'Call', exact: true }).click();
		await eventually(async () =>
			expect(asList((await service.control('calls?direction=inbound&active=true')).items)).toHaveLength(1),
		);
		await shown.page.getByRole('dialog').waitFor({ state: 'detached' });
		await phone().first().waitFor();
	});

	it('shows what was delivered, whether the trigger would accept it, and why not', async () => {
		await service.api('POST', `/agents/${agentId}/webhooks`, {
			name: 'Appointments',
			webhook_url: receiver.url,
			events: ['event_phone_call_started'],
			webhook_secret: 'a-secret-of-some-length',
		});
		const id = await ring('+12025550001', { first_name: 'Ada' });
		await shown.go('deliveries');
		const rows = shown.page.locator('.row');
		await rows.first().click();
		await shown.page.locator('.verdict.good').getByText('Yes.').waitFor();
		await shown.page.getByRole('link', { name: 'Appointments', exact: true }).waitFor();
		expect(await shown.page.getByLabel('the request body', { exact: true }).innerText()).toContain(id);

		const resent = async (name: string, amount: number) => {
			await button(name).click();
			await eventually(async () => expect(await rows.count()).toBe(amount));
			await rows.first().click();
			await shown.page.locator('.row[aria-current]').first().waitFor();
			return await shown.page.locator('.verdict.bad').innerText();
		};
		expect(await resent('Resend', 2)).toContain('accepted before');
		expect(await resent('Tamper with the body', 3)).toContain('signature');
		expect(await resent('Tamper with the signature', 4)).toContain('signature');
		expect(await resent('Use a wrong secret', 5)).toContain('signature');
		await button('Duplicate').click();
		await eventually(async () => expect(await rows.count()).toBe(7));
		expect(receiver.received.length).toBeGreaterThanOrEqual(7);
		await shown.page.getByLabel('Delay in seconds').fill('60');
		await button('Delay by').click();
		await shown.page.getByText('It will be sent in 60 s.').waitFor();
		await service.advance(61);
		await eventually(async () => expect(await rows.count()).toBe(8));

		await button('Send a sample').click();
		await shown.page.getByRole('dialog').getByLabel('Event').selectOption('event_phone_call_ended');
		await shown.page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
		await eventually(async () => expect(await rows.first().innerText()).toContain('event_phone_call_ended'));
		await shown.page.getByLabel('Event', { exact: true }).selectOption('event_phone_call_started');
		await eventually(async () => expect(await rows.count()).toBe(8));
	});

	it('sends a sample to the webhook and of the event that the list shows', async () => {
		for (const name of ['First', 'Second']) {
			await service.api('POST', `/agents/${agentId}/webhooks`, {
				name,
				webhook_url: receiver.url,
				events: ['event_phone_call_started'],
			});
		}
		const [, second] = asList(await service.control('webhooks')) as [Json, Json];
		await shown.go(`deliveries?webhookId=${asText(second.id)}&event=event_action`);
		await button('Send a sample').click();
		const dialog = shown.page.getByRole('dialog');
		expect(await dialog.getByLabel('Webhook').inputValue()).toBe(second.id);
		await dialog.getByRole('button', { name: 'Send', exact: true }).click();
		await shown.page.locator('.row').getByText('event_action').waitFor();
	});

	it('shows the newest of many deliveries at once, and how each one ended', async () => {
		await service.api('POST', `/agents/${agentId}/webhooks`, {
			name: 'Appointments',
			webhook_url: receiver.url,
			events: ['event_phone_call_started'],
			webhook_secret: 'a-secret-of-some-length',
		});
		const [webhook] = asList(await service.control('webhooks')) as [Json];
		await shown.go('deliveries');
		await shown.page.getByText('No deliveries yet').waitFor();
		const deliver = (event: string, times: number) =>
			service.control('deliver', { webhookId: asText(webhook.id), event, times });
		for (let count = 0; count < 5; count += 1) {
			await deliver('event_phone_call_started', 20);
		}
		receiver.answer(null);
		const last = deliver('event_phone_call_ended', 1);
		const rows = shown.page.locator('.row');
		await rows.first().getByText('event_phone_call_ended').waitFor();
		await shown.page.getByText('101 attempts').waitFor();
		await rows.first().click();
		await shown.page.locator('.detail').getByText('Not yet.').waitFor();
		expect(await rows.first().innerText()).toContain('Pending');
		receiver.answer(200);
		receiver.release(200);
		await last;
		await shown.page.locator('.detail .verdict').waitFor();
		await rows.first().getByText('Success 200').waitFor();
		// Some of these come just after the list was loaded.
		for (let count = 102; count < 112; count += 1) {
			await deliver('event_phone_call_started', 1);
			await shown.page.getByText(`${count} attempts`).waitFor();
		}
		await shown.page.getByLabel('Status').selectOption('failed');
		await shown.page.getByText('No delivery matches').waitFor();
	});

	it('filters the calls by status, direction, agent and text, and the address says how', async () => {
		const id = await ring('+12025550188', { order: 'A-77' });
		const rows = shown.page.locator('.row');
		const count = async (query: string) => asList((await service.control(`calls?limit=500&${query}`)).items).length;
		for (const [label, option, query] of [
			['Status', 'active', 'active=true'],
			['Status', 'busy', 'status=busy'],
			['Direction', 'outbound', 'direction=outbound&status=busy'],
		] as const) {
			await shown.page.getByLabel(label).selectOption(option);
			const wanted = await count(query);
			expect([query, wanted > 0]).toEqual([query, true]);
			await shown.page.getByText(wanted === 1 ? '1 call' : `${wanted} calls`, { exact: true }).waitFor();
		}
		await shown.page.getByLabel('Direction').selectOption('inbound');
		await shown.page.getByText('No call matches').waitFor();
		expect(shown.page.url()).toContain('status=busy&direction=inbound');
		await shown.page.getByRole('link', { name: 'Show all calls' }).click();
		await shown.page.getByLabel('Filter calls').fill('A-77');
		await eventually(async () => expect(await rows.count()).toBe(1));
		expect(await rows.first().getAttribute('href')).toBe(`#/calls/${id}`);
		await shown.load(`calls?agentId=${service.seed.agents.draft}`);
		await shown.page.getByText('No call matches').waitFor();
	});

	it('shows why a request was rejected, filters, and copies it as curl', async () => {
		await service.api('GET', '/agents');
		await service.api('POST', `/agents/${agentId}/call`, { to: '12' });
		await shown.go('requests');
		const rows = shown.page.locator('.row');
		await eventually(async () => expect(await rows.count()).toBe(2));
		await shown.page.getByLabel('Status').selectOption('4xx');
		await eventually(async () => expect(await rows.count()).toBe(1));
		await rows.first().click();
		const rejected = shown.page.getByRole('table', { name: 'Rejected fields' });
		expect(await rejected.innerText()).toMatch(/to\s+The phone number must be in international format/);
		await shown.page.getByRole('button', { name: 'Copy as curl', exact: true }).click();
		await shown.page.getByText('Copied: as curl').waitFor();
		const copied = String(await shown.page.evaluate('navigator.clipboard.readText()'));
		const [{ id }] = asList((await service.control('requests?status=4xx')).items) as [Json];
		expect(copied).toBe(asText((await service.control(`requests/${asText(id)}`)).curl));
		expect(copied).not.toContain(service.token);
		await shown.page.goBack();
		await shown.page.getByText('Choose a request').waitFor();
	});

	it('advances the clock, changes its speed, adds faults and limits credits', async () => {
		await shown.go('clock');
		await button('1 hour').click();
		await eventually(async () => expect((await service.control('status')).now).toBe('2030-01-07T10:00:00.000Z'));
		await ring();
		const due = (await service.control('status')).next_event_at;
		await button('To the next event').click();
		await eventually(async () => expect((await service.control('status')).now).toBe(due));
		await button('× 60').click();
		await eventually(async () => expect((await service.control('status')).speed).toBe(60));
		const pressed = shown.page.getByRole('group', { name: 'Speed' }).locator('[aria-pressed=true]');
		for (const speed of [20, 7]) {
			await service.control('clock', { speed });
			await eventually(async () => expect(await pressed.allInnerTexts()).toEqual([`× ${speed}`]));
			await shown.page.getByRole('link', { name: `Sandbox time` }).getByText(`× ${speed}`).waitFor();
		}
		await button('Stop').click();
		await eventually(async () => expect((await service.control('status')).speed).toBe(0));

		const fault = shown.page.locator('form', { hasText: 'What happens' });
		await fault.getByLabel('Method').selectOption('GET');
		await fault.getByLabel('Path').fill('/api/v1/agents*');
		await fault.getByLabel('Status', { exact: true }).fill('500');
		await fault.getByLabel('Times').fill('2');
		await button('Add').click();
		await shown.page.getByText('2 times left').waitFor();
		expect(await service.control('faults')).toMatchObject([
			{ kind: 'status', status: 500, times: 2, match: { method: 'GET', path: '/api/v1/agents*' } },
		]);
		expect((await service.api('GET', '/campaigns')).status).toBe(200);
		expect((await service.api('GET', '/agents')).status).toBe(500);
		await shown.page.getByText('1 time left').waitFor();
		await shown.page.getByRole('meter').waitFor();
		await button('Remove the fault: Answer with a status').click();
		await shown.page.getByText('No faults: every request is answered as usual.').waitFor();

		await shown.page.getByLabel('New credits').fill('0');
		// The page is drawn again each time the rate limit is read; what is typed stays.
		await service.api('GET', '/campaigns');
		await eventually(async () => expect(await shown.page.getByText('3 of 100,000 requests').count()).toBe(1));
		expect(await shown.page.getByLabel('New credits').inputValue()).toBe('0');
		await shown.page.getByRole('button', { name: 'Set', exact: true }).first().click();
		await eventually(async () => expect((await service.control('status')).credits).toBe(0));
		expect((await service.api('POST', `/agents/${agentId}/call`, { to: '+12025550001' })).status).toBe(402);
	});

	it('sends events late or never, and shows which', async () => {
		await shown.go('clock');
		const form = shown.page.locator('form', { hasText: 'Never send it' });
		await shown.page.getByText('No event is late').waitFor();
		await form.getByLabel('Event').selectOption('event_recording');
		await form.getByLabel('Delay (seconds)').fill('90');
		await form.getByRole('button', { name: 'Set' }).click();
		await shown.page.locator('.badge', { hasText: '90 seconds late' }).waitFor();
		await form.getByLabel('Event').selectOption('event_phone_call_ended');
		await form.getByLabel('Never send it').check();
		await form.getByRole('button', { name: 'Set' }).click();
		await shown.page.getByText('Never sent', { exact: false }).first().waitFor();
		expect(await service.control('delays')).toEqual([
			{ event: 'event_recording', seconds: 90 },
			{ event: 'event_phone_call_ended', seconds: null },
		]);
		await button('Send at once: event_recording').click();
		await eventually(async () =>
			expect(await service.control('delays')).toEqual([{ event: 'event_phone_call_ended', seconds: null }]),
		);
		await button('Send at once: event_recording').waitFor({ state: 'detached' });
	});

	it('makes the sandbox another service, by keyboard, and shows what is chosen', async () => {
		const chosen = async () =>
			asList(await service.control('variants')).flatMap(({ name, chosen: on }) => (on ? [name] : []));
		await shown.go('clock');
		const section = shown.page.locator('summary', { hasText: 'Signatures' });
		await section.focus();
		await shown.page.keyboard.press('Enter');
		await shown.page.keyboard.press('Tab');
		await shown.page.keyboard.press('Space');
		await section.getByText('1 chosen').waitFor();
		expect(await chosen()).toEqual(['signature-sha256']);
		await shown.page.getByLabel('Signs in base64.').check();
		await section.getByText('2 chosen').waitFor();
		expect(await chosen()).toEqual(['signature-sha256', 'signature-base64']);
		await service.control('variants', { names: ['error-html'] });
		await shown.page.getByText('The service differs in 1 answer from').waitFor();
		await button('As the sandbox assumes').click();
		await shown.page.getByText('Choose what the service does otherwise.').waitFor();
		expect(await chosen()).toEqual([]);
	});

	it('saves a snapshot and loads it, refuses what is none, and says what was dropped', async () => {
		const id = await ring();
		await shown.go('clock');
		const [download] = await Promise.all([
			shown.page.waitForEvent('download'),
			shown.page.getByRole('link', { name: 'Save a snapshot' }).click(),
		]);
		expect(download.suggestedFilename()).toBe('sandbox.snapshot');
		const saved = readState(readFileSync(await download.path()));
		await service.control('reset', {});
		const load = async (buffer: Buffer) => {
			await shown.page
				.getByLabel('Load a snapshot')
				.setInputFiles({ name: 'mine.snapshot', mimeType: 'application/octet-stream', buffer });
			await shown.page.getByText('mine.snapshot replaces everything').waitFor();
			await shown.page.getByRole('dialog').getByRole('button', { name: 'Load', exact: true }).click();
			await shown.page.getByRole('dialog').waitFor({ state: 'detached' });
		};
		await load(Buffer.from('something else'));
		await shown.page.getByText('The snapshot cannot be used: it is no state of this sandbox.').waitFor();
		saved.requests.dropped = 1234;
		await load(writeState({ ...saved, droppedCalls: 1 }));
		await shown.page.getByText('The snapshot is loaded.').waitFor();
		expect((await callOf(id)).status).toBe('ringing');
		await shown.page.getByText('(1,234 older dropped)').waitFor();
		await shown.go('requests');
		await shown.page.getByText('1,234 older ones were dropped to save memory').waitFor();
		await shown.go('calls');
		await shown.page.getByText('1 older one was dropped to save memory').waitFor();
		await phone().getByText('+1 202 555 0001').waitFor();
		shown.errors.length = 0;
	});

	it('says what to do where there is nothing yet', async () => {
		await changeState(service, (state) => {
			for (const name of ['agents', 'campaigns', 'calls', 'webhooks', 'calendars', 'phoneNumbers'] as const) {
				state[name].clear();
			}
			state.requests.dropped = 0;
		});
		for (const [place, text] of Object.entries({
			calls: 'No calls yet',
			deliveries: 'No deliveries yet',
			requests: 'No requests yet',
			'objects/agents': 'There are no agents',
			'objects/campaigns': 'There are no campaigns',
			'objects/webhooks': 'No webhooks yet',
			'objects/calendars': 'There are no calendars',
			'objects/phone-numbers': 'There are no phone numbers',
			'calls?q=nobody': 'No call matches',
			'objects/things': 'There is no such kind of object',
		})) {
			await shown.go(place);
			await shown.page.getByRole('heading', { name: text }).waitFor();
		}
	});

	it('shows the progress of a campaign and what became of its calls', async () => {
		const campaignId = asText((await service.control('seed')).campaigns!.active);
		await service.control('mode', { calls: 'automatic' });
		await shown.go(`objects/campaigns/${campaignId}`);
		await shown.page.getByText('No calls in the queue yet.').waitFor();
		for (const to of ['+12025550001', '+12025550006', '+12025550002']) {
			await service.api('POST', `/campaigns/${campaignId}/call`, { to, payload: {} });
		}
		await service.advance(600);
		const { progress } = await service.control(`campaigns/${campaignId}`);
		const { total, over, statuses } = progress as unknown as {
			total: number;
			over: number;
			statuses: Record<string, number>;
		};
		expect(total).toBe(3);
		await shown.page.getByText(`${over} of 3 calls over (${Math.round((100 * over) / 3)} %)`).waitFor();
		const bars = shown.page.getByRole('table', { name: 'Calls by status' }).getByRole('row');
		await eventually(async () => expect(await bars.count()).toBe(Object.keys(statuses).length));
		const widths = (await shown.page.evaluate(
			`[...document.querySelectorAll('.bar')].map((bar) => bar.offsetWidth / bar.parentElement.clientWidth)`,
		)) as number[];
		const amounts = Object.values(statuses).sort((one, other) => other - one);
		widths.forEach((width, index) =>
			expect(Math.abs(width / widths[0]! - amounts[index]! / amounts[0]!)).toBeLessThan(0.05),
		);
		await shown.page.getByRole('link', { name: 'Calls of this campaign' }).click();
		const calls = shown.page.getByRole('region', { name: 'List: Calls', exact: true }).locator('.row');
		const amount = asList((await service.control(`calls?campaignId=${campaignId}`)).items).length;
		await eventually(async () => expect(await calls.count()).toBe(amount));
	});

	it('draws a flow of 300 nodes, loops, and a flow with errors', async () => {
		const snapshotWith = (flow: Record<string, unknown>) =>
			changeState(service, ({ agents }) => {
				agents.get(agentId)!.flow_config = flow;
			});
		const nodes: object[] = Array.from({ length: 299 }, (_, index) => ({
			...{ id: `n${index}`, type: 'ask', content: `Question ${index}` },
			branches: [
				{ match: 'yes', next: index === 298 ? 'end' : `n${index + 1}` },
				{ match: 'again', next: `n${index}` },
				...(index % 10 === 0 ? [{ match: 'far', next: `n${Math.floor(index / 2)}` }] : []),
			],
		}));
		await snapshotWith({ initial_node_id: 'n0', nodes: [...nodes, { id: 'end', type: 'end' }] });
		await shown.go(`objects/agents/${agentId}`);
		const diagram = shown.page.getByRole('region', { name: 'Flow diagram' });
		await eventually(async () => expect(await diagram.locator('.node').count()).toBe(300));
		expect(await diagram.locator('.edge').count()).toBe(2 * 299 + 30);
		// Nothing is drawn outside of the picture.
		const outside = await shown.page.evaluate(`(() => {
			const svg = document.querySelector('.diagram svg');
			const { x, y, width, height } = svg.viewBox.baseVal;
			return [...svg.querySelectorAll('.edge, .edgeText')].filter((part) => {
				const box = part.getBBox();
				return box.x < x || box.y < y || box.x + box.width > x + width || box.y + box.height > y + height;
			}).length;
		})()`);
		expect(outside).toBe(0);
		// Every arrow begins and ends at a node.
		const loose = await shown.page.evaluate(`(() => {
			const nodes = [...document.querySelectorAll('.diagram .node')].map((node) => node.transform.baseVal[0].matrix);
			const near = ({ x, y }) => nodes.some(({ e, f }) => x > e - 3 && x < e + 193 && y > f - 3 && y < f + 71);
			return [...document.querySelectorAll('.diagram .edge')].filter(
				(edge) => !near(edge.getPointAtLength(0)) || !near(edge.getPointAtLength(edge.getTotalLength())),
			).length;
		})()`);
		expect(loose).toBe(0);

		await snapshotWith({
			initial_node_id: 'nowhere',
			nodes: [
				{ id: 'one', type: 'say', content: 5, next: 'lost' },
				{ id: 'two', type: 'decision', branches: [{ match: { min: 3 }, next: 'one' }, null, { next: 7 }] },
				{ id: 'three', branches: 'none' },
				{ type: 'end' },
				null,
			],
		});
		await eventually(async () => expect(await diagram.locator('.node').count()).toBe(3));
		await shown.page.getByText('As a list').click();
		await shown.page.getByText('→ lost').waitFor();
		await shown.page.getByText('This flow has errors').waitFor();
	});

	it('shows all objects with links between them, a flow as a diagram and a calendar as a week', async () => {
		const saved = await service.api('PUT', `/agents/${agentId}/flow`, greetingFlow);
		expect(saved.status).toBe(200);
		await shown.go('objects');
		await shown.page.getByRole('link', { name: 'Amelia' }).click();
		const diagram = shown.page.getByRole('region', { name: 'Flow diagram' });
		await diagram.getByText('greet', { exact: true }).waitFor();
		expect(await diagram.locator('.node').count()).toBe(2);
		await diagram.getByText('yes', { exact: true }).waitFor();
		await shown.page.getByRole('link', { name: 'Spring offer, Berlin', exact: true }).click();
		await shown.page.getByRole('heading', { name: 'Spring offer, Berlin' }).waitFor();
		await shown.page.getByRole('link', { name: 'Calendars' }).click();
		await shown.page.getByRole('link', { name: 'Sales appointments' }).click();
		await eventually(async () => expect(await shown.page.locator('.day').count()).toBe(7));
		await shown.page.getByText('3 events in this week.').waitFor();
		// Two days later two of them are over.
		await service.advance(2 * 86_400);
		await shown.page.getByText('1 event in this week.').waitFor();
		await button('Week after →').click();
		await shown.page.getByRole('heading', { name: /Wed, Jan 16 to Tue, Jan 22/ }).waitFor();
		await shown.page.getByRole('link', { name: 'Phone numbers' }).click();
		await shown.page.getByText('+12025550123').waitFor();
	});

	it('resets everything, but asks first', async () => {
		await ring();
		await shown.go('clock');
		await button('Reset everything').click();
		await button('Cancel').click();
		expect(asList((await service.control('calls?active=true')).items)).toHaveLength(1);
		await button('Reset everything').click();
		await shown.page.getByRole('dialog').getByRole('button', { name: 'Reset', exact: true }).click();
		await eventually(async () => expect(asList((await service.control('calls?active=true')).items)).toHaveLength(0));
	});

	it('finds objects and calls after a slash', async () => {
		// The page listens to keys when it has set its title.
		await eventually(async () => expect(await shown.page.title()).toBe('Calls · Sandbox console'));
		await shown.page.keyboard.press('/');
		await shown.page.getByRole('dialog').waitFor();
		await shown.page.keyboard.type('amel', { delay: 30 });
		await shown.page.getByRole('dialog').getByText('Amelia').waitFor();
		await shown.page.getByLabel('Search for').press('Enter');
		await shown.page.getByRole('heading', { name: 'Amelia' }).waitFor();
		await shown.page.getByRole('dialog').waitFor({ state: 'detached' });
	});

	it('has a link for every place, and the back button works', async () => {
		const id = await ring();
		await shown.load(`calls/${id}`);
		await shown.page.getByRole('heading', { name: '+1 202 555 0001' }).waitFor();
		await shown.page.getByRole('link', { name: 'Amelia' }).click();
		await shown.page.getByRole('heading', { name: 'Amelia' }).waitFor();
		await shown.page.goBack();
		await shown.page.getByRole('heading', { name: '+1 202 555 0001' }).waitFor();
		await shown.load('calls/nobody');
		await shown.page.getByText('Call not found.').waitFor();
		shown.errors.length = 0;
	});

	it('keeps the theme that was chosen', async () => {
		const color = () => shown.page.evaluate('getComputedStyle(document.body).backgroundColor');
		const light = await color();
		await shown.page.getByLabel('Theme').selectOption('dark');
		const dark = await color();
		expect(dark).not.toBe(light);
		await shown.page.reload();
		await shown.page.getByLabel('Theme').waitFor();
		expect([await color(), await shown.page.getByLabel('Theme').inputValue()]).toEqual([dark, 'dark']);
	});

	it('shows data as text, never as HTML, and runs nothing from it', async () => {
		const evil = (place: string) =>
			`<img src=x onerror="window.ran='${place}'"><script>window.ran='${place}'</script>${place}`;
		await changeState(service, ({ agents }) => {
			agents.get(agentId)!.name = evil('agent');
		});
		await service.api('POST', `/agents/${agentId}/webhooks`, {
			name: evil('webhook'),
			webhook_url: `${receiver.url}?${encodeURIComponent(evil('url'))}`,
			events: ['event_phone_call_started'],
			webhook_secret: 'a-secret-of-some-length',
			custom_headers: [{ key: 'X-Mine', value: evil('header') }],
		});
		receiver.answer(200, { 'X-Answer': evil('answer') });
		const id = await ring('+12025550001', { first_name: evil('payload'), nested: { [evil('key')]: 1 } });
		await service.control(`calls/${id}/act`, { action: 'answer' });
		await service.control(`calls/${id}/act`, { action: 'say', text: evil('said') });
		await service.api('POST', `/agents/${agentId}/call?x=${encodeURIComponent(evil('query'))}`, { to: evil('to') });
		const [campaign] = asList(await service.control('campaigns')) as [Json];
		const [calendar] = asList(await service.control('calendars')) as [Json];
		await changeState(service, ({ agents, campaigns, calendars }) => {
			campaigns.get(asText(campaign.id))!.name = evil('campaign');
			calendars.get(asText(calendar.id))!.name = evil('calendar');
			agents.get(agentId)!.flow_config = {
				initial_node_id: evil('initial'),
				nodes: [
					{
						id: evil('node'),
						type: evil('type'),
						content: evil('content'),
						branches: [{ match: evil('match'), next: evil('node') }],
					},
				],
			};
		});
		const newest = async (path: string) => asText(asList((await service.control(path)).items)[0]!.id);
		const [webhook] = asList(await service.control('webhooks')) as [Json];
		for (const [place, texts] of Object.entries({
			calls: ['agent'],
			[`calls/${id}`]: ['agent', 'payload', 'key', 'said'],
			deliveries: ['webhook'],
			[`deliveries/${await newest('deliveries?limit=1')}`]: ['header', 'answer', 'agent'],
			requests: [],
			[`requests/${await newest('requests?limit=1')}`]: ['to', 'query'],
			'objects/agents': ['agent'],
			[`objects/agents/${agentId}`]: ['agent', 'node', 'content', 'initial', 'webhook'],
			'objects/campaigns': ['campaign'],
			[`objects/campaigns/${String(campaign.id)}`]: ['campaign'],
			'objects/webhooks': ['webhook'],
			[`objects/webhooks/${asText(webhook.id)}`]: ['webhook'],
			'objects/calendars': ['calendar'],
			[`objects/calendars/${String(calendar.id)}`]: ['calendar'],
			[`calls?q=${encodeURIComponent(evil('filter'))}`]: [],
			[encodeURIComponent(evil('place'))]: [],
		})) {
			await shown.go(place);
			await loaded();
			for (const text of texts) {
				await eventually(async () =>
					expect(await shown.page.locator('main').textContent()).toContain(`</script>${text}`),
				);
			}
			expect(
				await shown.page.evaluate(`[window.ran ?? null, document.querySelectorAll('main script, main img').length]`),
			).toEqual([null, 0]);
		}
		await shown.page.keyboard.press('/');
		await shown.page.getByLabel('Search for').fill('<img');
		await shown.page.getByRole('dialog').getByText('</script>campaign').waitFor();
		expect(await shown.page.evaluate(`window.ran ?? null`)).toBeNull();
		receiver.answer(200);
	});

	it('follows what another tab does', async () => {
		const other = await ConsolePage.open(service.url);
		try {
			await ring();
			const [mine, its] = [phone(), other.page.locator('.phone')];
			await its.waitFor();
			await mine.getByRole('button', { name: 'Answer', exact: true }).click();
			await its.getByText('In conversation').waitFor();
			await its.getByRole('button', { name: 'Hang up', exact: true }).click();
			await mine.getByText('The call is over.').waitFor();
			await other.page.getByLabel('Automatic').click({ force: true });
			await shown.page.getByText('Calls are answered automatically.').waitFor();
			expect(other.errors).toEqual([]);
		} finally {
			await other.close();
		}
	});

	it('says so if the sample of a webhook is not accepted', async () => {
		await service.api('POST', `/agents/${agentId}/webhooks`, {
			name: 'Nobody',
			webhook_url: 'http://127.0.0.1:9/',
			events: ['event_phone_call_started'],
		});
		const [webhook] = asList(await service.control('webhooks')) as [Json];
		await shown.go(`objects/webhooks/${asText(webhook.id)}`);
		await shown.page.getByRole('link', { name: 'Amelia' }).waitFor();
		await button('Send a sample').click();
		await shown.page.getByRole('alert').getByText('The sample of event_phone_call_started failed').waitFor();
	});

	it('says when the sandbox does not answer, and goes on by itself when it is back', async () => {
		const first = await startClient({ speed: 0 });
		const page = await ConsolePage.open(first.url);
		try {
			await first.api('POST', `/agents/${asText((await first.control('seed')).agents!.published)}/call`, {
				to: '+12025550144',
			});
			await page.page.locator('.row', { hasText: '+1 202 555 0144' }).waitFor();
			await first.close();
			await page.page.getByText('The sandbox does not answer.', { exact: false }).first().waitFor();
			const second = await startClient({ speed: 0, port: Number(new URL(first.url).port) });
			try {
				await page.page.locator('.banner').waitFor({ state: 'detached' });
				await page.page.locator('.row', { hasText: '+1 202 555 0144' }).waitFor({ state: 'detached' });
				await second.control('mode', { calls: 'manual' });
				await page.page.getByText('The next call rings here').waitFor();
			} finally {
				await second.close();
			}
		} finally {
			await page.close();
		}
	});
});

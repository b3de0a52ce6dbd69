import { harness } from '../../harness.mts';
import { actionNode, byId, useService } from '../../service.mts';

const service = useService();

const trigger = `${actionNode}Trigger`;
const list = async (method: string, more = {}) =>
	await harness.listSearch({ type: actionNode, method, credentials: service.credentials(), ...more });

async function allOf(method: string, more = {}) {
	const entries: Array<{ name: string; value: unknown; description?: string }> = [];
	let paginationToken: string | undefined;
	do {
		const page = await list(method, { ...more, paginationToken });
		entries.push(...page.results);
		paginationToken = page.paginationToken as string | undefined;
	} while (paginationToken !== undefined);
	return entries;
}

const names = async (resource: string, operation: string, method: string, chosen: object, filter?: string) =>
	(await list(method, { parameters: { resource, operation, ...chosen }, filter })).results.map(({ name }) => name);

describe('a locator’s list', () => {
	describe('of agents', () => {
		const agents = [
			{ id: '1', name: 'Draft', label: 'Draft', direction: 'outbound', current_status: 'draft' },
			{ id: '2', name: 'Carl', label: 'Support line', direction: 'inbound', current_status: 'published' },
			{ id: '3', name: 'Ada', label: 'Reminders', direction: 'outbound', current_status: 'published' },
			{ id: '4', name: 'Ada', label: 'Sales', direction: 'outbound', current_status: 'active' },
			{ id: '5', name: 'Dora', label: null, direction: 'inbound', current_status: 'inactive' },
			{ id: '6', label: 'Only a label', current_status: 'of tomorrow' },
		];
		const shown = async (method: string, requests: number) => {
			await service.answer('GET agents', 200, { success: true, data: agents }, requests);
			return (await list(method)).results.map(({ name }) => name);
		};

		test('shows what tells agents apart: label, direction, and whether it is a draft', async () => {
			expect(await shown('searchAgents', 1)).toEqual([
				'Draft (outbound, draft)',
				'Carl (Support line, inbound)',
				'Ada (Reminders, outbound)',
				'Ada (Sales, outbound)',
				'Dora (inbound, draft)',
				'Only a label',
			]);
		});

		test('for placing calls shows those that can call first, and why the others cannot', async () => {
			expect(await shown('searchCallingAgents', 2)).toEqual([
				'Ada (Reminders, outbound)',
				'Ada (Sales, outbound)',
				'Only a label',
				'Draft (draft: publish it first)',
				'Carl (Support line, inbound: cannot call)',
				'Dora (inbound: cannot call)',
			]);
		});

		test('finds them by name, label, status or direction, also where only some of them can call', async () => {
			const { published, draft } = service.seed.agents;
			const found = async (filter: string) => (await list('searchCallingAgents', { filter })).results;
			const names = async (filter: string) => (await found(filter)).map(({ name }) => name);
			expect(await names('iris')).toEqual(['Iris (Switchboard, takes calls, inbound: cannot call)']);
			expect(await names('SWITCHB')).toEqual(await names('iris'));
			expect(await names('renewals')).toEqual([
				'Felix (Renewals, with a flow, outbound)',
				'Elena (Sales, renewals, draft: publish it first)',
				'Dorothea (Membership renewals, inbound: cannot call)',
			]);
			const values = async (filter: string) => (await found(filter)).map(({ value }) => value);
			expect(await values('draft')).toContain(draft);
			expect(await values('publ')).toContain(published);
			expect(await values('outbound')).toContain(published);
			expect(await values('inbound')).not.toContain(published);
		});
	});

	test('reads page after page, and is searched beyond the first one where the service has no search', async () => {
		const page = (current_page: number, last_page: number, more: object) => ({
			success: true,
			data: [{ id: `c${current_page}`, name: 'One', ...more }],
			pagination: { current_page, last_page, per_page: 50, total: last_page * 50 },
		});
		await service.answer('GET campaigns', 200, page(1, 2, {}));
		await service.answer('GET campaigns', 200, page(2, 2, {}));
		expect((await allOf('searchCampaigns')).map(({ value }) => value)).toEqual(['c1', 'c2']);
		for (let index = 1; index <= 10; index++) {
			const event = index % 2 === 0 ? 'event_action' : 'event_recording';
			const body = page(index, 12, { event, status: 'failed', created_at: 'now' });
			await service.answer('GET agents/a/webhooks/w/logs', 200, body);
		}
		const chosen = {
			resource: 'webhook',
			source: 'agent',
			operation: 'redeliver',
			agent: byId('a'),
			webhook: byId('w'),
		};
		const found = await list('searchAgentWebhookDeliveries', { filter: 'action', parameters: chosen });
		// While somebody searches, the editor asks for more only when the list is scrolled: a few entries are not enough.
		expect(found.results.map(({ value }) => value)).toEqual(['c2', 'c4', 'c6', 'c8', 'c10']);
		expect(found.paginationToken).toBe('0:11');
	});

	test('shows what a person recognizes an object by', async () => {
		const { calendar, calendarEvent, agents, campaigns } = service.seed;
		const rule = { type: 'exception', date: '2031-12-24', available: false };
		await service.api('POST', `calendars/${calendar}/availability-rules`, rule);
		const hook = { name: 'Mine', webhook_url: 'https://example.com/a', events: ['campaign.paused'] };
		await service.api('POST', `campaigns/${campaigns.active}/webhooks`, hook);
		const chosen = {
			calendar: byId(calendar),
			calendarEvent: byId(calendarEvent),
			agent: byId(agents.published),
			campaign: byId(campaigns.active),
		};
		const user = expect.stringMatching(/^User (\w+) \(user-\1@example\.com\)$/);
		for (const [resource, operation, method, wanted] of [
			['calendarEvent', 'get', 'searchCalendarEvents', [expect.stringMatching(/^Product tour \(.*T10:00:00Z\)$/)]],
			['calendarEvent', 'removeAttendee', 'searchEventAttendees', ['Dana Example (dana@example.com)']],
			['calendarMember', 'remove', 'searchCalendarMembers', [user, user, user]],
			['availability', 'deleteRule', 'searchAvailabilityRules', ['Exception on 2031-12-24 (closed)']],
			['agentAction', 'delete', 'searchAgentActions', ['book_appointment']],
			['agentAction', 'upsert', 'searchActionIntegrations', [expect.stringMatching(/ \(scheduling\)$/)]],
			['webhook', 'delete', 'searchCampaignWebhooks', [expect.stringContaining('Mine')]],
		] as const) {
			expect(await names(resource, operation, method, chosen)).toEqual(expect.arrayContaining([...wanted]));
		}
		expect(await names('agentTraining', 'delete', 'searchAgentTrainings', chosen, 'price')).toEqual(['Prices']);
		const voices = await names('agent', 'update', 'searchVoiceTemplates', chosen, 'en-us, female');
		expect(voices).toEqual(voices.map(() => expect.stringMatching(/^\S.* \(en-US, female, (basic|pro|ultra|beta)\)$/)));
		expect(new Set(voices).size).toBe(voices.length);
		const none = { ...chosen, calendarEvent: byId('') };
		expect(await names('calendarEvent', 'removeAttendee', 'searchEventAttendees', none)).toEqual([]);
	});

	describe('of campaigns in which calls are queued', () => {
		type Entries = Awaited<ReturnType<typeof allOf>>;
		const isActive = (entries: Entries) => entries.map(({ name }) => name.endsWith(' (active)'));
		const expectActiveFirst = (entries: Entries) => {
			const active = isActive(entries);
			expect(active.filter(Boolean).length).toBeGreaterThan(10);
			expect(active).toEqual(active.toSorted((left, right) => Number(right) - Number(left)));
		};

		test('shows the active ones first, over all pages, and each campaign once, also by a name or a status', async () => {
			// Every second one is active.
			for (let index = 0; index < 130; index++) {
				const { body } = await service.api('POST', 'campaigns', {
					name: `Winter ${index}`,
					campaign_type: 'sales',
					agent_id: service.seed.agents.published,
					start_date: '2031-01-01',
					days_of_week: [1],
					timezone: 'UTC',
					call_time_ranges: [{ start: '09:00', end: '17:00' }],
				});
				if (index % 2 === 0) {
					const { id } = body.data as { id: string };
					await service.api('PATCH', `campaigns/${id}/status`, { status: 'active' });
				}
			}
			const entries = await allOf('searchCallingCampaigns');
			expectActiveFirst(entries);
			const everything = await allOf('searchCampaigns');
			expect(isActive(everything)).not.toEqual(isActive(entries));
			const values = (one: Entries) => one.map(({ value }) => String(value)).sort();
			expect(values(entries)).toEqual(values(everything));
			expect(new Set(values(entries)).size).toBe(entries.length);
			const named = await allOf('searchCallingCampaigns', { filter: 'winter 1' });
			const wanted = ['Winter 10 (active)', 'Winter 1 (draft: set it to active first)'];
			expect(named.map(({ name }) => name)).toEqual(expect.arrayContaining(wanted));
			expectActiveFirst(named);
			for (const [method, filter] of [
				['searchCallingCampaigns', ' ACTIVE '],
				['searchCampaigns', 'Act'],
			] as const) {
				const found = await allOf(method, { filter });
				expectActiveFirst(found);
				const others = found.filter(({ name }) => !name.endsWith(' (active)'));
				expect(others.filter(({ name }) => !name.toLowerCase().includes(filter.trim().toLowerCase()))).toEqual([]);
			}
			const { draft } = service.seed.campaigns;
			const paused = (await service.api('GET', 'campaigns?status=paused')).body.data as Array<{ id: string }>;
			await service.api('PUT', `campaigns/${draft}`, { name: 'Until it is paused' });
			const found = await allOf('searchCallingCampaigns', { filter: 'paused' });
			expect(found.map(({ value }) => value)).toEqual([...paused.map(({ id }) => id), draft]);
		});
	});

	test('of campaigns shows their status, and where calls are queued, why a campaign takes none', async () => {
		const statuses = ['completed', 'draft', 'active', 'paused', 'canceled', 'of tomorrow'];
		const data = statuses.map((status) => ({ id: status, name: 'Autumn', status }));
		await service.answer('GET campaigns', 200, { success: true, data }, 3);
		const shown = async (method: string) => (await list(method)).results.map(({ name }) => name);
		expect(await shown('searchCampaigns')).toEqual(statuses.map((status) => `Autumn (${status})`));
		expect(await shown('searchCallingCampaigns')).toEqual([
			'Autumn (active)',
			'Autumn (completed: takes no more calls)',
			'Autumn (draft: set it to active first)',
			'Autumn (paused: set it to active first)',
			'Autumn (canceled: takes no more calls)',
			'Autumn (of tomorrow)',
		]);
	});

	test('of other objects names what does not change, because n8n keeps the name in the workflow', async () => {
		const { seed } = service;
		const states = /active|owner|editor|viewer/;
		const ids = { agent: byId(seed.agents.published), calendar: byId(seed.calendar) };
		for (const [method, filter, resource, operation] of [
			['searchAgentActions', 'active', 'agentAction', 'delete'],
			['searchAgentTrainings', 'active', 'agentTraining', 'delete'],
			['searchCalendarMembers', 'owner', 'calendarMember', 'remove'],
		] as const) {
			const parameters = { resource, operation, ...ids };
			expect([method, (await allOf(method, { parameters, filter })).length > 0]).toEqual([method, true]);
			for (const { name, description } of await allOf(method, { parameters })) {
				expect(name).not.toMatch(states);
				expect(description).toMatch(states);
			}
		}
	});

	test('of an agent’s calls to end shows calls in progress first, with the time, which distinguishes calls to one number', async () => {
		const agent = service.seed.agents.published;
		const place = async (to: string) =>
			(await service.api('POST', `agents/${agent}/call`, { to, is_testing: true })).body.data as Record<string, string>;
		const over = [await place('+12025550002'), await place('+12025550004')].map(({ id }) => id);
		await service.advance(3600);
		const { id, created_at } = await place('+12025550111');
		const [first, ...others] = await allOf('searchAgentCalls', {
			parameters: { resource: 'call', operation: 'end', agent: byId(agent) },
		});
		expect(first).toMatchObject({ value: id, name: `+12025550111, ${created_at}` });
		expect(others.map(({ value }) => value)).toEqual(expect.arrayContaining(over));
	});

	test('of triggers shows each trigger once, by its production URL, and nothing else', async () => {
		const { active, paused, draft } = service.seed.campaigns;
		const url = (id: number, more = '') =>
			`https://n8n.example/webhook/${`${id}`.repeat(8)}-0000-0000-0000-000000000000/webhook${more}`;
		for (const [campaign, name, webhook_url] of [
			[active, 'n8n: One', url(1, `?campaign=${active}`)],
			[paused, 'n8n: One', url(1, `?campaign=${paused}`)],
			[draft, 'n8n: Two', url(2, `?campaign=${draft}`)],
			[draft, 'A test', url(3).replace('/webhook/', '/webhook-test/')],
			[active, 'My server', 'https://example.com/webhook'],
		]) {
			await service.api('POST', `campaigns/${campaign}/webhooks`, { name, webhook_url, events: ['campaign.paused'] });
		}
		const parameters = { resource: 'webhook', operation: 'connectToTrigger' };
		const entry = (id: number, name: string) => ({ name, value: url(id), description: url(id) });
		const all = await allOf('searchTriggers', { parameters });
		expect(all).toEqualInAnyOrder([entry(1, 'n8n: One'), entry(2, 'n8n: Two')]);
		expect(await allOf('searchTriggers', { parameters, filter: 'TWO' })).toEqual([entry(2, 'n8n: Two')]);
		expect(await allOf('searchTriggers', { parameters: { ...parameters, source: 'agent' } })).toEqual([]);
	});

	describe('of users', () => {
		const user = (number: number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;
		const entry = (number: number) => {
			const short = user(number).slice(0, 8);
			return { name: `User ${short} (user-${short}@example.com)`, value: user(number) };
		};
		const calendarOf = async (number: number) =>
			await service.api('POST', 'calendars', { name: `Calendar ${number}`, owner_id: user(number) });
		const refuse = async (id: string) => await service.answer(`GET calendars/${id}/members`, 403);

		test('shows the members of calendars, each once and by name; of many calendars it reads 25', async () => {
			await Promise.all([2, 1, 1].map(calendarOf));
			const { results } = await list('searchUsers');
			expect(results.slice(0, 2)).toEqual([entry(1), entry(2)]);
			expect(results.map(({ name }) => name)).toEqual([...new Set(results.map(({ name }) => name))].sort());
			expect((await list('searchUsers', { filter: 'USER 00000002' })).results).toEqual([entry(2)]);
			await Promise.all(Array.from({ length: 30 }, (_, number) => calendarOf(number)));
			const { length } = await service.requests('GET', '/members');
			await list('searchUsers');
			expect((await service.requests('GET', '/members')).length - length).toBe(25);
		});

		test('leaves out a calendar that cannot be read, and fails if none can', async () => {
			await calendarOf(1);
			const everybody = (await list('searchUsers')).results;
			await refuse(service.seed.calendar);
			const { results } = await list('searchUsers');
			expect(results).toContainEqual(entry(1));
			expect(results.length).toBeLessThan(everybody.length);
			for (const { id } of (await service.api('GET', 'calendars')).body.data as Array<{ id: string }>) {
				await refuse(id);
			}
			await expect(list('searchUsers')).rejects.toThrow('does not allow');
		});
	});

	test('reports what is wrong with the credential', async () => {
		const credentials = service.credentials({ environmentToken: 'another' });
		for (const method of ['searchAgents', 'searchUsers']) {
			await expect(list(method, { credentials })).rejects.toThrow('token');
		}
	});
});

describe('the menu of additional events', () => {
	const offering = async (type: string, parameters: object, owner: string, available_events: unknown) => {
		await service.answer(`GET ${owner}/webhooks`, 200, { success: true, data: { webhooks: [], available_events } });
		const request = { type, method: 'getAdditionalEvents', credentials: service.credentials() };
		return await harness.loadOptions({ ...request, parameters: parameters as never });
	};
	const entry = (name: string) => ({ name, value: name });

	test('has what the service offers for the campaign or agent and the list does not have', async () => {
		const { agents, campaigns } = service.seed;
		const [campaign, agent] = [byId(campaigns.active), byId(agents.published)];
		const [ofCampaign, ofAgent] = [`campaigns/${campaigns.active}`, `agents/${agents.published}`];
		const offered = ['campaign.paused', 'campaign.of_tomorrow', 'event_of_tomorrow'];
		expect(await offering(trigger, { source: 'campaign', campaign }, ofCampaign, offered)).toEqual(
			offered.slice(1).map(entry),
		);
		// A campaign's webhook cannot get the event of its creation.
		const more = ['campaign.created', 'campaign.of_tomorrow'];
		const webhook = { resource: 'webhook' };
		expect(await offering(actionNode, { ...webhook, campaign }, ofCampaign, more)).toEqual([entry(more[1]!)]);
		const described = { event_recording: 'A recording', event_of_tomorrow: 'A score' };
		const tomorrow = [{ ...entry('event_of_tomorrow'), description: 'A score' }];
		expect(await offering(trigger, { source: 'agent', agent }, ofAgent, described)).toEqual(tomorrow);
		expect(await offering(actionNode, { ...webhook, source: 'agent', agent }, ofAgent, described)).toEqual(tomorrow);
	});

	test('is empty if nothing is selected yet, and says why it cannot be read', async () => {
		expect(await offering(trigger, { source: 'agent', agent: byId('') }, 'agents/none', [])).toEqual([]);
		await expect(offering(trigger, { source: 'agent', agent: byId('nowhere') }, 'agents/none', [])).rejects.toThrow();
	});
});

test.each(['getTimeZones', 'getRecipientTimeZones', 'getUnclearTimeZones'])(
	'the menu of %s has current names of time zones besides those of Node.js, each once and in order',
	async (method) => {
		const entries = await harness.loadOptions({ type: actionNode, method, credentials: service.credentials() });
		const zones = entries.map(({ value }) => String(value)).filter((value) => value.includes('/'));
		const current = ['Asia/Kolkata', 'Asia/Ho_Chi_Minh', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires'];
		expect(zones).toEqual(expect.arrayContaining([...current, 'Asia/Hovd', 'Europe/Berlin']));
		expect(zones).toEqual([...new Set(zones)].sort());
	},
);

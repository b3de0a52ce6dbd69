import { harness } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});

const action = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';
const list = async (method: string, more = {}, type = action) =>
	await harness.listSearch({ type, method, credentials: service.credentials(), ...more });

describe('a locator’s list', () => {
	test('of agents shows their names; for placing calls, only agents that can call', async () => {
		const { results } = await list('searchAgents');
		expect(results.map(({ value }) => value)).toEqual(
			expect.arrayContaining([service.seed.agents.published, service.seed.agents.draft]),
		);
		const calling = await list('searchCallingAgents');
		const { body } = await service.api('GET', 'agents?status=published&direction=outbound&per_page=100');
		expect(calling.results.map(({ value }) => value)).toEqual((body.data as Array<{ id: string }>).map(({ id }) => id));
		expect(calling.results.length).toBeLessThan(results.length);
	});

	test('of campaigns can be searched, also in the trigger', async () => {
		const all = (await list('searchCampaigns')).results;
		const [first] = all;
		const found = await list(
			'searchCampaigns',
			{ filter: String(first?.name) },
			'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger',
		);
		expect(found.results).toContainEqual(first);
		expect(found.results.length).toBeLessThan(all.length);
		await expect(list('searchCampaigns', { filter: 'no such campaign' })).resolves.toMatchObject({ results: [] });
	});

	test('of agents that can call takes both words of the service for a published agent', async () => {
		const agents = ['draft', 'published', 'active', 'inactive'].map((status) => ({
			id: status,
			current_status: status,
		}));
		const body = { success: true, data: agents };
		await service.fault({ match: { path: '/api/v1/agents' }, kind: 'status', status: 200, body });
		const { results } = await list('searchCallingAgents');
		expect(results.map(({ value }) => value)).toEqual(['published', 'active']);
		expect((await service.requests('GET', '/agents')).at(-1)?.query).not.toHaveProperty('status');
	});

	test('reads page after page', async () => {
		const page = (current_page: number) => ({
			success: true,
			data: [{ id: `c${current_page}`, name: `Campaign ${current_page}` }],
			pagination: { current_page, last_page: 2, per_page: 50, total: 51 },
		});
		for (const number of [1, 2]) {
			await service.fault({ match: { path: '/api/v1/campaigns' }, kind: 'status', status: 200, body: page(number) });
		}
		const first = await list('searchCampaigns');
		expect(first).toMatchObject({ results: [{ value: 'c1' }], paginationToken: '0:2' });
		const second = await list('searchCampaigns', { paginationToken: first.paginationToken });
		expect(second.results).toMatchObject([{ value: 'c2' }]);
		expect(second.paginationToken).toBeUndefined();
	});

	test('is searched beyond the first page where the service has no search', async () => {
		const page = (current_page: number, event: string) => ({
			success: true,
			data: [{ id: `d${current_page}`, event, status: 'failed', created_at: 'now' }],
			pagination: { current_page, per_page: 50, total: 150 },
		});
		for (const [index, event] of ['event_recording', 'event_action', 'event_action'].entries()) {
			await service.fault({
				match: { path: '/api/v1/agents/a/webhooks/w/logs' },
				kind: 'status',
				status: 200,
				body: page(index + 1, event),
			});
		}
		const parameters = {
			resource: 'webhook',
			source: 'agent',
			operation: 'redeliver',
			agent: byId('a'),
			webhook: byId('w'),
		};
		const found = await list('searchAgentWebhookDeliveries', { filter: 'action', parameters });
		expect(found).toMatchObject({ results: [{ value: 'd2' }], paginationToken: '0:3' });
		await service.reset();
	});

	test('of an agent’s calls shows the time, which distinguishes calls to one number', async () => {
		const agent = service.seed.agents.published;
		const { body } = await service.api('POST', `agents/${agent}/call`, { to: '+12025550111', is_testing: true });
		const { id, created_at } = body.data as { id: string; created_at: string };
		const { results } = await list('searchAgentCalls', {
			parameters: { resource: 'call', operation: 'end', agent: byId(agent) },
		});
		expect(results).toContainEqual({ value: id, name: `+12025550111, ${created_at}`, description: expect.any(String) });
	});

	test('of webhooks shows those of the selected campaign', async () => {
		const parameters = {
			resource: 'webhook',
			operation: 'delete',
			campaign: byId(service.seed.campaigns.active),
		};
		await service.api('POST', `campaigns/${service.seed.campaigns.active}/webhooks`, {
			name: 'Mine',
			webhook_url: 'https://example.com/a',
			events: ['campaign.paused'],
		});
		const { results } = await list('searchCampaignWebhooks', { parameters });
		expect(results).toMatchObject([{ name: expect.stringContaining('Mine') }]);
	});

	test('of a calendar’s events, members and rules shows what a person recognizes them by', async () => {
		const { calendar, calendarEvent } = service.seed;
		const chosen = { calendar: byId(calendar), calendarEvent: byId(calendarEvent) };
		await service.api('POST', `calendars/${calendar}/availability-rules`, {
			type: 'exception',
			date: '2031-12-24',
			available: false,
		});
		const names = async (resource: string, operation: string, method: string) =>
			(await list(method, { parameters: { resource, operation, ...chosen } })).results.map(({ name }) => name);
		expect(await names('calendarEvent', 'get', 'searchCalendarEvents')).toContainEqual(
			expect.stringMatching(/^Product tour \(\d{4}-\d\d-\d\dT10:00:00Z\)$/),
		);
		expect(await names('calendarEvent', 'removeAttendee', 'searchEventAttendees')).toEqual([
			'Dana Example (dana@example.com)',
		]);
		expect(await names('calendarMember', 'remove', 'searchCalendarMembers')).toEqual(
			Array.from({ length: 3 }, () => expect.stringMatching(/^User (\w+) \(user-\1@example\.com\)$/)),
		);
		expect(await names('availability', 'deleteRule', 'searchAvailabilityRules')).toEqual([
			'Mon, Tue, Wed, Thu, Fri, 09:00 to 17:00 (UTC)',
			'Exception on 2031-12-24 (closed)',
		]);
		chosen.calendarEvent = byId('');
		expect(await names('calendarEvent', 'removeAttendee', 'searchEventAttendees')).toEqual([]);
	});

	test('of an agent’s actions, trainings and voices shows names that differ', async () => {
		const parameters = (resource: string, operation: string) => ({
			resource,
			operation,
			agent: byId(service.seed.agents.published),
		});
		const names = async (resource: string, operation: string, method: string, filter?: string) =>
			(await list(method, { parameters: parameters(resource, operation), filter })).results.map(({ name }) => name);
		expect(await names('agentAction', 'delete', 'searchAgentActions')).toEqual(['book_appointment']);
		expect(await names('agentTraining', 'delete', 'searchAgentTrainings', 'price')).toEqual(['Prices']);
		expect(await names('agentAction', 'upsert', 'searchActionIntegrations')).toContainEqual(
			expect.stringMatching(/ \(scheduling\)$/),
		);
		const voices = await names('agent', 'update', 'searchVoiceTemplates', 'en-us, female');
		expect(voices).not.toEqual([]);
		for (const voice of voices) {
			expect(voice).toMatch(/^\S.* \(en-US, female, (basic|pro|ultra|beta)\)$/);
		}
		expect(new Set(voices).size).toBe(voices.length);
	});

	/** All pages of a list. */
	const allOf = async (method: string, more = {}) => {
		const entries: Array<{ name: string; value: unknown; description?: string }> = [];
		let paginationToken: string | undefined;
		do {
			const page = await list(method, { ...more, paginationToken });
			entries.push(...page.results);
			paginationToken = page.paginationToken as string | undefined;
		} while (paginationToken !== undefined);
		return entries;
	};

	describe('of campaigns in which calls are queued', () => {
		/** Makes campaigns, of which every 30th is active. @returns the IDs of all active ones */
		const manyCampaigns = async () => {
			for (let index = 0; index < 130; index++) {
				const { body } = await service.api('POST', 'campaigns', {
					name: `Winter ${index}`,
					campaign_type: 'sales',
					agent_id: service.seed.agents.published,
					start_date: '2031-01-01',
					days_of_week: [1],
					call_time_ranges: [{ start: '09:00', end: '17:00' }],
					timezone: 'UTC',
				});
				if (index % 2 === 0) {
					const { id } = body.data as { id: string };
					await service.api('PATCH', `campaigns/${id}/status`, { status: 'active' });
				}
			}
		};
		beforeAll(manyCampaigns);
		afterAll(async () => await service.reset());

		test('shows the active ones first, over all pages, and each campaign once', async () => {
			const entries = await allOf('searchCallingCampaigns');
			const isActive = entries.map(({ description }) => description === 'active');
			expect(isActive.filter(Boolean).length).toBeGreaterThan(50);
			expect(isActive).toEqual([...isActive].sort((left, right) => Number(right) - Number(left)));
			const everything = await allOf('searchCampaigns');
			expect(everything.map(({ description }) => description === 'active')).not.toEqual(isActive);
			const values = (list: typeof entries) => list.map(({ value }) => String(value)).sort();
			expect(values(entries)).toEqual(values(everything));
			expect(new Set(values(entries)).size).toBe(entries.length);
		});

		test('finds the active ones first by their name, too', async () => {
			const entries = await allOf('searchCallingCampaigns', { filter: 'winter 1' });
			expect(entries.map(({ name }) => name)).toEqual(expect.arrayContaining(['Winter 1', 'Winter 10', 'Winter 111']));
			const isActive = entries.map(({ description }) => description === 'active');
			expect(isActive).toEqual([...isActive].sort((left, right) => Number(right) - Number(left)));
			expect(isActive).toContain(false);
		});

		test.each(['active', 'Act', ' ACTIVE '])('finds the active ones by the search for "%s"', async (filter) => {
			for (const method of ['searchCallingCampaigns', 'searchCampaigns']) {
				const entries = await allOf(method, { filter });
				const isActive = entries.map(({ description }) => description === 'active');
				expect(isActive.filter(Boolean).length).toBeGreaterThan(50);
				expect(isActive).toEqual([...isActive].sort((left, right) => Number(right) - Number(left)));
				const others = entries.filter((_, index) => !isActive[index]);
				expect(others.filter(({ name }) => !name.toLowerCase().includes(filter.trim().toLowerCase()))).toEqual([]);
			}
		});

		test('finds by a status and by a name that is like it', async () => {
			const { body } = await service.api('GET', 'campaigns?status=paused');
			const paused = (body.data as Array<{ id: string }>).map(({ id }) => id);
			const { seed } = service;
			await service.api('PUT', `campaigns/${seed.campaigns.draft}`, { name: 'Until it is paused' });
			const entries = await allOf('searchCallingCampaigns', { filter: 'paused' });
			expect(entries.map(({ value }) => value)).toEqual([...paused, seed.campaigns.draft]);
		});
	});

	test('names what does not change, because n8n keeps the name in the workflow', async () => {
		const { seed } = service;
		const states = /draft|published|active|paused|completed|cancelled|owner|editor|viewer/;
		const ids = { agent: byId(seed.agents.published), calendar: byId(seed.calendar) };
		for (const [method, filter, resource = 'agent', operation = 'get'] of [
			['searchAgents', 'published'],
			['searchCallingAgents', 'published'],
			['searchCampaigns', 'completed'],
			['searchAgentActions', 'active', 'agentAction', 'delete'],
			['searchAgentTrainings', 'active', 'agentTraining', 'delete'],
			['searchCalendarMembers', 'owner', 'calendarMember', 'remove'],
		] as const) {
			const parameters = { resource, operation, ...ids };
			const found = await allOf(method, { parameters, filter });
			expect([method, found]).toEqual([method, expect.arrayContaining([expect.anything()])]);
			for (const { name, description } of await allOf(method, { parameters })) {
				expect(name).not.toMatch(states);
				expect(description).toMatch(states);
			}
		}
	});

	test('of an agent’s calls to end shows calls in progress first', async () => {
		const agent = service.seed.agents.published;
		const place = async (to: string) =>
			((await service.api('POST', `agents/${agent}/call`, { to, is_testing: true })).body.data as { id: string }).id;
		const over = [await place('+12025550002'), await place('+12025550004')];
		await service.advance(3600);
		const going = await place('+12025550111');
		const entries = await allOf('searchAgentCalls', {
			parameters: { resource: 'call', operation: 'end', agent: byId(agent) },
		});
		const order = entries.map(({ value }) => value);
		expect(order[0]).toBe(going);
		expect(order).toEqual(expect.arrayContaining(over));
		expect(new Set(order).size).toBe(order.length);
		await service.reset();
	});

	test('of triggers shows each trigger once, by its production URL, and nothing else', async () => {
		await service.reset();
		const { active, paused, draft } = service.seed.campaigns;
		const url = (id: number, more = '') =>
			`https://n8n.example/webhook/${`${id}`.repeat(8)}-0000-0000-0000-000000000000/webhook${more}`;
		const hooks: Array<[string, string, string]> = [
			[active, 'n8n: One', url(1, `?campaign=${active}`)],
			[paused, 'n8n: One', url(1, `?campaign=${paused}`)],
			[draft, 'n8n: Two', url(2, `?campaign=${draft}`)],
			[draft, 'A test', url(3).replace('/webhook/', '/webhook-test/')],
			[active, 'My server', 'https://example.com/webhook'],
		];
		for (const [campaign, name, webhook_url] of hooks) {
			const body = { name, webhook_url, events: ['campaign.paused'] };
			await service.api('POST', `campaigns/${campaign}/webhooks`, body);
		}
		const parameters = { resource: 'webhook', operation: 'connectToTrigger' };
		const entry = (id: number, name: string) => ({ name, value: url(id), description: url(id) });
		const all = await allOf('searchTriggers', { parameters });
		expect(all).toEqualInAnyOrder([entry(1, 'n8n: One'), entry(2, 'n8n: Two')]);
		expect(await allOf('searchTriggers', { parameters, filter: 'TWO' })).toEqual([entry(2, 'n8n: Two')]);
		const ofAgents = { resource: 'webhook', source: 'agent', operation: 'connectToTrigger' };
		expect(await allOf('searchTriggers', { parameters: ofAgents })).toEqual([]);
		await service.reset();
	});

	describe('of users', () => {
		beforeEach(async () => await service.reset());
		const user = (number: number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;
		const calendarOf = async (number: number) =>
			await service.api('POST', 'calendars', { name: `Calendar ${number}`, owner_id: user(number) });

		test('shows the members of calendars, each once and by name', async () => {
			await calendarOf(2);
			await calendarOf(1);
			await calendarOf(1);
			const { results } = await list('searchUsers');
			const names = results.map(({ name }) => name);
			expect(names.slice(0, 2)).toEqual([
				'User 00000001 (user-00000001@example.com)',
				'User 00000002 (user-00000002@example.com)',
			]);
			expect(names).toEqual([...new Set(names)].sort());
			expect(results.map(({ value }) => value)).toEqual(expect.arrayContaining([service.seed.user, user(1), user(2)]));
			expect((await list('searchUsers', { filter: 'USER 00000002' })).results).toEqual([
				{ name: 'User 00000002 (user-00000002@example.com)', value: user(2) },
			]);
			expect((await list('searchUsers', { filter: 'nobody' })).results).toEqual([]);
		});

		test('reads at most 25 calendars', async () => {
			for (let number = 1; number <= 30; number++) {
				await calendarOf(number);
			}
			const before = (await service.requests()).length;
			await list('searchUsers');
			const paths = (await service.requests()).slice(before).map(({ path }) => path);
			expect(paths).toHaveLength(26);
			expect(paths.filter((path) => path.endsWith('/members'))).toHaveLength(25);
		});

		test('leaves out a calendar that cannot be read, and fails if none can', async () => {
			await calendarOf(1);
			const refuse = async (ids: string[], status: number) => {
				for (const id of ids) {
					const path = `/api/v1/calendars/${id}/members`;
					await service.fault({ match: { path }, kind: 'status', status, times: 1 });
				}
			};
			const { seed } = service;
			const everybody = (await list('searchUsers')).results;
			await refuse([seed.calendar], 403);
			const { results } = await list('searchUsers');
			expect(results).toContainEqual(expect.objectContaining({ value: user(1) }));
			expect(results.length).toBeLessThan(everybody.length);
			await refuse([seed.calendar], 422);
			await expect(list('searchUsers')).rejects.toThrow();
			await service.reset();
			const calendars = (await service.api('GET', 'calendars')).body.data as Array<{ id: string }>;
			await refuse(
				calendars.map(({ id }) => id),
				403,
			);
			await expect(list('searchUsers')).rejects.toThrow('does not allow');
		});

		test('says what is wrong with the credential', async () => {
			const credentials = service.credentials({ environmentToken: 'another' });
			await expect(list('searchUsers', { credentials })).rejects.toThrow('token');
		});
	});

	test('reports what is wrong with the credential', async () => {
		await expect(
			list('searchAgents', { credentials: service.credentials({ environmentToken: 'another' }) }),
		).rejects.toThrow('token');
	});
});

describe('the menu of additional events', () => {
	const trigger = 'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger';
	const names = async (type: string, parameters: object) => {
		const request = { type, method: 'getAdditionalEvents', credentials: service.credentials() };
		const entries = await harness.loadOptions({ ...request, parameters: parameters as never });
		return entries.map(({ name, value, description }) => {
			expect(name).toBe(value);
			return description === undefined ? value : `${value}: ${description}`;
		});
	};
	/** The service offers these event types, once. */
	const offering = async (owner: string, available_events: unknown) =>
		await service.fault({
			match: { method: 'GET', path: `/api/v1/${owner}/webhooks` },
			kind: 'status',
			status: 200,
			body: { success: true, data: { webhooks: [], available_events } },
			times: 1,
		});
	beforeEach(async () => await service.reset());

	test('has what the service offers for the selected campaign and the list does not have', async () => {
		const campaign = byId(service.seed.campaigns.active);
		const owner = `campaigns/${service.seed.campaigns.active}`;
		await offering(owner, ['campaign.paused', 'campaign.of_tomorrow', 'event_of_tomorrow']);
		expect(await names(trigger, { source: 'campaign', campaign })).toEqual([
			'campaign.of_tomorrow',
			'event_of_tomorrow',
		]);
		// A campaign's webhook cannot get the event of its creation.
		await offering(owner, ['campaign.created', 'campaign.of_tomorrow']);
		expect(await names(action, { resource: 'webhook', campaign })).toEqual(['campaign.of_tomorrow']);
	});

	test('reads those of an agent, which the service lists with descriptions', async () => {
		const agent = byId(service.seed.agents.published);
		for (const [type, more] of [
			[trigger, { source: 'agent' }],
			[action, { resource: 'webhook', source: 'agent' }],
		] as const) {
			await offering(`agents/${service.seed.agents.published}`, {
				event_recording: 'A recording',
				event_of_tomorrow: 'A score',
			});
			expect(await names(type, { agent, ...more })).toEqual(['event_of_tomorrow: A score']);
		}
		const paths = (await service.requests('GET')).map(({ path }) => path);
		expect(new Set(paths)).toEqual(new Set([`/api/v1/agents/${service.seed.agents.published}/webhooks`]));
	});

	test('is empty if the list has all of them, or nothing is selected yet', async () => {
		expect(await names(trigger, { source: 'campaign', campaign: byId(service.seed.campaigns.active) })).toEqual([]);
		expect(await names(trigger, { source: 'agent', agent: byId(service.seed.agents.published) })).toEqual([]);
		expect(await names(trigger, { source: 'agent', agent: byId('') })).toEqual([]);
	});

	test('says why it cannot be read', async () => {
		await expect(names(trigger, { source: 'agent', agent: byId('nowhere') })).rejects.toThrow();
	});
});

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
			{ filter: String(first?.name).split(' (')[0] },
			'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger',
		);
		expect(found.results).toContainEqual(first);
		expect(found.results.length).toBeLessThan(all.length);
		await expect(list('searchCampaigns', { filter: 'no such campaign' })).resolves.toMatchObject({ results: [] });
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
		expect(first).toMatchObject({ results: [{ value: 'c1' }], paginationToken: '2' });
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
		const parameters = { resource: 'agentWebhook', operation: 'redeliver', agent: byId('a'), agentWebhook: byId('w') };
		const found = await list('searchAgentWebhookDeliveries', { filter: 'action', parameters });
		expect(found).toMatchObject({ results: [{ value: 'd2' }], paginationToken: '3' });
		await service.reset();
	});

	test('of an agent’s calls shows the time, which distinguishes calls to one number', async () => {
		const agent = service.seed.agents.published;
		const { body } = await service.api('POST', `agents/${agent}/call`, { to: '+12025550111', is_testing: true });
		const { id, created_at } = body.data as { id: string; created_at: string };
		const { results } = await list('searchAgentCalls', {
			parameters: { resource: 'call', operation: 'end', agent: byId(agent) },
		});
		expect(results).toContainEqual({ value: id, name: expect.stringMatching(`^\\+12025550111, ${created_at} \\(`) });
	});

	test('of webhooks shows those of the selected campaign', async () => {
		const parameters = {
			resource: 'campaignWebhook',
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
			['owner', 'editor', 'viewer'].map((role) => expect.stringContaining(`(${role})`)),
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
		expect(await names('agentAction', 'delete', 'searchAgentActions')).toEqual(['book_appointment (active)']);
		expect(await names('agentTraining', 'delete', 'searchAgentTrainings', 'price')).toEqual(['Prices (active)']);
		expect(await names('agentAction', 'upsert', 'searchActionIntegrations')).toContainEqual(
			expect.stringMatching(/ \(scheduling\)$/),
		);
		const voices = await names('agent', 'updateVoice', 'searchVoiceTemplates', 'en-us, female');
		expect(voices).not.toEqual([]);
		for (const voice of voices) {
			expect(voice).toMatch(/^\S.* \(en-US, female, (basic|pro|ultra|beta)\)$/);
		}
		expect(new Set(voices).size).toBe(voices.length);
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
		await offering(owner, ['campaign.paused', 'campaign.resumed', 'event_call_score']);
		expect(await names(trigger, { source: 'campaign', campaign })).toEqual(['campaign.resumed', 'event_call_score']);
		// A campaign's webhook cannot get the event of its creation.
		await offering(owner, ['campaign.created', 'campaign.resumed']);
		expect(await names(action, { resource: 'campaignWebhook', campaign })).toEqual(['campaign.resumed']);
	});

	test('reads those of an agent, which the service lists with descriptions', async () => {
		const agent = byId(service.seed.agents.published);
		for (const [type, more] of [
			[trigger, { source: 'agent' }],
			[action, { resource: 'agentWebhook' }],
		] as const) {
			await offering(`agents/${service.seed.agents.published}`, {
				event_recording: 'A recording',
				event_call_score: 'A score',
			});
			expect(await names(type, { agent, ...more })).toEqual(['event_call_score: A score']);
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

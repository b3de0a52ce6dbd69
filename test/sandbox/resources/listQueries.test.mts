import { type SandboxClient, startClient } from '../client.mts';

let service: SandboxClient;
let paths: Record<string, string>;
beforeAll(async () => {
	service = await startClient();
	const { agents, campaigns, calendar } = service.seed;
	const webhook = { name: 'Hook', webhook_url: 'http://127.0.0.1:1/', enabled: false };
	const create = async (owner: string, event: string) => {
		const { data } = await service.api('POST', `${owner}/webhooks`, { ...webhook, events: [event] });
		return `${owner}/webhooks/${String(data.data.id)}/logs`;
	};
	paths = {
		agents: '/agents',
		calls: '/calls',
		"an agent's calls": `/agents/${agents.published}/calls`,
		campaigns: '/campaigns',
		'phone numbers': '/phone-numbers',
		'voice templates': '/voice-templates',
		calendars: '/calendars',
		'calendar events': `/calendars/${calendar}/events`,
		"an agent webhook's log": await create(`/agents/${agents.draft}`, 'event_recording'),
		"a campaign webhook's log": await create(`/campaigns/${campaigns.draft}`, 'campaign.started'),
	};
});
afterAll(() => service.close());

const DIRECTIONS = ['inbound', 'outbound'];
const DAYS = ['2026-01-31', '2028-02-29'];
const NO_DAYS = ['2026-02-29', '31.01.2026', '2026-01-31T00:00:00Z', 'today'];
const MOMENTS = ['2026-01-31', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00-03:00'];
const PAGES = ['1', '999'];
const NO_PAGES = ['0', '-1', '1.5', 'one', '1e3'];
const PER_PAGE = ['1', '100'];
const NO_PER_PAGE = ['0', '101', 'all'];
const CALLS = ['initiated', 'ringing', 'answered', 'completed', 'failed', 'busy', 'no-answer'];
const FLAGS = ['true', 'false', '1', '0'];

it.each<[list: string, field: string, takes: string[], refuses: string[]]>([
	['agents', 'status', ['draft', 'published'], ['active', 'DRAFT']],
	['agents', 'direction', DIRECTIONS, ['both']],
	...['calls', "an agent's calls"].flatMap(
		(calls): Array<[string, string, string[], string[]]> => [
			[calls, 'status', CALLS, ['queued', 'in-progress', 'no_answer']],
			[calls, 'direction', DIRECTIONS, ['both']],
			[calls, 'date_from', DAYS, NO_DAYS],
			[calls, 'date_to', DAYS, NO_DAYS],
		],
	),
	['campaigns', 'status', ['draft', 'active', 'paused', 'completed', 'cancelled'], ['running']],
	['campaigns', 'campaign_type', ['sales', 'follow_up', 'reminder', 'custom'], ['follow-up', 'other']],
	['campaigns', 'date_from', DAYS, NO_DAYS],
	['campaigns', 'date_to', DAYS, NO_DAYS],
	...['agents', 'calls', "an agent's calls", 'campaigns', "an agent webhook's log", "a campaign webhook's log"].flatMap(
		(list): Array<[string, string, string[], string[]]> => [
			[list, 'page', PAGES, NO_PAGES],
			[list, 'per_page', PER_PAGE, NO_PER_PAGE],
		],
	),
	['calendars', 'per_page', PER_PAGE, NO_PER_PAGE],
	['calendar events', 'from', MOMENTS, ['2026-02-29', 'now']],
	['calendar events', 'to', MOMENTS, ['2026-02-29', 'now']],
	['calendar events', 'status', ['confirmed', 'tentative', 'cancelled'], ['canceled']],
	['phone numbers', 'type', ['voice', 'sms', 'whatsapp', 'mms', 'fax'], ['pager']],
	['phone numbers', 'has_voice', FLAGS, ['yes']],
	['phone numbers', 'has_whatsapp', FLAGS, ['yes']],
	['phone numbers', 'direction', DIRECTIONS, ['both']],
	['voice templates', 'quality_tier', ['basic', 'pro', 'ultra', 'beta'], ['premium']],
	['voice templates', 'gender', ['male', 'female'], ['other', 'Male']],
])('a list of %s takes each value of %s, none twice, and refuses others', async (list, field, takes, refuses) => {
	const ask = (...values: string[]) =>
		service.api('GET', `${paths[list]}?${values.map((value) => `${field}=${encodeURIComponent(value)}`).join('&')}`);
	for (const value of [...takes, '']) {
		expect([value, (await ask(value)).status]).toEqual([value, 200]);
	}
	for (const values of [...refuses.map((value) => [value]), [takes[0]!, takes[0]!]]) {
		const { status, data } = await ask(...values);
		expect([values, status, Object.keys(data.errors ?? {})]).toEqual([values, 422, [field]]);
	}
});

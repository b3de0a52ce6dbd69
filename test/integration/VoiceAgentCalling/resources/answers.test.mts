import { harness } from '../../harness.mts';
import { startReceiver } from '../../receiver.mts';
import { byId, useService } from '../../service.mts';
import { expectItems, failed } from './items.mts';
import { kinds, Webhooks } from './webhookKinds.mts';

const service = useService();
let receiver: string;
beforeAll(async () => void (receiver = await startReceiver()));

const three = [{}, {}, {}];

describe('What an operation tests may fail, which is a result, and no error:', () => {
	test('the connection to a server for contacts', async () => {
		const { active, draft, paused } = service.seed.campaigns;
		const server = { username: 'ada', auth_type: 'password', password: 'pa55word' };
		await service.api('POST', `campaigns/${active}/sftp`, { ...server, host: 'sftp.example.com' });
		await service.api('POST', `campaigns/${draft}/sftp`, { ...server, host: 'sftp.invalid' });
		const items = [active, draft, paused].map((id) => ({ id }));
		const parameters = { resource: 'campaignSftp', operation: 'testConnection', campaign: byId('={{ $json.id }}') };
		await expectItems(service, parameters, items, [
			{ success: true, import_path_accessible: true, export_path_accessible: true },
			{ success: false, message: expect.any(String), tested_at: expect.any(String), serviceError: expect.any(String) },
			failed('CONFIGURATION_NOT_FOUND'),
		]);
		const data = { tested_at: '2026-01-01T00:00:00Z', error: 'No answer.' };
		await service.fault({ kind: 'status', status: 502, body: { success: false, message: 'Failed.', data } });
		await expectItems(service, parameters, items.slice(0, 1), [
			{ success: false, message: 'Failed.', tested_at: data.tested_at, serviceError: data.error },
		]);
		await service.fault({ kind: 'status', status: 500, body: { success: false, message: 'Server error.' } });
		await expectItems(service, parameters, items.slice(0, 1), [failed('SERVER_ERROR')]);
	});

	test('a trunk', async () => {
		const [used, dead] = (await service.api('GET', 'sip-trunks')).body.data as [{ id: string }, { id: string }];
		const verify = { resource: 'sipTrunk', operation: 'verify', sipTrunk: byId('={{ $json.id }}') };
		const failing = {
			success: false,
			is_verified: false,
			health_status: 'unhealthy',
			serviceError: expect.any(String),
		};
		const working = { success: true, is_verified: true, health_status: 'healthy' };
		await expectItems(service, verify, [used, dead], [working, failing]);
		const data = { is_verified: false, health_status: 'unhealthy', error: 'No answer.' };
		await service.fault({ kind: 'status', status: 422, body: { success: false, data } });
		await expectItems(service, verify, [used], [{ ...failing, serviceError: data.error }]);
		const body = { success: false, message: 'No.', errors: { trunk: ['is busy'] } };
		await service.fault({ kind: 'status', status: 422, body });
		await expectItems(service, verify, [used], [failed('TRUNK_INVALID')]);
	});

	test('the webhook of an agent', async () => {
		const hooks = new Webhooks(service, kinds[1]);
		const [good, bad] = [{ id: await hooks.make(`${receiver}/204`) }, { id: await hooks.make(`${receiver}/500`) }];
		const testing = hooks.parameters('test');
		const failing = { success: false, message: expect.stringContaining('500') };
		const working = { success: true, status_code: 204, response_time: expect.any(Number) };
		await expectItems(service, testing, [good, bad], [working, failing]);
		const said = { success: false, message: 'The address did not answer.' };
		const answers: Array<[status: number, body: object, isResult?: boolean]> = [
			...[400, 422, 502].map((status): [number, object, boolean] => [status, said, true]),
			[403, { success: false, message: 'No.' }],
			[422, { success: false, message: 'Invalid.', errors: { webhook: ['is odd'] } }],
			[500, { success: false, message: 'Server error.' }],
		];
		for (const [status, body, isResult] of answers) {
			await service.fault({ match: { method: 'POST' }, kind: 'status', status, body });
			await expectItems(service, testing, [good], [isResult ? said : { code: expect.any(String), httpStatus: status }]);
		}
	});
});

test('Get Many of voices returns an item for each voice or for each group', async () => {
	const all = (await service.api('GET', 'voice-templates')).body.data as Array<{ voices: object[] }>;
	const voices = all.flatMap(({ voices, ...group }) =>
		voices.map((voice) => ({ display_name: (group as { display_name?: string }).display_name, ...voice })),
	);
	const run = async (more = {}) => {
		const { outputs } = await service.run({ resource: 'voiceTemplate', operation: 'getAll', returnAll: true, ...more });
		return outputs[0]?.map(({ json }) => json);
	};
	const byGroup = { options: { oneItemFor: 'group' } };
	expect([await run(), await run(byGroup)]).toEqual([voices, all]);
	const two = { returnAll: false, limit: 2 };
	expect([await run(two), await run({ ...two, ...byGroup })]).toEqual([voices.slice(0, 2), all.slice(0, 2)]);
});

test.each<[what: string, first: string, last: string, parameters: () => object]>([
	['calendars', 'name', 'id', () => ({ resource: 'calendar' })],
	['events', 'title', 'id', () => ({ resource: 'calendarEvent', calendar: byId(service.seed.calendar) })],
	['voices', 'display_name', 'id', () => ({ resource: 'voiceTemplate' })],
	[
		'calls',
		'to',
		'id',
		() => ({ resource: 'campaign', operation: 'getCalls', campaign: byId(service.seed.campaigns.active) }),
	],
])('A list of %s begins with what people look for, and ends with IDs', async (_what, first, last, parameters) => {
	await service.run(service.queue(), [{ to: '+12025550001' }]);
	const times = { start_at: '2031-07-07T10:00:00Z', end_at: '2031-07-07T10:30:00Z' };
	await service.api('POST', `calendars/${service.seed.calendar}/events`, { title: 'Visit', ...times });
	const { outputs } = await service.run({ operation: 'getAll', ...parameters() });
	const columns = Object.keys(outputs[0]![0]!.json);
	expect([columns[0], columns.at(-1)]).toEqual([first, last]);
});

test('Get Demo also reads the older name of the address', async () => {
	const demo = { resource: 'voiceTemplate', operation: 'getDemo', voiceTemplate: byId('x') };
	await service.fault({ kind: 'status', status: 200, body: { demo_url: 'https://example.com/old.mp3' } });
	await expectItems(service, demo, [{}], [{ mp3_url: 'https://example.com/old.mp3' }]);
	await service.fault({ kind: 'status', status: 200, body: { success: true } });
	await expectItems(service, demo, [{}], [failed('UNREADABLE_ANSWER')]);
});

test('Start Sync starts one sync for all input items, which Get Sync Status shows until it has ended', async () => {
	const { calendar } = service.seed;
	const { outputs } = await service.run({ resource: 'calendar', operation: 'startSync' }, three);
	expect(outputs[0]).toMatchObject([{ json: { syncing: [calendar] }, pairedItem: { item: 0 } }]);
	expect(await service.requests('POST')).toHaveLength(1);
	const syncing = async () => {
		const status = await service.run({ resource: 'calendar', operation: 'getSyncStatus', returnAll: true }, three);
		const isSyncing = status.outputs[0]?.filter(({ json }) => json.is_syncing === true);
		return isSyncing?.map(({ json, pairedItem }) => [json.calendar_id, pairedItem]);
	};
	expect(await syncing()).toEqual([0, 1, 2].map((item) => [calendar, { item }]));
	await service.advance(5);
	expect(await syncing()).toEqual([]);
});

test('Trigger Export exports the results of the files in the menu', async () => {
	const { active } = service.seed.campaigns;
	const at = `campaigns/${active}/sftp`;
	const server = { host: 'sftp.example.com', username: 'ada', auth_type: 'password', password: 'pa55word' };
	await service.api('POST', at, server);
	await service.api('POST', `${at}/test-connection`);
	await service.api('PUT', at, { is_enabled: true });
	await service.api('POST', `${at}/trigger-import`);
	await service.advance(10);
	const parameters = { resource: 'campaignSftp', operation: 'triggerExport', campaign: byId(active) };
	const menu = await harness.loadOptions({
		type: 'n8n-nodes-voice-agent-calling.voiceAgentCalling',
		method: 'getCampaignFiles',
		credentials: service.credentials(),
		parameters,
	});
	expect(menu).toEqual([{ name: 'contacts-1.csv', value: expect.any(String), description: 'processed' }]);
	const items = [{ files: [menu[0]?.value] }, { files: [] }, { files: ['contacts-1.csv'] }];
	const expected = [{ job_id: expect.any(String), files_count: 1 }, failed('INVALID_INPUT'), failed('INVALID_INPUT')];
	await expectItems(service, { ...parameters, campaignFiles: '={{ $json.files }}' }, items, expected);
});

test('Get Deliveries of a webhook applies the filters before the limit', async () => {
	const hooks = new Webhooks(service, kinds[0]);
	const { events } = hooks.kind;
	const id = await hooks.make(`${receiver}/200`);
	for (let n = 0; n < 103; n++) {
		await service.deliver({ webhookId: id, event: events[n < 100 ? 0 : 1] });
	}
	const run = async (filters: object, more = {}) => {
		const { outputs } = await service.run(hooks.parameters('getDeliveries', { filters, ...more }), [{ id }]);
		return outputs[0]?.map(({ json }) => json.event);
	};
	expect(await run({ events: [events[1]] })).toEqual([events[1], events[1], events[1]]);
	expect(await run({ additionalEvents: events[0] }, { limit: 99 })).toEqual(Array(99).fill(events[0]));
	expect(await run({ status: 'success', events }, { returnAll: true })).toHaveLength(103);
	expect(await run({ status: 'failed' }, { returnAll: true })).toEqual([]);
});

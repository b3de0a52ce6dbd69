import { byId, type Service, startService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

type Item = Record<string, unknown>;

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const nobody = '00000000-0000-4000-8000-000000000000';
const comparing = {
	resource: 'campaign',
	operation: 'compare',
	campaign: byId('={{ $json.id }}'),
	document: '={{ $json.document }}',
};

/** What the service does not return of a campaign. */
const unreadable = [
	'end_date',
	'call_time_ranges',
	'auto_complete',
	'retry_on_no_conversion',
	'do_not_call_custom_list',
];

/** A campaign in which each setting that cannot be read has a value. */
async function makeCampaign(more: Item = {}): Promise<{ id: string; settings: Item }> {
	const settings = {
		name: 'Spring',
		description: 'In spring',
		campaign_type: 'reminder',
		agent_id: service.seed.agents.published,
		start_date: '2030-04-01',
		end_date: '2030-06-30',
		days_of_week: [1, 3],
		call_time_ranges: [
			{ start: '09:00', end: '12:00' },
			{ start: '13:00', end: '17:00' },
		],
		timezone: 'Europe/Berlin',
		max_retries: 2,
		busy_cooldown_hours: 7,
		auto_complete: true,
		retry_on_no_conversion: true,
		do_not_call_enabled: true,
		do_not_call_list_source: 'custom',
		do_not_call_custom_list: ['+12025550166'],
		auto_dnc_trigger_statuses: ['completed', 'voicemail'],
		...more,
	};
	const { status, body } = await service.api('POST', 'campaigns', settings);
	expect(status).toBe(201);
	return { id: String(Object(body.data).id), settings };
}

/** Compares one document; returns the result. */
async function compared(id: string, document: unknown): Promise<Item & { differences: Item[] }> {
	const { outputs, run } = await service.run(comparing, [{ id, document }]);
	expect(run.error).toBeUndefined();
	return outputs[0]?.[0]?.json as Item & { differences: Item[] };
}

describe('Campaign → Compare', () => {
	test('finds nothing that differs from what was written, and says of the rest that it is unknown', async () => {
		const { id, settings } = await makeCampaign();
		const result = await compared(id, settings);
		expect(result).toEqual({
			campaign_id: id,
			name: 'Spring',
			same: true,
			counts: { added: 0, removed: 0, changed: 0, fixed: 0, unknown: 5 },
			differences: unreadable.map((path) => ({ path, change: 'unknown', to: settings[path] })),
		});
		// The values of the document are shown, never those of the campaign, which nobody knows.
		expect((await compared(id, { max_retries: 2 })).differences).toEqual(
			unreadable.map((path) => ({ path, change: 'unknown' })),
		);
	});

	test('accepts what Get returns, and compares the agent by its name and lists as sets', async () => {
		const { id, settings } = await makeCampaign();
		const got = (await service.run({ resource: 'campaign', operation: 'get', campaign: byId(id), output: 'raw' }))
			.outputs;
		expect(await compared(id, got[0]?.[0]?.json)).toMatchObject({ same: true });
		expect(await compared(id, JSON.stringify(got[0]?.[0]?.json))).toMatchObject({ same: true });
		// As it is copied from the output panel.
		expect(await compared(id, JSON.stringify([got[0]?.[0]?.json]))).toMatchObject({ same: true });
		const elsewhere = {
			...settings,
			agent_id: nobody,
			agent: 'Amelia',
			days_of_week: [3, 1],
			auto_dnc_trigger_statuses: ['voicemail', 'completed'],
			earliest_call_time: '09:00',
			latest_call_time: '17:00:00',
		};
		expect(await compared(id, elsewhere)).toMatchObject({ same: true });
		expect((await compared(id, { ...elsewhere, agent: { name: 'Ben' } })).differences).toContainEqual({
			path: 'agent',
			change: 'changed',
			from: 'Amelia',
			to: 'Ben',
		});
		expect(await compared(id, { agent_id: nobody })).toMatchObject({ same: false });
	});

	test('lists each setting that differs, and none that the document does not have', async () => {
		const { id } = await makeCampaign();
		const document = { max_retries: 3, description: null, days_of_week: [1], latest_call_time: '18:00' };
		const { differences, ...result } = await compared(id, document);
		expect(result).toMatchObject({ same: false, counts: { changed: 3, removed: 1, unknown: 5 } });
		expect(differences.slice(0, 4)).toEqual([
			{ path: 'description', change: 'removed', from: 'In spring' },
			{ path: 'days_of_week', change: 'changed', from: [1, 3], to: [1] },
			{ path: 'latest_call_time', change: 'changed', from: '17:00', to: '18:00' },
			{ path: 'max_retries', change: 'changed', from: 2, to: 3 },
		]);
		const { outputs } = await service.run({ ...comparing, options: { itemPerDifference: true } }, [{ id, document }]);
		expect((outputs[0] ?? []).map(({ json }) => json)).toEqual(
			differences.map((one) => ({ campaign_id: id, name: 'Spring', ...one })),
		);
	});

	test('refuses unknown names before anything is sent, and treats each item by itself', async () => {
		const { id } = await makeCampaign();
		const items = [
			{ id, document: { max_retry: 3 } },
			{ id, document: '{"max_retries": 2' },
			{ id, document: { max_retries: 2 } },
			{ id: nobody, document: { max_retries: 2 } },
			{ id, document: '' },
			{ id, document: {} },
			{ id, document: { auto_complete: true, status: 'active' } },
		] as Item[];
		const sent = await expectItems(service, comparing, items, [
			failed('INVALID_INPUT', { message: expect.stringContaining("'max_retry' (did you mean 'max_retries'?)") }),
			failed('INVALID_INPUT', { message: expect.stringContaining('line 1, column 18') }),
			{ same: true },
			failed('CAMPAIGN_NOT_FOUND'),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Document' is empty") }),
			failed('INVALID_INPUT', { message: expect.stringContaining('has nothing that can be compared') }),
			failed('INVALID_INPUT', { message: expect.stringContaining('has nothing that can be compared') }),
		]);
		expect(sent).toEqualInAnyOrder([id, nobody].map((one) => ['GET', `campaigns/${one}`]));
	});
});

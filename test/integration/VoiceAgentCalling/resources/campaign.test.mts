import { byId, useService } from '../../service.mts';
import { expectItems } from './items.mts';

const service = useService();

describe('Campaign', () => {
	test('Set Status changes the status, and returns the campaign unchanged if it already has that status', async () => {
		const { active, draft, paused } = service.seed.campaigns;
		const items = [active, paused, draft].map((id, index) => ({ id, status: ['paused', 'paused', 'active'][index] }));
		const setStatus = { resource: 'campaign', operation: 'setStatus', campaign: byId('={{ $json.id }}') };
		const results = items.map((item, index) => ({ ...item, changed: index !== 1 }));
		await expectItems(service, { ...setStatus, status: '={{ $json.status }}' }, items, results);
	});

	test.each([
		['Pacific/Kiritimati', 14],
		['Pacific/Pago_Pago', -11],
	])('Create needs a name, an agent and a time zone only: in %s it starts today, there', async (timezone, offset) => {
		const today = () => new Date(Date.now() + offset * 3_600_000).toISOString().slice(0, 10);
		const days = [today()];
		const create = { resource: 'campaign', operation: 'create', agent: byId(service.seed.agents.published), timezone };
		const items = ['Spring', 'Summer', 'Autumn'].map((name) => ({ name }));
		const parameters = { ...create, name: '={{ $json.name }}' };
		const { outputs } = await service.run(parameters, items, { timezone: 'Asia/Tokyo' });
		// Midnight may pass meanwhile.
		days.push(today());
		expect(outputs[0]).toMatchObject(items.map((item) => ({ json: { ...item, status: 'draft', timezone } })));
		for (const { body } of await service.requests('POST')) {
			expect(body).toEqual({
				name: expect.any(String),
				agent_id: service.seed.agents.published,
				campaign_type: 'sales',
				timezone,
				start_date: expect.stringMatching(new RegExp(`^(${days.join('|')})$`)),
				days_of_week: [1, 2, 3, 4, 5],
				call_time_ranges: [{ start: '09:00', end: '17:00' }],
			});
		}
	});

	test.each([
		['numbers for a list that may not be used fail', { doNotCallNumbers: '+12025550111' }, undefined],
		['an empty list, which may be a mistake, fails', { doNotCallNumbers: '' }, undefined],
		[
			'an empty list from an expression empties it',
			{ doNotCallList: 'custom', doNotCallNumbers: '={{ [] }}' },
			{ do_not_call_list_source: 'custom', do_not_call_custom_list: [] },
		],
	])('Update of the do-not-call list: %s', async (_what, updateFields, body) => {
		const campaign = byId(service.seed.campaigns.draft);
		const { run } = await service.run({ resource: 'campaign', operation: 'update', campaign, updateFields });
		expect(run.status).toBe(body ? 'success' : 'error');
		expect((await service.requests()).map((request) => request.body)).toEqual(body ? [body] : []);
	});
});

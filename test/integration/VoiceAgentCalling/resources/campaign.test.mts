import type { IDataObject } from 'n8n-workflow';

import { byId, goesOn, hintsOf, jsonOf, saidBy, useService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

const service = useService();

describe('Campaign', () => {
	test('Set Status changes the status, and returns the campaign unchanged if it already has that status', async () => {
		const { active, draft, paused } = service.seed.campaigns;
		const items = [active, paused, draft].map((id, index) => ({ id, status: ['paused', 'paused', 'active'][index] }));
		const setStatus = { resource: 'campaign', operation: 'setStatus', campaign: byId('={{ $json.id }}') };
		const results = items.map((item, index) => ({ ...item, changed: index !== 1 }));
		await expectItems(service, { ...setStatus, status: '={{ $json.status }}' }, items, results);
	});

	test('Set Status says what now becomes of the calls', async () => {
		const { active, paused, draft } = service.seed.campaigns;
		const setStatus = { resource: 'campaign', operation: 'setStatus', campaign: byId('={{ $json.id }}') };
		for (const [id, status, said] of [
			[active, 'paused', 'calls in progress go on'],
			[active, 'completed', 'not placed'],
			[paused, 'active', 'Phones ring'],
			[draft, 'cancelled', 'not placed'],
		]) {
			expect(hintsOf(await service.run({ ...setStatus, status }, [{ id }]))).toEqual([expect.stringContaining(said!)]);
		}
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

	test('Create fails if the expression for the start date has no value', async () => {
		const agent = byId(service.seed.agents.published);
		const create = { resource: 'campaign', operation: 'create', name: 'Spring', agent, timezone: 'UTC' };
		const { run } = await service.run({ ...create, startDate: '={{ $json.start }}' }, [{ start: '' }]);
		expect(run.error?.message).toContain("'Start Date' cannot be");
		expect(await service.requests('POST')).toEqual([]);
	});

	describe('Get Calls', () => {
		const getCalls = { resource: 'campaign', operation: 'getCalls', campaign: byId('={{ $json.id }}') };

		test('returns an item for each call, test calls too, of which Get returns only how many there are', async () => {
			const { active: id } = service.seed.campaigns;
			const numbers = ['+12025550111', '+12025550112', '+12025550113'];
			for (const to of numbers) {
				await service.api('POST', `campaigns/${id}/call`, { to, is_testing: true });
			}
			const listed = await service.run({ ...getCalls, limit: 2 }, [{ id }]);
			const all = jsonOf(await service.run({ ...getCalls, returnAll: true }, [{ id }]));
			expect(all.map(({ to }) => to)).toEqual(expect.arrayContaining(numbers));
			expect(Object.keys(all[0]!)).toEqual(['to', 'status', 'retries', 'created_at', 'id']);
			expect(jsonOf(listed)).toEqual(all.slice(0, 2));
			const get = await service.run({ ...getCalls, operation: 'get' }, [{ id }]);
			expect(jsonOf(get)).toMatchObject([
				{ callCount: all.length, stats: { total_calls: all.length - numbers.length } },
			]);
		});

		test('fails for a campaign that does not exist, without a campaign, and for a response without calls', async () => {
			const { draft, active: id } = service.seed.campaigns;
			const items = [{ id: draft }, { id: 'unknown' }, { id: '' }];
			const expected = [failed('CAMPAIGN_NOT_FOUND'), failed('INVALID_INPUT')];
			const calls = (await service.api('GET', `campaigns/${draft}`)).body.data as { calls: unknown[] };
			expect(calls.calls).toEqual([]);
			const { outputs } = await service.run(getCalls, items, { node: goesOn });
			expect(jsonOf({ outputs })).toMatchObject(expected);
			await service.answer('GET campaigns*', 200, { success: true, data: { id } });
			const { run } = await service.run(getCalls, [{ id }]);
			expect(run.error?.message).toContain('without the calls of the campaign');
		});

		test('says so if the service lists fewer calls than its statistics count', async () => {
			const data = { calls: [{ id: 'one', to: '+12025550111' }], stats: { total_calls: 446 } };
			await service.answer('GET campaigns*', 200, { success: true, data });
			const ran = await service.run(getCalls, [{ id: service.seed.campaigns.active }]);
			expect([jsonOf(ran), hintsOf(ran)]).toEqual([
				[{ to: '+12025550111', id: 'one' }],
				['The service lists only 1 of at least 446 calls of the campaign.'],
			]);
		});
	});

	test.each([
		['numbers for a list that may not be used fail', { doNotCallNumbers: '+12025550111' }, undefined],
		['numbers that are not skipped fail', { doNotCallList: 'custom', doNotCallNumbers: '+12025550111' }, undefined],
		['numbers that are no custom list fail', { doNotCall: true, doNotCallNumbers: '+12025550111' }, undefined],
		['a list that is switched off fails', { doNotCall: false, doNotCallList: 'environment' }, undefined],
		['statuses that may add nobody fail', { addAfterStatuses: ['completed'] }, undefined],
		['errors with the switch off fail', { addToDoNotCall: false, addAfterErrors: ['disconnected'] }, undefined],
		['an empty list, which may be a mistake, fails', { doNotCall: true, doNotCallNumbers: '' }, undefined],
		[
			'a dragged field, which would replace the list by the number of one row, fails',
			{ doNotCall: true, doNotCallList: 'custom', doNotCallNumbers: '={{ $("Source").item.json.phone }}' },
			undefined,
		],
		[
			'an empty list from an expression empties it, and a hint says so',
			{ doNotCall: true, doNotCallList: 'custom', doNotCallNumbers: '={{ [] }}' },
			{ do_not_call_enabled: true, do_not_call_list_source: 'custom', do_not_call_custom_list: [] },
		],
	])('Update of the do-not-call list: %s', async (_what, updateFields, body) => {
		const campaign = byId(service.seed.campaigns.draft);
		const items = [{ phone: '+12025550111' }];
		const ran = await service.run({ resource: 'campaign', operation: 'update', campaign, updateFields }, items);
		expect(ran.run.status).toBe(body ? 'success' : 'error');
		expect((await service.requests()).map((request) => request.body)).toEqual(body ? [body] : []);
		expect(hintsOf(ran).join(' ').includes('list of the campaign is empty')).toBe(body !== undefined);
	});

	test('Update reads a do-not-call list as Blocked Numbers reads it, and explains the same mistakes', async () => {
		const said = [];
		for (const list of ['[[" 0012025550111", ""], ["+377 44 123 456", null]]', '[undefined]', '["030 123456"]']) {
			const updateFields = { doNotCall: true, doNotCallList: 'custom', doNotCallNumbers: `={{ ${list} }}` };
			const campaign = byId(service.seed.campaigns.draft);
			said.push(saidBy(await service.run({ resource: 'campaign', operation: 'update', campaign, updateFields }, [{}])));
		}
		expect(said[1]).toMatch(/entry 1 is empty.*name of the field/s);
		expect(said[2]).toMatch(/entry 1 has no country code.*with \+ and the country code/s);
		expect((await service.requests('PUT')).map(({ body }) => (body as IDataObject).do_not_call_custom_list)).toEqual([
			// A phone of Kosovo, by its former number and its present one.
			['+12025550111', '+38344123456', '+37744123456'],
		]);
	});

	test('Create refuses a custom do-not-call list without numbers', async () => {
		const options = { doNotCall: true, doNotCallList: 'custom' };
		const agent = byId(service.seed.agents.published);
		const create = { resource: 'campaign', operation: 'create', timezone: 'UTC', name: 'Spring', agent };
		expect(saidBy(await service.run({ ...create, options }, [{}]))).toContain('it would skip nobody');
		expect(await service.requests('POST')).toEqual([]);
	});

	test('Create says that a campaign calls again whom it has added to a list', async () => {
		const agent = byId(service.seed.agents.published);
		const create = { resource: 'campaign', operation: 'create', timezone: 'UTC', name: 'Spring', agent };
		const says = async (options: Record<string, string[] | boolean>) =>
			hintsOf(await service.run({ ...create, options }, [{}])).some((hint) => hint.includes('may call again'));
		const adds = { addToDoNotCall: true, addAfterStatuses: ['completed'] };
		expect([await says(adds), await says({ ...adds, doNotCall: true })]).toEqual([true, false]);
	});

	describe('with an agent that cannot call', () => {
		const timezone = 'UTC';
		const create = { resource: 'campaign', operation: 'create', timezone, name: '={{ $json.name }}' };
		const withAgent = (id: string) => [
			{ ...create, agent: byId(id) },
			{
				resource: 'campaign',
				operation: 'update',
				campaign: byId(service.seed.campaigns.draft),
				updateFields: { agent: byId(id) },
			},
		];
		const items = ['Spring', 'Summer'].map((name) => ({ name }));
		const writes = async () => (await service.requests()).filter(({ method }) => method !== 'GET').length;

		test('Create and Update refuse one that takes calls, before anything is changed', async () => {
			const { body } = await service.api('GET', 'agents?search=Iris');
			const [{ id }] = body.data as [{ id: string }];
			for (const parameters of withAgent(id)) {
				const ran = await service.run(parameters, items, { node: goesOn });
				expect(jsonOf(ran)).toMatchObject(items.map(() => ({ result: 'failed', code: 'AGENT_NOT_OUTBOUND' })));
				expect(jsonOf(ran)[0]).toMatchObject({
					message: 'Agent "Iris" is not outbound, so it cannot place calls.',
					advice: expect.stringMatching(/^Choose /),
				});
			}
			expect(await writes()).toBe(0);
		});

		test('Create and Update accept a draft with a hint, and read the agent once', async () => {
			const { draft } = service.seed.agents;
			const { name } = (await service.api('GET', `agents/${draft}`)).body.data as { name: string };
			for (const parameters of withAgent(draft)) {
				const before = (await service.requests('GET', `/agents/${draft}`)).length;
				const ran = await service.run(parameters, items);
				expect(ran.run.status).toBe('success');
				expect(hintsOf(ran).filter((hint) => hint.includes(`Agent "${name}" is a draft`))).toHaveLength(1);
				expect((await service.requests('GET', `/agents/${draft}`)).length - before).toBe(1);
			}
			expect(await writes()).toBe(4);
		});

		test('Create and Update leave it to the service if the agent cannot be read', async () => {
			const { published } = service.seed.agents;
			for (const parameters of withAgent(published)) {
				await service.answer(`GET agents/${published}`, 403, undefined, 2);
				expect((await service.run(parameters, items)).run.status).toBe('success');
			}
			const missing = '00000000-0000-4000-8000-000000000000';
			const [created] = jsonOf(await service.run(withAgent(missing)[0]!, items, { node: goesOn }));
			expect(created).toMatchObject({ result: 'failed', httpStatus: 422, code: 'VALIDATION_ERROR' });
		});
	});
});

import { byId, retried, useService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

const service = useService();
let agent: string;
beforeAll(async () => {
	agent = service.seed.agents.published;
});

const NOWHERE = '00000000-0000-4000-8000-000000000000';

/** Places a call directly with the API. @returns its ID */
async function place(to: string): Promise<string> {
	const { body } = await service.api('POST', `agents/${agent}/call`, { to, is_testing: true });
	return (body.data as { id: string }).id;
}

describe('Call: Get Active', () => {
	const find = {
		resource: 'call',
		operation: 'getActive',
		agent: byId('={{ $json.agent }}'),
		otherNumber: '={{ $json.phone }}',
	};

	test.each([
		['an object in place of the call', { match: {}, body: { success: true, data: {} } }],
		['nothing in place of the call', { match: {}, body: { success: true } }],
		["a proxy's page", { match: {}, status: 404, body: '<html>' }],
		['no agent, which may not exist', { body: { success: true, data: {} } }],
	])('fails for %s', async (_, fault) => {
		const match = { method: 'GET', path: `/api/v1/agents/${agent}` };
		await service.fault({ match, kind: 'status', status: 200, ...fault });
		expect((await service.run(find, [{ agent, phone: '+12025550122' }])).run.status).toBe('error');
	});

	test('returns the call of each item, and no item if there is no active call', async () => {
		const id = await place('+12025550111');
		const items = [
			{ agent, phone: '+1 (202) 555-0111' },
			{ agent: NOWHERE, phone: '+12025550111' },
			{ agent, phone: '555' },
			{ agent, phone: '+12025550122' },
		];
		const sent = await expectItems(service, find, items, [
			{ id, agent_id: agent, to: '+12025550111' },
			failed('AGENT_NOT_FOUND'),
			failed('INVALID_PHONE_NUMBER'),
		]);
		expect(new Set(sent.map(([, path]) => path))).toEqual(
			new Set([
				`agents/${agent}/active-call/%2B12025550111`,
				`agents/${agent}/active-call/%2B12025550122`,
				`agents/${agent}`,
				`agents/${NOWHERE}/active-call/%2B12025550111`,
				`agents/${NOWHERE}`,
			]),
		);
	});
});

test('Call: End: a retry does not fail for calls that the first attempt ended', async () => {
	const items = [];
	for (const to of ['+12025550111', '+12025550122', '+12025550133']) {
		items.push({ id: await place(to) });
	}
	await service.answer('POST', 403, { success: false });
	const end = { resource: 'call', operation: 'end', agent: byId(agent), call: byId('={{ $json.id }}') };
	expect((await service.run(end, items, { node: retried })).run.status).toBe('success');
	const ended = (await service.calls()).filter(({ status }) => status === 'completed').map(({ id }) => id);
	expect(ended).toEqual(expect.arrayContaining(items.map(({ id }) => id)));
});

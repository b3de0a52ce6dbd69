import { callWithId, listIn, withData } from '../../../../nodes/shared/client/forms.ts';

describe('What an answer is about is in data', () => {
	test.each([
		['as documented', { success: true, data: { id: 'a' } }, { id: 'a' }],
		['if it is the body', { success: true, message: 'OK', id: 'a', name: 'Ada' }, { id: 'a', name: 'Ada' }],
		['if it is a list', [{ id: 'a' }], [{ id: 'a' }]],
		['but not without an ID: nothing shows what the body is', { success: true, name: 'Ada' }, undefined],
		['and null stays null', { data: null, id: 'a' }, null],
	])('%s', (_what, body, data) => {
		expect(withData(body).data).toEqual(data);
	});
});

describe('A list is found', () => {
	const items = [{ id: 1 }];
	test.each([
		['in its documented place', { data: { webhooks: items } }, items, items],
		['in items of that place', { data: {} }, { items }, items],
		['in items of data', { data: { items } }, undefined, items],
		['in data itself', { data: items }, undefined, items],
		['and null is none: it may be anything', { data: null }, null, undefined],
		['and what is missing is none', { data: {} }, undefined, undefined],
	])('%s', (_what, body, documented, found) => {
		expect(listIn(documented, body as never)).toEqual(found);
	});
});

test.each([
	[{ id: 7 }, 7],
	[{ call: { id: 'a' } }, 'a'],
	[{ campaign_call: { call_id: 'a' } }, 'a'],
	[{ call_uuid: 'a' }, 'a'],
	[{ id: '' }, undefined],
	['a', undefined],
])('The ID of the call in %j is %j', (answer, id) => {
	expect(callWithId(answer)?.id).toBe(id);
});

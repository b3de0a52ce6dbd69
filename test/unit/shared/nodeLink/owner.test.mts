import fc from 'fast-check';

import { withoutQuery } from '../../../../nodes/shared/lib/withoutQuery.ts';
import { ownerIn, ownerOfUrl, ownerUrl, webhooksPath } from '../../../../nodes/shared/nodeLink/owner.ts';

const url = 'https://n8n.example/webhook/11111111-2222-3333-4444-5555555555aa/webhook';

test('The owner that a URL names is the one that it was made for, whatever its ID', () => {
	const owners = fc.record({
		source: fc.constantFrom('agent' as const, 'campaign' as const),
		ownerId: fc.string({ minLength: 1, maxLength: 100 }).filter((id) => id.isWellFormed()),
	});
	fc.assert(
		fc.property(owners, (owner) => {
			const made = ownerUrl(url, owner);
			expect(ownerOfUrl(made)).toEqual(owner);
			expect(withoutQuery(made)).toBe(url);
		}),
	);
});

test('Two owners never have the same URL', () => {
	const id = fc.string({ minLength: 1, maxLength: 5 }).filter((text) => text.isWellFormed());
	fc.assert(
		fc.property(id, id, (one, other) => {
			const urls = new Set([
				ownerUrl(url, { source: 'agent', ownerId: one }),
				ownerUrl(url, { source: 'campaign', ownerId: one }),
				ownerUrl(url, { source: 'campaign', ownerId: other }),
			]);
			expect(urls.size).toBe(one === other ? 2 : 3);
		}),
	);
});

test.each([
	[{}],
	[{ campaign: '' }],
	[{ campaign: undefined }],
	[{ campaign: ['a'] }],
	[{ campaign: { a: 'b' } }],
	[{ campaign: 'a', agent: 'a' }],
	[{ campaign: 'a'.repeat(101) }],
	[{ source: 'campaign', ownerId: 'a' }],
])('A query that does not name exactly one owner names none: %j', (query) => {
	expect(ownerIn(query)).toBeUndefined();
});

test('What is no URL names nobody', () => {
	expect(ownerOfUrl('campaign=a')).toBeUndefined();
});

test('The path of webhooks begins with the kind of owner', () => {
	expect(webhooksPath({ source: 'agent', ownerId: 'a' })).toEqual(['agents', 'a', 'webhooks']);
	expect(webhooksPath({ source: 'campaign', ownerId: 'c' }, 'w')).toEqual(['campaigns', 'c', 'webhooks', 'w']);
});

import { withoutQuery } from '../../../nodes/shared/lib/text.ts';
import { namedInUrl, ownerIn, ownerUrl, versionsIn, webhooksPath } from '../../../nodes/shared/owner.ts';
import fc from '../../fastCheck.mts';

const url = 'https://n8n.example/webhook/11111111-2222-3333-4444-5555555555aa/webhook';

const time = fc.integer({ min: 1_000_000_000_000, max: 9_999_999_999_999 });
const verifyBys = fc.constantFrom('signature' as const, 'header' as const);
const versions = fc.record({ current: time, previous: fc.array(time, { maxLength: 8 }) });

test('The owner and the secrets that a URL names are those that it was made for, whatever the ID', () => {
	const owners = fc.record({
		ownerType: fc.constantFrom('agent' as const, 'campaign' as const),
		ownerId: fc.string({ minLength: 1, maxLength: 100 }).filter((id) => id.isWellFormed()),
	});
	fc.assert(
		fc.property(owners, fc.option(versions, { nil: undefined }), verifyBys, (owner, times, verifyBy) => {
			const made = ownerUrl(url, owner, times, verifyBy, 'abcdef');
			expect(namedInUrl(made)).toEqual({ owner, versions: times, verifyBy, fingerprint: 'abcdef' });
			expect(withoutQuery(made)).toBe(url);
		}),
	);
});

const made = [1_764_100_000_003, 1_764_100_000_002, 1_764_100_000_001];
const campaign = { ownerType: 'campaign', ownerId: 'c-1' } as const;

test('A URL names the owner, its secret and those before, in the form that registered webhooks have', () => {
	const current = 1_764_100_000_004;
	const previous = '1764100000003,1764100000002,1764100000001';
	for (const [times, more] of [
		[undefined, ''],
		[{ current, previous: [] }, '&g=1764100000004'],
		[{ current, previous: made }, `&g=1764100000004&f=${previous}`],
	] as const) {
		expect(ownerUrl(url, campaign, times as never)).toBe(`${url}?campaign=c-1${more}`);
		expect(ownerUrl(url, campaign, times as never, 'header').replace('&by=header', '')).toBe(
			`${url}?campaign=c-1${more}`,
		);
	}
});

test.each([
	[500, 3],
	[501, 2],
	[514, 2],
	[515, 1],
	[528, 1],
	[529, 0],
	[900, 0],
])('A URL that would have %i characters names %i secrets before the current one: the newest', (length, kept) => {
	const times = { current: 1_764_100_000_004, previous: made };
	const missing = length - ownerUrl(url, campaign, times).length;
	const short = ownerUrl(url.replace('/webhook/', `${'x'.repeat(missing)}/webhook/`), campaign, times);
	expect(namedInUrl(short)).toMatchObject({ owner: campaign, versions: { ...times, previous: made.slice(0, kept) } });
});

test('Two owners never have the same URL', () => {
	const id = fc.string({ minLength: 1, maxLength: 5 }).filter((text) => text.isWellFormed());
	fc.assert(
		fc.property(id, id, (one, other) => {
			const urls = new Set([
				ownerUrl(url, { ownerType: 'agent', ownerId: one }),
				ownerUrl(url, { ownerType: 'campaign', ownerId: one }),
				ownerUrl(url, { ownerType: 'campaign', ownerId: other }),
			]);
			expect(urls.size).toBe(one === other ? 2 : 3);
		}),
	);
});

test('A query that does not name exactly one owner, or when one secret was made, names none', () => {
	const id = 'a'.repeat(101);
	const odd = [
		{ campaign: '' },
		{ campaign: undefined },
		{ campaign: ['a'] },
		{ campaign: { a: 'b' } },
		{ campaign: id },
	];
	const others = [{}, { campaign: 'a', agent: 'a' }, { ownerType: 'campaign', ownerId: 'a' }];
	expect([...odd, ...others].filter((query) => ownerIn(query) !== undefined)).toEqual([]);
	const times = ['', '7', 1764100000000, ['1764100000000', '1764100000000'], '1764100000000 ', '01764100000000'];
	const queries = [{}, ...times.map((g) => ({ g })), { f: '1764100000000' }, { g: 'x', f: '1764100000000' }];
	expect(queries.filter((query) => versionsIn(query) !== undefined)).toEqual([]);
});

test('A former secret counts only if it is a time; an ID of a hundred characters is one', () => {
	const f = 'x1764100000000,1764100000001x,,7,1764100000002';
	expect(versionsIn({ g: '1764200000000', f })?.previous).toEqual([1_764_100_000_002]);
	expect(ownerIn({ agent: 'a'.repeat(100) })).toEqual({ ownerType: 'agent', ownerId: 'a'.repeat(100) });
});

test('No more than eight former secrets count', () => {
	const previous = Array.from({ length: 20 }, (_, n) => 1_764_100_000_000 + n);
	expect(versionsIn({ g: '1764200000000', f: previous.join(',') })?.previous).toEqual(previous.slice(0, 8));
});

test('What is no URL names nobody', () => {
	expect(namedInUrl('campaign=a')).toEqual({ owner: undefined, versions: undefined, verifyBy: 'signature' });
});

test('The path of webhooks begins with the kind of owner', () => {
	expect(webhooksPath({ ownerType: 'agent', ownerId: 'a' }).join('/')).toBe('agents/a/webhooks');
	expect(webhooksPath({ ownerType: 'campaign', ownerId: 'c' }, 'w').join('/')).toBe('campaigns/c/webhooks/w');
});

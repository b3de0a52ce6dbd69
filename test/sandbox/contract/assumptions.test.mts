import { join } from 'node:path';

import { checks } from '../../../sandbox/contract/checks/index.mts';
import { neededFor, SANDBOX_ONLY } from '../../../sandbox/contract/checks/unchecked.mts';
import { readPage } from '../../../sandbox/contract/page.mts';
import type { Check } from '../../../sandbox/contract/session.mts';
import { variants } from '../../../sandbox/variants/index.mts';
import type { Variant } from '../../../sandbox/world/variant.mts';
import { root } from '../../../scripts/lib/places.mts';
import type { SandboxClient } from '../client.mts';
import { leftIn, newHome, start, startService, testEverything, withResult } from './runs.mts';

const rows = readPage(join(root, 'docs', 'contributing', 'assumptions.md'));
const keyOf = ({ section, question }: { section: string; question: string }) => `${section}: ${question}`;

const hasCheck = (question: string) => checks.some((check) => check.question === question);

/** What not even a run with all options can test in a sandbox, and why. */
const NOT_HERE: Record<string, string> = {
	'When does a rate window begin?': 'the run is shorter than two windows',
	'Is there a `Retry-After` header?': 'the run stays below the rate limit',
	'Which body has a 429?': 'the run stays below the rate limit',
	'A plan without the flag': 'the plan has the flag',
};

/** Variants of which no run shows anything although there is a check, and why. */
const UNSEEN: Record<string, string> = {
	'campaign-latest-calls': 'it needs a campaign with three calls',
	'campaign-success-rate-fraction': 'it needs a campaign with calls that are over',
	'event-one-end': 'the end of a call that was answered looks the same',
	'limit-429-flat': 'it changes only the answers to calls, and a run places too few of them',
	'limit-retry-after-absent': 'the same',
	'limit-retry-after-text': 'the same',
	'limit-sliding': 'it needs a run that is longer than two windows',
};

/** Rows that state the form of errors, or the status of some. */
const FORMS = ['Which body has a 401?', 'Error bodies', 'Body of `LOG_NOT_RETRIABLE`'];
const CONFLICTS = [
	'What ends a call by `end-call`?',
	'Changing the schedule with calls queued',
	'A second creation',
	'Removing the owner',
	'Adding a member twice',
];
const SAME_BODY = 'Is the body of a delivery the same at each attempt?';
const ALL_AT_ONCE = ['A page beyond the last', 'How many items has a page?'];

/** What else is otherwise with a variant, because it says the same. */
const ALSO: Record<string, readonly string[]> = {
	'agent-action-by-name': ['What identifies an action for an update?'],
	'answer-empty-lists-absent': ['Which fields has an answer?'],
	'answer-ids-numbers': ['What identifies an event?'],
	'answer-status-other-words': ['Status during `delay_seconds`'],
	'answer-time-offset': ['Which moments are accepted?', 'Form of the time of an event'],
	'answer-time-without-zone': ['Which moments are accepted?', 'Form of the time of an event'],
	'error-400-for-409': CONFLICTS,
	'error-400-for-422': [
		'When is an agent ready to publish?',
		'Other wrong fields of an agent call',
		'Import or export while disabled',
		'`is_active: true` on an unverified trunk',
		'When has a calendar a provider for meetings?',
	],
	'error-authentication': FORMS,
	'error-code-lower-case': FORMS,
	'error-code-number': FORMS,
	'error-code-other': FORMS,
	'error-empty': FORMS,
	'error-fields-absent': ['Error bodies'],
	'error-flat': FORMS,
	'error-html': FORMS,
	'error-nested': FORMS,
	'error-problem-json': [...FORMS, 'Do flat errors carry `code`?'],
	'error-without-code': FORMS,
	'event-cloudevents': ['Names of the fields of an event'],
	'event-id-per-attempt': [SAME_BODY],
	'event-kind-undocumented': ['Events of a campaign call'],
	'event-time-of-attempt': [SAME_BODY],
	'list-cursor': ALL_AT_ONCE,
	'list-reversed': ['Order of event lists'],
	'list-without-pages': ALL_AT_ONCE,
};

/** A rate limit that a run meets. */
const LIMITED = { rateLimit: 50, rateWindow: 3600 };
const pace = { limitedMs: 1 };

beforeAll(() => {
	process.env.HOME = newHome();
});

test('every check is about a line of the page, and so is every line that is left out', () => {
	const known = new Set(rows.map(keyOf));
	expect(checks.map(keyOf).filter((key) => !known.has(key))).toEqual([]);
	expect(new Set(checks.map(keyOf)).size).toBe(checks.length);
	expect(SANDBOX_ONLY.filter((question) => !rows.some((row) => row.question === question))).toEqual([]);
	expect(
		rows.filter(
			({ section, question }) =>
				!hasCheck(question) && !SANDBOX_ONLY.includes(question) && /no check/.test(neededFor(section)),
		),
	).toEqual([]);
});

test('against the sandbox all that is tested is confirmed, no answer is undocumented, and nothing is left', async () => {
	const service = await startService();
	const report = await testEverything(service);
	expect(withResult(report, 'otherwise')).toEqual([]);
	expect(report).toMatchObject({ ended: null, differences: [] });
	const untested = withResult(report, 'notTested').map(([question]) => question);
	expect(untested.filter(hasCheck).sort()).toEqual(Object.keys(NOT_HERE).sort());
	expect(await leftIn(service)).toEqual([]);
	await service.close();
});

test('without options a run only reads', async () => {
	const service = await startService();
	const report = await start(service.url).report;
	const methods = (await service.control('requests')) as unknown as Array<{ method: string }>;
	expect([...new Set(methods.map(({ method }) => method))].sort()).toEqual(['GET', 'HEAD', 'OPTIONS']);
	expect(withResult(report, 'otherwise')).toEqual([]);
	expect(withResult(report, 'confirmed').length).toBeGreaterThan(20);
	expect(withResult(report, 'notTested')).toContainEqual(['Languages of an agent', 'needs --write']);
	expect(withResult(report, 'notTested')).toContainEqual(['Signature', 'needs --write --receive URL']);
	await service.close();
});

test('a run that meets the rate limit tells what the refusals look like, and tests what comes before', async () => {
	const service = await startService(LIMITED);
	const report = await start(service.url, { pace }).report;
	expect(withResult(report, 'otherwise')).toEqual([]);
	const confirmed = withResult(report, 'confirmed').map(([question]) => question);
	expect(confirmed).toEqual(expect.arrayContaining(['Is there a `Retry-After` header?', 'Which body has a 429?']));
	await service.close();
});

/** All checks take many minutes: `EVERY_CHECK=1`. Otherwise it is only the one that the variant is about. */
const every = process.env.EVERY_CHECK !== undefined;

/** `npm run test:variants` shows all variants to the command; otherwise it is one of each section. */
const isWhole = every || process.env.VARIANTS === 'all';

describe('against a service that answers a question otherwise, this question is otherwise, and no other', () => {
	const names = variants.map(({ name }) => name);
	const visible = variants.filter(({ name, question }) => hasCheck(question) && !Object.hasOwn(UNSEEN, name));
	const isFirst = ({ section }: Variant, index: number) =>
		visible.findIndex((variant) => variant.section === section) === index;
	const seen = isWhole ? visible : visible.filter(isFirst);
	const isOfLimits = ({ question }: Variant) => /429|Retry-After/.test(question);
	let service: SandboxClient;
	beforeAll(async () => {
		service = await startService();
	});
	afterAll(() => service.close());

	it('leaves out only variants that exist', () => {
		expect([...Object.keys(UNSEEN), ...Object.keys(ALSO)].filter((name) => !names.includes(name))).toEqual([]);
	});

	test.each(seen)('$name', async (variant) => {
		const { name, question } = variant;
		if (isOfLimits(variant)) {
			const limited = await startService({ ...LIMITED, variants: [name] });
			const report = await start(limited.url, { pace }).report;
			expect(withResult(report, 'otherwise').map(([found]) => found)).toEqual([question]);
			await limited.close();
			return;
		}
		await service.control('reset', {});
		await service.control('variants', { names: [name] });
		const only = every ? {} : { only: (check: Check) => check.question === question };
		// Most answers show it to a run that only reads.
		const read = every ? undefined : await start(service.url, only).report;
		const report = read && withResult(read, 'otherwise').length > 0 ? read : await testEverything(service, only);
		const otherwise = new Set(withResult(report, 'otherwise').map(([found]) => found));
		const also = (every && ALSO[name]) || [];
		expect([...otherwise].filter((found) => !also.includes(found))).toEqual([question]);
	});
});

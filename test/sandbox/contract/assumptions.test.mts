import { join } from 'node:path';

import { checks } from '../../../sandbox/contract/checks/index.mts';
import { UNCHECKED, whyUnchecked } from '../../../sandbox/contract/checks/unchecked.mts';
import { readPage } from '../../../sandbox/contract/page.mts';
import type { Check } from '../../../sandbox/contract/session.mts';
import type { SandboxOptions } from '../../../sandbox/options.mts';
import { variants } from '../../../sandbox/variants/index.mts';
import { root } from '../../../scripts/lib/places.mts';
import { leftIn, newHome, start, startService, testEverything, withResult } from './runs.mts';

const rows = readPage(join(root, 'docs', 'assumptions.md'));
const keyOf = ({ section, question }: { section: string; question: string }) => `${section}: ${question}`;

/** What not even a run with all options can test in a sandbox, and why. */
const NOT_HERE: Record<string, string> = {
	'When does a rate window begin?': 'the run is shorter than two windows',
	'Is there a `Retry-After` header?': 'the run stays below the rate limit',
	'Which body has a 429?': 'the run stays below the rate limit',
	'A plan without the flag': 'the plan has the flag',
};

/** Variants of which a run shows nothing, or more than their question, and why. */
const UNSEEN: Record<string, string> = {};

/** What else is otherwise with a variant, because it says the same. */
const ALSO: Record<string, readonly string[]> = {};

/** A rate limit that a run meets. */
const LIMITED = { rateLimit: 30, rateWindow: 0.2 };

beforeAll(() => {
	process.env.HOME = newHome();
});

test('every line of the page has either a check or a reason why not', () => {
	const checked = new Set(checks.map(keyOf));
	expect(checked.size).toBe(checks.length);
	expect(rows.filter((row) => checked.has(keyOf(row)) === (whyUnchecked(row) !== undefined)).map(keyOf)).toEqual([]);
	const known = new Set(rows.map(keyOf));
	const reasons = Object.values(UNCHECKED).flatMap((sections) =>
		Object.entries(sections).flatMap(([section, questions]) =>
			questions.map((question) => keyOf({ section, question })),
		),
	);
	expect([...checked, ...reasons].filter((key) => !known.has(key))).toEqual([]);
});

test('against the sandbox all that is tested is confirmed, no answer is undocumented, and nothing is left', async () => {
	const service = await startService();
	const report = await testEverything(service);
	expect(withResult(report, 'otherwise')).toEqual([]);
	expect(report).toMatchObject({ ended: null, differences: [] });
	const untested = report.results.filter((result) => result.is === 'notTested' && whyUnchecked(result) === undefined);
	expect(untested.map(({ question }) => question).sort()).toEqual(Object.keys(NOT_HERE).sort());
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

test('a run that meets the rate limit waits, and tells what the refusals look like', async () => {
	const service = await startService(LIMITED);
	const report = await start(service.url).report;
	expect(withResult(report, 'otherwise')).toEqual([]);
	const confirmed = withResult(report, 'confirmed').map(([question]) => question);
	expect(confirmed).toEqual(expect.arrayContaining(['Is there a `Retry-After` header?', 'Which body has a 429?']));
	await service.close();
});

/** The settings in which a question can be answered. */
const SETTINGS: Record<string, Partial<SandboxOptions>> = {
	'Is there a `Retry-After` header?': LIMITED,
	'Which body has a 429?': LIMITED,
};

/** All checks take minutes: `EVERY_CHECK=1`. Otherwise it is only the one that the variant is about. */
const every = process.env.EVERY_CHECK !== undefined;

describe('against a service that answers a question otherwise, this question is otherwise, and no other', () => {
	const seen = variants.filter(({ name, question }) => !(name in UNSEEN) && !(question in UNSEEN));
	test.each(seen.map((variant) => [variant.name, variant] as const))('%s', async (name, { question }) => {
		const service = await startService({ ...SETTINGS[question], variants: [name] });
		const only = every ? {} : { only: (check: Check) => check.question === question };
		const report = await testEverything(service, only);
		const otherwise = withResult(report, 'otherwise').filter(([found]) => !(every && ALSO[name]?.includes(found)));
		expect([...new Set(otherwise.map(([found]) => found))]).toEqual([question]);
		await service.close();
	});
});

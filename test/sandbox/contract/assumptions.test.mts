import { join } from 'node:path';

import { checks } from '../../../sandbox/contract/checks/index.mts';
import { neededFor, SANDBOX_ONLY } from '../../../sandbox/contract/checks/unchecked.mts';
import { readPage } from '../../../sandbox/contract/page.mts';
import type { Report } from '../../../sandbox/contract/report.mts';
import type { Check } from '../../../sandbox/contract/session.mts';
import { variants } from '../../../sandbox/variants/index.mts';
import type { Variant } from '../../../sandbox/world/variant.mts';
import { root } from '../../../scripts/lib/places.mts';
import type { SandboxClient } from '../client.mts';
import { start, startService, testEverything, withResult } from './runs.mts';

const rows = readPage(join(root, 'docs', 'contributing', 'assumptions.md'));
const keyOf = ({ section, question }: { section: string; question: string }) => `${section}: ${question}`;
const hasCheck = (question: string) => checks.some((check) => check.question === question);

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

/** A rate limit that a run meets. */
const LIMITED = { rateLimit: 50, rateWindow: 3600 };
const pace = { limitedMs: 1 };

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

test('a run that meets the rate limit tells what the refusals look like, and tests what comes before', async () => {
	const service = await startService(LIMITED);
	const report = await start(service.url, { pace }).report;
	expect(withResult(report, 'otherwise')).toEqual([]);
	const confirmed = withResult(report, 'confirmed').map(([question]) => question);
	expect(confirmed).toEqual(expect.arrayContaining(['Is there a `Retry-After` header?', 'Which body has a 429?']));
	await service.close();
});

/** `npm run test:variants` shows all variants to the command; otherwise it is one of each section. */
const isWhole = process.env.VARIANTS === 'all';

describe('against a service that answers a question otherwise, this question is otherwise', () => {
	const names: string[] = variants.map(({ name }) => name);
	const visible = variants.filter(({ name, question }) => hasCheck(question) && !Object.hasOwn(UNSEEN, name));
	const isFirst = ({ section }: Variant, index: number) =>
		visible.findIndex((variant) => variant.section === section) === index;
	const seen = isWhole ? visible : visible.filter(isFirst);
	const isOfLimits = ({ question }: Variant) => /429|Retry-After/.test(question);
	let service: SandboxClient;
	beforeAll(async () => void (service = await startService()));
	afterAll(() => service.close());

	it('leaves out only variants that exist', () => {
		expect(Object.keys(UNSEEN).filter((name) => !names.includes(name))).toEqual([]);
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
		const only = { only: (check: Check) => check.question === question };
		const otherwise = (report: Report) => withResult(report, 'otherwise').map(([found]) => found);
		// Most answers show it to a run that only reads.
		const read = otherwise(await start(service.url, only).report);
		const found = read.length > 0 ? read : otherwise(await testEverything(service, only));
		expect([...new Set(found)]).toEqual([question]);
	});
});

// Checks docs/openapi.json with other people's tools: npm run test:openapi -- [--quick] [words that select test files]
// Redocly's and Spectral's rules, a Postman collection sent by newman, the page /docs, and Prism's validating proxy: every
// operation, and the tests of the sandbox.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { cache, root } from './lib/places.mts';
import { runCollection } from './openApi/collection.mts';
import { checkReference } from './openApi/reference.mts';
import { redoclyProblems, spectralProblems } from './openApi/rules.mts';
import { runThroughProxy } from './openApi/suite.mts';
import { checkTour } from './openApi/tour.mts';

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const { values, positionals: words } = parseArgs({
	options: { quick: { type: 'boolean', default: false } },
	allowPositionals: true,
});
const document = join(root, 'docs', 'openapi.json');

const summary = join(cache, 'openapi-summary.json');
const outcome = { passed: 0, failed: 0 };

/** Writes what a check found, and counts it. */
function report(name: string, started: number, findings: string[], counted: string): void {
	const seconds = ((Date.now() - started) / 1000).toFixed(1);
	for (const finding of findings.slice(0, 50)) {
		console.log(finding);
	}
	outcome[findings.length === 0 ? 'passed' : 'failed'] += 1;
	const result = findings.length === 0 ? 'passed' : `FAILED (${findings.length})`;
	console.log(`${result}: ${name}: ${counted} (${seconds} s)`);
	if (findings.length > 0) {
		process.exitCode = 1;
	}
}

/** Runs the tests of the sandbox through Prism, and reports. */
async function checkThroughProxy(): Promise<void> {
	const started = Date.now();
	const { requests, direct, responses, accepted, ignoredBodies, passed } = await runThroughProxy(document, words);
	const findings = [...responses, ...accepted, ...(passed ? [] : ['The tests failed.'])];
	writeFileSync(join(cache, 'openapi', 'violations.txt'), findings.join('\n'));
	// A run without requests has found nothing out.
	if (requests - direct === 0) {
		findings.push('No request went through the proxy.');
	}
	const counts = [
		`${requests - direct} requests, ${direct} sent past it`,
		`${responses.length} violations of responses, ${accepted.length} of accepted requests`,
		`${ignoredBodies} bodies for operations without one`,
	].join('; ');
	report("the tests of the sandbox through Prism's validating proxy", started, findings, counts);
}

mkdirSync(join(cache, 'openapi'), { recursive: true });
rmSync(summary, { force: true });
const first = Date.now();

let started = Date.now();
for (const [name, check] of [
	["Redocly's recommended rules", redoclyProblems],
	["Spectral's rules", spectralProblems],
] as const) {
	started = Date.now();
	const problems = await check(document);
	report(name, started, problems, `${problems.length} problems`);
}

started = Date.now();
const sent = await runCollection(document);
report('the Postman collection of it, sent by newman', started, sent.findings, `${sent.operations} operations`);

started = Date.now();
const called = await checkTour(document);
report("every operation through Prism's validating proxy", started, called.findings, `${called.operations} operations`);

started = Date.now();
report('the page /docs in Chromium', started, await checkReference(), 'nothing from other servers, no errors');

if (values.quick) {
	console.log('left out: the tests of the sandbox');
} else {
	await checkThroughProxy();
}

// A run that ends before this line counts as one failure in .ci/run.
writeFileSync(summary, JSON.stringify(outcome));
const total = ((Date.now() - first) / 1000).toFixed(0);
console.log(`${outcome.passed} checks of docs/openapi.json passed, ${outcome.failed} failed (${total} s)`);

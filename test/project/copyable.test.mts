import { basename } from 'node:path';

import { blocks } from '../docs/copyable.mts';
import { read } from './sources.mts';

/** For each block of code that a page shows by hand, how it begins, and the test that runs it. */
const runBy: Array<[page: string, begins: string, test: string]> = [
	['docs/install.md', 'docker exec n8n ', 'test/e2e/testYourWorkflow.test.mts'],
	['docs/install.md', 'docker cp ', 'test/e2e/testYourWorkflow.test.mts'],
	['docs/test-your-workflow.md', 'curl ', 'test/e2e/testYourWorkflow.test.mts'],
	['docs/whom-and-when.md', '{\n\t"result": "outsideHours"', 'test/integration/pageSamples.test.mts'],
	['docs/whom-and-when.md', '{ "consent"', 'test/integration/pageSamples.test.mts'],
	['docs/reference/sending.md', '{\n\t"result": "failed"', 'test/integration/pageSamples.test.mts'],
	['docs/reference/agents-as-documents.md', '{\n\t"$schema"', 'test/project/agentDocumentPage.test.mts'],
	['docs/reference/signatures.md', 'import base64', 'test/sandbox/engine/deliveries/verifyADelivery.test.mts'],
	['docs/reference/signatures.md', 'import { createHmac', 'test/sandbox/engine/deliveries/verifyADelivery.test.mts'],
	['docs/reference/http-request.md', '{ "headers"', 'test/e2e/httpRequest.test.mts'],
	['docs/reference/http-request.md', '{\n  "name": "Call with HTTP Request"', 'test/e2e/httpRequest.test.mts'],
	[
		'docs/reference/http-request.md',
		'{\n  "name": "Receive events with a Webhook node"',
		'test/e2e/httpRequest.test.mts',
	],
	['docs/reference/waiting.md', '{\n  "name": "Continue with each outcome"', 'test/e2e/waitingEach.test.mts'],
	['docs/reference/waiting.md', '{\n  "name": "Two phones at once"', 'test/e2e/waitingEach.test.mts'],
];

test('a test runs each block of code on the pages that a reader may copy, and the test reads it from the page', () => {
	const shown = blocks().map(({ page, text }) => {
		const rows = runBy.filter(([ofPage, begins]) => ofPage === page && text.startsWith(begins));
		return rows.length === 1 ? `${page}: ${rows[0]![1]}` : `${page} has a block that no test runs: ${text}`;
	});
	expect(shown.sort()).toEqual(runBy.map(([page, begins]) => `${page}: ${begins}`).sort());
	const readElsewhere = runBy.filter(([page, , test]) => !read(test).includes(basename(page)));
	expect(readElsewhere).toEqual([]);
});

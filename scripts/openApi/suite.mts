import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { runJest } from '../lib/jest.mts';
import { cache } from '../lib/places.mts';
import { startProxy, type Violation } from './proxy.mts';

/** All tests but those that measure time, which the proxy takes too. */
const NAMES = '^(?!.*(keeps to the 200 ms|stay fast with 10,000 calls))';

/** A request that the suite sent. */
interface SentRequest {
	method: string;
	path: string;
	/** Its beginning. */
	body: string;
	status: number;
	/** False for what the proxy cannot read or pass on, and after a fault was injected. */
	proxied: boolean;
	violations: Violation[];
}

/** What the proxy found out. */
export interface SuiteResult {
	requests: number;
	direct: number;
	/** Of responses. */
	responses: string[];
	/** Of requests that were answered with 2xx. */
	accepted: string[];
	/** Accepted requests with a body for an operation that takes none: the sandbox ignores it. */
	ignoredBodies: number;
	/** Whether the tests themselves passed. */
	passed: boolean;
}

/** Runs the tests of the sandbox through Prism's validating proxy. @param words select test files */
export async function runThroughProxy(document: string, words: string[]): Promise<SuiteResult> {
	const file = join(cache, 'openapi', 'requests.jsonl');
	mkdirSync(dirname(file), { recursive: true });
	rmSync(file, { force: true });
	const proxy = await startProxy(document);
	try {
		process.env.OPENAPI_PROXY = proxy.url;
		process.env.OPENAPI_REQUESTS = file;
		const files = words.length > 0 ? words : ['test/sandbox'];
		const status = await runJest(['--selectProjects', 'sandbox', '--silent', '--testNamePattern', NAMES, ...files]);
		return { ...resultOf(file), passed: status === 0 };
	} finally {
		await proxy.close();
	}
}

function resultOf(file: string): Omit<SuiteResult, 'passed'> {
	const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
	const requests = lines.map((line) => JSON.parse(line) as SentRequest);
	// What the tests of odd requests send on purpose: the document has no body for the operation, nor a mistake.
	const isIgnoredBody = ({ message }: Violation) => message.startsWith('No supported content types');
	const of = (where: string, { violations }: SentRequest) =>
		violations.filter((violation) => violation.location[0] === where && !isIgnoredBody(violation));
	const shown = (where: string, sent: SentRequest) =>
		of(where, sent).map(({ location, message }) => {
			return `${sent.method} ${sent.path} ${sent.body} → ${sent.status}: ${location.join('.')}: ${message}`;
		});
	const accepted = requests.filter(({ status }) => status >= 200 && status < 300);
	return {
		requests: requests.length,
		direct: requests.filter(({ proxied }) => !proxied).length,
		responses: requests.filter((sent) => !isOtherOperation(sent)).flatMap((sent) => shown('response', sent)),
		accepted: accepted.flatMap((sent) => shown('request', sent)),
		ignoredBodies: accepted.filter(({ violations }) => violations.some(isIgnoredBody)).length,
	};
}

/** For methods that /calendars/events does not have, Prism compares with /calendars/{calendar_id}. */
function isOtherOperation({ status, path }: SentRequest): boolean {
	return status === 405 && path.split('?')[0] === '/api/v1/calendars/events';
}

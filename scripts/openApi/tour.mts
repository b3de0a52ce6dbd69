import { routes } from '../../sandbox/resources/index.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { exchangeWith, startReceiver } from '../../test/docs/openApi/recording.mts';
import { type Answer, type Given, tour } from '../../test/docs/openApi/tour.mts';
import { startProxy, type Violation } from './proxy.mts';

/** What the tour found out. */
export interface TourResult {
	operations: number;
	findings: string[];
}

/**
 * Sends the requests that are the examples of the document through Prism's validating proxy: each operation at least
 * once, each with success.
 */
export async function checkTour(document: string): Promise<TourResult> {
	const proxy = await startProxy(document);
	const receiver = await startReceiver();
	const sandbox = await startSandbox({ minimumStatusMs: 0, rateLimit: 100_000 });
	const byName = new Map(routes.map((route) => [`${route.method} ${route.path.replace('/api/v1', '')}`, route]));
	const called = new Set<string>();
	const findings: string[] = [];

	async function send(name: string, given: Given = {}): Promise<Answer> {
		const throughProxy: typeof fetch = async (input, init) => {
			const headers = { ...(init?.headers as Record<string, string>), 'X-Forward-To': sandbox.url };
			const response = await fetch(input, { ...init, headers });
			const violations: Violation[] = JSON.parse(response.headers.get('sl-violations') ?? '[]');
			findings.push(...violations.map(({ location, message }) => `${name}: ${location.join('.')}: ${message}`));
			return response;
		};
		const { status, answer } = await exchangeWith(proxy.url, byName.get(name)!, given, throughProxy);
		if (status >= 300) {
			findings.push(`${name} was answered with ${status}: ${JSON.stringify(answer)}`);
		}
		called.add(name);
		return answer as Answer;
	}

	try {
		const advance = async (seconds: number) => {
			await fetch(`${sandbox.url}/_sandbox/advance`, { method: 'POST', body: JSON.stringify({ seconds }) });
		};
		await tour({ seed: sandbox.seed, receiver: receiver.url, send, advance });
	} finally {
		await proxy.close();
		await sandbox.close();
		await receiver.close();
	}
	const missing = [...byName.keys()].filter((name) => !called.has(name));
	return { operations: called.size, findings: [...findings, ...missing.map((name) => `${name} was not called.`)] };
}

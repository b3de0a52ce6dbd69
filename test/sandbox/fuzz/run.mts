import dns from 'node:dns';
import { Agent, createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

import { startSandbox } from '../../../sandbox/server.mts';
import fc from '../../fastCheck.mts';
import { send } from '../client.mts';
import { listening } from '../listening.mts';
import { responseCheck } from '../responseCheck.mts';
import { beginning, type FuzzRequest, kinds, sequences } from './requests.mts';

/** Errors other than wrong responses. */
const problems: string[] = [];
const note = (error: unknown) => problems.push(error instanceof Error ? String(error.stack) : String(error));

/**
 * Sends random sequences of requests to a sandbox in this process. The same seed sends the same requests.
 *
 * @param statuses counts the responses
 * @throws Error for a defect, with the shortest sequence that shows it
 */
export async function fuzz(requests: number, seed: number, statuses: Record<string, number>): Promise<void> {
	// Every host name resolves to this machine, so that no request leaves it.
	const here = { address: '127.0.0.1', family: 4 };
	dns.lookup = ((_name: string, { all }: { all?: boolean }, done: (...found: unknown[]) => void) =>
		setImmediate(() => (all ? done(null, [here]) : done(null, here.address, here.family)))) as never;
	syncBuiltinESMExports();
	const receiver = createServer((incoming, outgoing) => incoming.resume().on('end', () => outgoing.end('{}')));
	const urls = [`${await listening(receiver)}/hook`, 'http://127.0.0.1:1/'];
	const check = responseCheck();
	const { url, close } = await startSandbox({
		port: 0,
		seed: 1,
		startTime: Date.UTC(2030, 0, 7, 9),
		speed: 0,
		rateLimit: Number.MAX_SAFE_INTEGER,
		minimumStatusMs: 0,
		actionLimitMs: 500,
		onResponse: (...exchange) => void note(check(...exchange) ?? ''),
	});
	const agent = new Agent({ keepAlive: true });

	async function responseTo(method: string, path: string, body?: string, headers = {}) {
		const late = new Promise<never>((_, fail) => setTimeout(fail, 30_000, new Error('No response after 30 s')).unref());
		const sent = send(agent, method, url + path, body, { Authorization: 'Bearer TOKEN', ...headers });
		const { status, data } = await Promise.race([sent, late]);
		const { message, error } = Object(data);
		if (status >= 500 || (status >= 400 && method !== 'HEAD' && !(message ?? error?.message ?? error))) {
			note(`An internal error, or one without a message: ${status} ${JSON.stringify(data)}`);
		}
		const found = problems.splice(0).filter(Boolean);
		if (found.length > 0) {
			throw new Error(found.join('\n').slice(0, 3000));
		}
		return { status, data };
	}

	/** Runs a sequence in a new world. Afterwards, the world must still work, and be saved and loaded. */
	async function run(sequence: FuzzRequest[]): Promise<void> {
		const known = new Map([['url', urls]]);
		const curl: string[] = [];
		try {
			await responseTo('POST', '/_sandbox/reset');
			for (const list of ['agents', 'campaigns', 'calendars', 'sip-trunks', 'phone-numbers', 'voice-templates']) {
				learn(known, list, (await responseTo('GET', `/api/v1/${list}`)).data);
			}
			for (const { method, path, headers = {}, body } of [...beginning, ...sequence]) {
				const [toPath, toBody] = [path, body ?? ''].map((text) => resolved(known, text));
				const shown = Object.entries(headers).map((pair) => ` -H '${pair.join(': ')}'`);
				curl.push(`curl -X ${method} '${url}${toPath}'${shown.join('')} -d '${toBody?.slice(0, 2000)}'`);
				const lists = path.split(/[?/]/).filter((part) => kinds.has(part));
				const { status, data } = await responseTo(method, toPath ?? '', toBody || undefined, headers);
				statuses[status] = (statuses[status] ?? 0) + 1;
				learn(known, lists.at(-1) ?? '', data);
			}
			const snapshot = await fetch(`${url}/_sandbox/snapshot`);
			const loaded = await fetch(snapshot.url, { method: 'POST', body: await snapshot.arrayBuffer() });
			if (loaded.status !== 200) {
				throw new Error(`The snapshot cannot be loaded: ${await loaded.text()}`);
			}
			await responseTo('GET', '/api/v1/agents');
		} catch (error) {
			throw new Error(`${(error as Error).message}\n${curl.join('\n')}`);
		}
	}

	const events = ['warning', 'unhandledRejection', 'uncaughtException'];
	events.forEach((event) => process.on(event, note));
	try {
		for (let batch = 0; Object.values(statuses).reduce((sum, count) => sum + count, 0) < requests; batch++) {
			const options = { seed: seed * 100_003 + batch, numRuns: 10, interruptAfterTimeLimit: 60_000 };
			const { errorInstance } = await fc.check(fc.asyncProperty(sequences, run), options);
			if (errorInstance) {
				throw errorInstance;
			}
		}
	} finally {
		events.forEach((event) => process.off(event, note));
		agent.destroy();
		receiver.closeAllConnections();
		receiver.close();
		await close();
	}
}

/** Collects the ids in a response, by type. The list that contains an `id` determines its type. */
function learn(known: Map<string, string[]>, list: string, response: unknown): void {
	for (const [key, value] of Object.entries(Object(response) as Record<string, unknown>)) {
		const kind = key === 'id' ? (kinds.get(list) ?? 'any_id') : key;
		if (typeof value === 'string' && kind.endsWith('_id')) {
			known.set(kind, [...new Set([...(known.get(kind) ?? []), value])]);
		} else if (typeof value === 'object') {
			learn(known, kinds.has(key) ? key : list, value);
		}
	}
}

/** Replaces references such as `<agent_id:3>`. */
function resolved(known: Map<string, string[]>, text: string): string {
	return text.replace(/<(\w+):(\d+)>/g, (_, kind: string, index: string) => {
		const ids = known.get(kind) ?? known.get('any_id') ?? [''];
		return ids[Number(index) % ids.length] ?? '';
	});
}

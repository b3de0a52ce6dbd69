import { createHmac, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';

import { percentile } from './numbers.mts';

/** A webhook that receives deliveries. */
export interface Receiver {
	url: string;
	/** The signing key; also set for a receiver that checks no signature. */
	secret: string;
	/** Returns the headers of a delivery with this ID and signature. */
	headers(id: string, signature: string): Record<string, string>;
}

/** The result of a run. */
export interface Delivered {
	perSecond: number;
	/** Percentiles of the latency in milliseconds. */
	p50: number;
	p95: number;
	p99: number;
}

/** The part of autocannon's API that is used here. */
type Autocannon = (options: {
	url: string;
	method: 'POST';
	connections: number;
	amount: number;
	requests: Array<{ setupRequest(request: object): object }>;
}) => Promise<{ errors: number; timeouts: number }> & {
	on(event: 'response', listener: (client: unknown, status: number, bytes: number, milliseconds: number) => void): void;
};

let autocannon: Autocannon | undefined;

/** Returns the webhook that our trigger has registered. @param body of the registration's request */
export function ownReceiver({ webhook_url: url, webhook_secret: secret }: Record<string, string>): Receiver {
	const headers = (id: string, signature: string) => ({
		'x-webhook-event': 'campaign_call.completed',
		'x-webhook-delivery': id,
		'x-webhook-attempt': '1',
		'x-webhook-signature': signature,
	});
	return { url: url!, secret: secret!, headers };
}

/** Makes an event with a unique ID, because the trigger ignores duplicates. */
function body(id: string): string {
	return JSON.stringify({
		event: 'campaign_call.completed',
		id,
		timestamp: new Date().toISOString(),
		webhook_id: '0f0e0d0c-0b0a-4908-8706-050403020100',
		campaign_id: '5b2f8a1e-6c3d-4f7a-9b8e-1d2c3b4a5f60',
		campaign_name: 'Spring appointments',
		call_id: randomUUID(),
		to: '+12025550100',
		status: 'completed',
		outcome: 'completed',
		retries: 0,
		duration: 94,
		is_testing: false,
		context: { contact: 'c-1029', list: 'spring', source: 'import' },
	});
}

/** Sends `amount` deliveries; on each connection, the next one as soon as the previous one is answered. */
export async function deliver(
	{ url, secret, headers }: Receiver,
	{ connections, amount, forged = false }: { connections: number; amount: number; forged?: boolean },
): Promise<Delivered> {
	// Signed in advance, so that n8n has the CPU while they are sent.
	const key = forged ? `${secret} but another` : secret;
	const deliveries = Array.from({ length: amount + connections }, () => {
		const id = randomUUID();
		const text = body(id);
		const signature = createHmac('sha256', key).update(text).digest('hex');
		return { body: text, headers: { 'content-type': 'application/json', ...headers(id, signature) } };
	});
	const expected = forged ? 401 : 200;
	const times: number[] = [];
	const unexpected: number[] = [];
	autocannon ??= createRequire(import.meta.url)('autocannon') as Autocannon;
	const setupRequest = (request: object) => ({ ...request, ...deliveries.pop() });
	const started = performance.now();
	let ended = started;
	const run = autocannon({ url, method: 'POST', connections, amount, requests: [{ setupRequest }] });
	run.on('response', (_client, status, _bytes, milliseconds) => {
		ended = performance.now();
		times.push(milliseconds);
		if (status !== expected) {
			unexpected.push(status);
		}
	});
	const { errors, timeouts } = await run;
	if (unexpected.length + errors + timeouts > 0 || times.length !== amount) {
		throw new Error(
			`Of ${amount} deliveries to ${url} ${times.length} were answered, ${unexpected.length} of them with another status than ${expected}: ${String([...new Set(unexpected)])}`,
		);
	}
	const [p50, p95, p99] = [50, 95, 99].map((percent) => percentile(times, percent));
	return { perSecond: (amount * 1000) / (ended - started), p50: p50!, p95: p95!, p99: p99! };
}

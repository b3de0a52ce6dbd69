import axios from 'axios';
import { sign } from './signature.mts';
import type { Webhook, World } from '../world.mts';

/** Sandbox seconds before the first retry; each further pause is twice as long. */
const FIRST_PAUSE_SECONDS = 10;

/** An event on its way to one webhook. The body is the same on every attempt. */
export interface Delivery {
	id: string;
	webhookId: string;
	event: string;
	body: string;
}

/** How one attempt ended: the HTTP status, or null with an error where none came. */
export interface Attempt {
	attempt: number;
	status: number | null;
	error?: string;
	duration_ms: number;
}

/**
 * Delivers with retries: success is any 2xx within the webhook's timeout; else up to `max_retries` more attempts after
 * growing pauses of the sandbox's clock. Each attempt uses the webhook as it is then; a webhook that is disabled or
 * gone gets nothing more.
 */
export function deliver(world: World, delivery: Delivery): void {
	world.clock.track(tryAgain(world, delivery, 1));
}

async function tryAgain(world: World, delivery: Delivery, number: number): Promise<void> {
	const webhook = world.webhooks.get(delivery.webhookId);
	if (!webhook?.enabled) return;
	const { status } = await attempt(world, webhook, delivery, number);
	if (status !== null && status >= 200 && status < 300) return;
	if (number > webhook.max_retries) return;
	world.clock.after(FIRST_PAUSE_SECONDS * 2 ** (number - 1), () => tryAgain(world, delivery, number + 1));
}

/** What an attempt sends where it is not what the webhook and the delivery say. */
export interface Altered {
	body?: string;
	signature?: string;
}

/** Sends once, now, and notes the attempt. Redirects are not followed. */
export async function attempt(
	world: World,
	webhook: Webhook,
	delivery: Delivery,
	number: number,
	altered: Altered = {},
): Promise<Attempt> {
	const at = new Date(world.clock.now()).toISOString();
	const started = performance.now();
	const outcome = await send(world, webhook, delivery, number, altered);
	const result = { attempt: number, ...outcome, duration_ms: Math.round(performance.now() - started) };
	world.deliveries.push({
		webhook_id: webhook.id,
		event: delivery.event,
		delivery_id: delivery.id,
		at,
		...result,
	});
	return result;
}

async function send(
	world: World,
	webhook: Webhook,
	delivery: Delivery,
	number: number,
	altered: Altered,
): Promise<{ status: number | null; error?: string }> {
	const request = new AbortController();
	let late = false;
	const deadline = setTimeout(() => {
		late = true;
		request.abort();
	}, webhook.timeout * 1000);
	world.sending.add(request);
	try {
		const response = await axios.request({
			method: webhook.http_method,
			url: webhook.webhook_url,
			data: Buffer.from(altered.body ?? delivery.body, 'utf8'),
			headers: headersOf(world, webhook, delivery, number, altered),
			signal: request.signal,
			responseType: 'text',
			maxRedirects: 0,
			maxBodyLength: Infinity,
			proxy: false,
			validateStatus: () => true,
		});
		return { status: response.status };
	} catch (error) {
		if (late) return { status: null, error: `no response within ${webhook.timeout} s` };
		return { status: null, error: axios.isAxiosError(error) ? (error.code ?? error.message) : String(error) };
	} finally {
		clearTimeout(deadline);
		world.sending.delete(request);
	}
}

function headersOf(
	world: World,
	webhook: Webhook,
	delivery: Delivery,
	number: number,
	altered: Altered,
): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const { key, value } of webhook.custom_headers) headers[key] = value;
	const { signatureFormat, signatureHeader } = world.options;
	const own: Record<string, string> = {
		'Content-Type': 'application/json',
		'User-Agent': 'voice-agent-calling-sandbox',
		'X-Webhook-Event': delivery.event,
		'X-Webhook-Delivery': delivery.id,
		'X-Webhook-Attempt': String(number),
	};
	if (webhook.webhook_secret !== null)
		own[signatureHeader] = altered.signature ?? sign(signatureFormat, webhook.webhook_secret, delivery.body);
	return { ...headers, ...own };
}

import axios from 'axios';

import { namedId } from '../../world/ids.mts';
import type { Delivery, DeliveryAttempt, Tamper, Webhook } from '../../world/webhook.mts';
import { STOPPED, type World } from '../../world/world.mts';
import { outgoing } from './outgoing.mts';

/** Sandbox seconds before the first retry; each further pause is twice as long. */
const FIRST_PAUSE_SECONDS = 10;
/** How much of a receiver's response the log keeps, in characters. */
const ANSWER_KEPT = 10_000;

/**
 * Delivers with retries: any 2xx within the webhook's timeout is a success; otherwise up to `max_retries` more attempts
 * follow after growing pauses of sandbox time. Each attempt uses the current settings of the webhook; a disabled or
 * deleted webhook gets no further attempts.
 */
export function deliverWithRetries(world: World, delivery: Delivery): void {
	world.clock.track(tryAgain(world, delivery, 1));
}

async function tryAgain(world: World, delivery: Delivery, number: number): Promise<void> {
	const webhook = world.webhooks.get(delivery.webhookId);
	if (!webhook?.enabled) {
		return;
	}
	const made = begin(world, delivery, number, true);
	await carryOut(world, webhook, made);
	if (made.status === 'failed') {
		repeat(world, webhook, made);
	}
}

/** Schedules another attempt after one that failed, if the webhook still allows one. */
function repeat(world: World, webhook: Webhook, made: DeliveryAttempt): void {
	const { number } = made;
	if (number > webhook.max_retries) {
		webhook.failing = true;
		return;
	}
	made.status = 'retrying';
	made.retryAt = world.clock.now() + FIRST_PAUSE_SECONDS * 2 ** (number - 1) * 1000;
	retryLater(world, made);
}

/** Schedules the attempt after one that is `retrying`. */
function retryLater(world: World, made: DeliveryAttempt): void {
	announceAttempt(world, made);
	world.clock.at(made.retryAt ?? 0, () => {
		made.status = 'failed';
		made.retryAt = null;
		announceAttempt(world, made);
		return tryAgain(world, made.delivery, made.number + 1);
	});
}

/** Resumes an attempt after its world was loaded: one that was under way has failed. */
export function resumeAttempt(world: World, made: DeliveryAttempt): void {
	if (made.status === 'retrying') {
		retryLater(world, made);
	}
	if (made.status === 'pending') {
		Object.assign(made, { status: 'failed', error: STOPPED, durationMs: 0 });
		const webhook = world.webhooks.get(made.delivery.webhookId);
		if (made.repeats && webhook) {
			repeat(world, webhook, made);
		}
	}
}

/**
 * Delivers while the caller waits: with as many attempts as `deliverWithRetries`, but without pauses.
 * @returns the last attempt
 */
export async function deliverAtOnce(world: World, webhook: Webhook, delivery: Delivery): Promise<DeliveryAttempt> {
	for (let number = 1; ; number += 1) {
		const made = await sendOnce(world, webhook, delivery, number);
		if (made.status === 'success' || world.ended) {
			return made;
		}
		if (number > webhook.max_retries) {
			webhook.failing = true;
			return made;
		}
	}
}

/** Makes one more attempt of a delivery in the background. @returns its log entry, before it is sent */
export function deliverAgain(world: World, webhook: Webhook, delivery: Delivery): DeliveryAttempt {
	const made = begin(world, delivery, nextNumber(world, delivery));
	world.clock.track(carryOut(world, webhook, made));
	return made;
}

/** The number of a delivery's next attempt. */
export function nextNumber(world: World, { id }: Delivery): number {
	const earlier = world.attempts.entries.filter(({ delivery }) => delivery.id === id);
	return Math.max(0, ...earlier.map(({ number }) => number)) + 1;
}

/** Makes one attempt; it is in the log from its start. Redirects are not followed. @param tamper what of it is altered */
export async function sendOnce(
	world: World,
	webhook: Webhook,
	delivery: Delivery,
	number: number,
	tamper: Tamper | null = null,
): Promise<DeliveryAttempt> {
	const made = begin(world, delivery, number);
	await carryOut(world, webhook, made, tamper);
	return made;
}

function begin(world: World, delivery: Delivery, number: number, repeats = false): DeliveryAttempt {
	const made: DeliveryAttempt = {
		id: namedId(world, `attempt ${number} of ${delivery.id} ${delivery.copy ?? ''}`),
		delivery,
		number,
		status: 'pending',
		httpStatus: null,
		responseBody: null,
		responseHeaders: null,
		error: null,
		durationMs: null,
		delivered: null,
		sent: null,
		repeats,
		retryAt: null,
		created: world.clock.now(),
	};
	world.attempts.add(made, delivery.body.length + 500);
	announceAttempt(world, made);
	return made;
}

function announceAttempt(world: World, { id, status, delivery, number, httpStatus }: DeliveryAttempt): void {
	const { event, webhookId: webhook_id, callId: call_id } = delivery;
	world.changes.publish({ type: 'delivery', id, status, event, webhook_id, call_id, number, http_status: httpStatus });
}

async function carryOut(
	world: World,
	webhook: Webhook,
	made: DeliveryAttempt,
	tamper: Tamper | null = null,
): Promise<void> {
	const started = performance.now();
	await send(world, webhook, made, tamper);
	made.durationMs = Math.round(performance.now() - started);
	const { httpStatus } = made;
	if (httpStatus !== null) {
		made.delivered = world.clock.now();
	}
	const taken = httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
	made.status = taken ? 'success' : 'failed';
	if (taken) {
		webhook.failing = false;
	}
	world.attempts.grow(made, made.responseBody?.length ?? 0);
	announceAttempt(world, made);
}

/** Sends, and stores the response or the error in the attempt. */
async function send(world: World, webhook: Webhook, made: DeliveryAttempt, tamper: Tamper | null): Promise<void> {
	const request = new AbortController();
	let late = false;
	const deadline = setTimeout(() => {
		late = true;
		request.abort();
	}, webhook.timeout * 1000);
	world.sending.add(request);
	const at = Date.now();
	const { url, headers, body } = outgoing(world, webhook, made, tamper, at);
	const { http_method: method } = webhook;
	const alteredBody = body === made.delivery.body ? null : body;
	made.sent = { method, url, headers, alteredBody, tampered: tamper === 'body', at };
	try {
		const response = await axios.request<string>({
			method,
			url,
			data: Buffer.from(body, 'utf8'),
			headers,
			signal: request.signal,
			responseType: 'text',
			maxRedirects: 0,
			maxBodyLength: Infinity,
			maxContentLength: RESPONSE_LIMIT,
			proxy: false,
			validateStatus: () => true,
		});
		made.httpStatus = response.status;
		made.responseBody = response.data.slice(0, ANSWER_KEPT);
		made.responseHeaders = Object.fromEntries(
			Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
		);
	} catch (error) {
		if (late) {
			made.error = `no response within ${webhook.timeout} s`;
		} else if (isTooLarge(error)) {
			made.error = 'the response is larger than 10 MB';
		} else {
			made.error = axios.isAxiosError(error) ? (error.code ?? error.message) : String(error);
		}
	} finally {
		clearTimeout(deadline);
		world.sending.delete(request);
	}
}

/** Largest response of a receiver, in bytes: it is read into memory. */
export const RESPONSE_LIMIT = 10 * 1024 * 1024;

/** Whether a request of axios with this limit has failed because the response was larger. */
export function isTooLarge(error: unknown): boolean {
	return axios.isAxiosError(error) && error.message.startsWith('maxContentLength');
}

import axios from 'axios';

import { namedId } from '../../world/ids.mts';
import type { Delivery, DeliveryAttempt, Tamper, Webhook } from '../../world/webhook.mts';
import { STOPPED, type World } from '../../world/world.mts';
import { outgoing } from './outgoing.mts';

/** Sandbox seconds before the first retry; each further pause is twice as long. */
const FIRST_PAUSE_SECONDS = 10;
/** How much of a receiver's response the log keeps, in characters. */
const RESPONSE_KEPT = 10_000;

/**
 * Delivers with retries. Any 2xx within the webhook's timeout is a success. Otherwise up to `max_retries` attempts
 * follow, after growing pauses of sandbox time. Each attempt uses the current settings of the webhook. A disabled or
 * deleted webhook receives no further attempts.
 */
export function deliverWithRetries(world: World, delivery: Delivery): void {
	world.clock.track(makeAttempt(world, delivery, 1));
}

async function makeAttempt(world: World, delivery: Delivery, number: number): Promise<void> {
	const webhook = world.webhooks.get(delivery.webhookId);
	if (!webhook?.enabled) {
		return;
	}
	const attempt = begin(world, delivery, number, true);
	await carryOut(world, webhook, attempt);
	if (attempt.status === 'failed') {
		repeat(world, webhook, attempt);
	}
}

/** Schedules the next attempt after a failed one, unless the webhook's retries are used up. */
function repeat(world: World, webhook: Webhook, attempt: DeliveryAttempt): void {
	const { number } = attempt;
	if (number > webhook.max_retries) {
		webhook.failing = true;
		return;
	}
	attempt.status = 'retrying';
	attempt.retryAt = world.clock.now() + FIRST_PAUSE_SECONDS * 2 ** (number - 1) * 1000;
	retryLater(world, attempt);
}

/** Schedules the attempt that follows a `retrying` one. */
function retryLater(world: World, attempt: DeliveryAttempt): void {
	announceAttempt(world, attempt);
	world.clock.at(attempt.retryAt ?? 0, () => {
		attempt.status = 'failed';
		attempt.retryAt = null;
		announceAttempt(world, attempt);
		return makeAttempt(world, attempt.delivery, attempt.number + 1);
	});
}

/** Resumes an attempt after its world was loaded. An attempt that was in progress has failed. */
export function resumeAttempt(world: World, attempt: DeliveryAttempt): void {
	if (attempt.status === 'retrying') {
		retryLater(world, attempt);
	}
	if (attempt.status === 'pending') {
		Object.assign(attempt, { status: 'failed', error: STOPPED, durationMs: 0 });
		const webhook = world.webhooks.get(attempt.delivery.webhookId);
		if (attempt.repeats && webhook) {
			repeat(world, webhook, attempt);
		}
	}
}

/**
 * Delivers while the caller waits, with as many attempts as `deliverWithRetries` but without pauses.
 * @returns the last attempt
 */
export async function deliverAtOnce(world: World, webhook: Webhook, delivery: Delivery): Promise<DeliveryAttempt> {
	for (let number = 1; ; number += 1) {
		const attempt = await sendOnce(world, webhook, delivery, number);
		if (attempt.status === 'success' || world.ended) {
			return attempt;
		}
		if (number > webhook.max_retries) {
			webhook.failing = true;
			return attempt;
		}
	}
}

/** Makes one more attempt in the background. @returns its log entry, before the attempt is sent */
export function deliverAgain(world: World, webhook: Webhook, delivery: Delivery): DeliveryAttempt {
	const attempt = begin(world, delivery, nextNumber(world, delivery));
	world.clock.track(carryOut(world, webhook, attempt));
	return attempt;
}

/** Returns the number of a delivery's next attempt. */
export function nextNumber(world: World, { id }: Delivery): number {
	const earlier = world.attempts.entries.filter(({ delivery }) => delivery.id === id);
	return Math.max(0, ...earlier.map(({ number }) => number)) + 1;
}

/** Makes one attempt, which is logged from its start. Redirects are not followed. @param tamper what is falsified */
export async function sendOnce(
	world: World,
	webhook: Webhook,
	delivery: Delivery,
	number: number,
	tamper: Tamper | null = null,
): Promise<DeliveryAttempt> {
	const attempt = begin(world, delivery, number);
	await carryOut(world, webhook, attempt, tamper);
	return attempt;
}

function begin(world: World, delivery: Delivery, number: number, repeats = false): DeliveryAttempt {
	const attempt: DeliveryAttempt = {
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
	world.attempts.add(attempt, delivery.body.length + 500);
	announceAttempt(world, attempt);
	return attempt;
}

function announceAttempt(world: World, { id, status, delivery, number, httpStatus }: DeliveryAttempt): void {
	const { event, webhookId: webhook_id, callId: call_id } = delivery;
	world.changes.publish({ type: 'delivery', id, status, event, webhook_id, call_id, number, http_status: httpStatus });
}

async function carryOut(
	world: World,
	webhook: Webhook,
	attempt: DeliveryAttempt,
	tamper: Tamper | null = null,
): Promise<void> {
	const started = performance.now();
	await send(world, webhook, attempt, tamper);
	attempt.durationMs = Math.round(performance.now() - started);
	const { httpStatus } = attempt;
	if (httpStatus !== null) {
		attempt.delivered = world.clock.now();
	}
	const taken = httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
	attempt.status = taken ? 'success' : 'failed';
	if (taken) {
		webhook.failing = false;
	}
	world.attempts.grow(attempt, attempt.responseBody?.length ?? 0);
	announceAttempt(world, attempt);
}

/** Sends an attempt, and stores the response or the error in it. */
async function send(world: World, webhook: Webhook, attempt: DeliveryAttempt, tamper: Tamper | null): Promise<void> {
	const request = new AbortController();
	let late = false;
	const deadline = setTimeout(() => {
		late = true;
		request.abort();
	}, webhook.timeout * 1000);
	world.sending.add(request);
	const at = Date.now();
	const { url, headers, body } = outgoing(world, webhook, attempt, tamper, at);
	const { http_method: method } = webhook;
	const alteredBody = body === attempt.delivery.body ? null : body;
	attempt.sent = { method, url, headers, alteredBody, tampered: tamper === 'body', at };
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
		attempt.httpStatus = response.status;
		attempt.responseBody = response.data.slice(0, RESPONSE_KEPT);
		attempt.responseHeaders = Object.fromEntries(
			Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
		);
	} catch (error) {
		if (late) {
			attempt.error = `no response within ${webhook.timeout} s`;
		} else if (isTooLarge(error)) {
			attempt.error = 'the response is larger than 10 MB';
		} else {
			attempt.error = axios.isAxiosError(error) ? (error.code ?? error.message) : String(error);
		}
	} finally {
		clearTimeout(deadline);
		world.sending.delete(request);
	}
}

/** The largest response in bytes. Responses are read into memory. */
export const RESPONSE_LIMIT = 10 * 1024 * 1024;

/** Whether an axios request with this limit failed because the response was larger. */
export function isTooLarge(error: unknown): boolean {
	return axios.isAxiosError(error) && error.message.startsWith('maxContentLength');
}

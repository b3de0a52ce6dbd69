import { timingSafeEqual } from 'node:crypto';

import { signatureOf } from '../engine/deliveries/outgoing.mts';
import { hmac } from '../engine/deliveries/signature.mts';
import type { DeliveryAttempt, SentDelivery, Webhook } from '../world/webhook.mts';
import type { World } from '../world/world.mts';

/** The most that a signed timestamp may differ from the real time, in seconds. */
const WINDOW_SECONDS = 300;

/** One step of the check: whether it passed, and the details. */
interface Step {
	step: 'sent' | 'body' | 'secret' | 'header' | 'format' | 'signature' | 'timestamp' | 'duplicate';
	ok: boolean;
	detail: string;
}

/** Whether a receiver that checks everything would accept a delivery, and the steps up to the first failure. */
interface Verdict {
	accepted: boolean;
	/** The step that failed; null if all steps passed. */
	failed: Step['step'] | null;
	steps: Step[];
}

interface Signed {
	mac: Buffer;
	form: string;
	timestamp: string | undefined;
}

/**
 * Checks an attempt as a careful receiver would: the form of the body, its signature with the webhook's current
 * secret, the age of a signed timestamp compared with the present real time, and whether the event was accepted before.
 */
export function verify(world: World, attempt: DeliveryAttempt): Verdict {
	const steps: Step[] = [];
	for (const step of check(world, attempt)) {
		steps.push(step);
		if (!step.ok) {
			return { accepted: false, failed: step.step, steps };
		}
	}
	return { accepted: true, failed: null, steps };
}

function* check(world: World, attempt: DeliveryAttempt): Generator<Step> {
	const { sent, delivery } = attempt;
	if (!sent) {
		yield { step: 'sent', ok: false, detail: 'It was not sent yet.' };
		return;
	}
	yield { step: 'sent', ok: true, detail: `${sent.method} ${sent.url} at ${new Date(sent.at).toISOString()}.` };
	const body = sent.alteredBody ?? delivery.body;
	yield isObject(body)
		? { step: 'body', ok: true, detail: `A JSON object of ${Buffer.byteLength(body)} bytes.` }
		: { step: 'body', ok: false, detail: 'The body is not a JSON object.' };

	const webhook = world.webhooks.get(delivery.webhookId);
	yield secretStep(webhook);
	const secret = webhook?.webhook_secret ?? '';

	if (world.variants.some((variant) => variant.sign !== undefined)) {
		yield variantStep(world, secret, body, attempt);
		yield duplicateStep(world, attempt);
		return;
	}
	const { signatureHeader } = world.options;
	const value = headerOf(sent, signatureHeader);
	yield value === undefined
		? { step: 'header', ok: false, detail: `There is no header ${signatureHeader}.` }
		: { step: 'header', ok: true, detail: `${signatureHeader}: ${value}` };
	const signed = readSignature(value ?? '');
	if (!signed) {
		yield { step: 'format', ok: false, detail: 'The value is none of hex, sha256=hex, base64 and t=…,v1=….' };
		return;
	}
	yield { step: 'format', ok: true, detail: `The value has the form ${signed.form}.` };
	yield signatureStep(secret, body, signed, sent);
	if (signed.timestamp !== undefined) {
		yield timestampStep(Number(signed.timestamp));
	} else {
		yield { step: 'timestamp', ok: true, detail: 'The signature has no timestamp: its age cannot be checked.' };
	}
	yield duplicateStep(world, attempt);
}

function secretStep(webhook: Webhook | undefined): Step {
	if (!webhook) {
		return { step: 'secret', ok: false, detail: 'The webhook is deleted: no secret is known.' };
	}
	return webhook.webhook_secret === null
		? { step: 'secret', ok: false, detail: 'The webhook has no signing secret: anybody could have sent this.' }
		: { step: 'secret', ok: true, detail: 'The webhook has a signing secret.' };
}

function signatureStep(secret: string, body: string, { mac, timestamp }: Signed, sent: SentDelivery): Step {
	const over = timestamp === undefined ? 'the body' : '<timestamp>.<body>';
	const text = timestamp === undefined ? body : `${timestamp}.${body}`;
	const wanted = hmac(secret, text);
	if (timingSafeEqual(wanted, mac)) {
		return { step: 'signature', ok: true, detail: `It is the HMAC-SHA256 of ${over} with the webhook's secret.` };
	}
	const why = sent.tampered ? 'an altered body' : 'another secret or an altered signature';
	return {
		step: 'signature',
		ok: false,
		detail: `It is not the HMAC-SHA256 of ${over} with the webhook's present secret: ${why}.`,
	};
}

/** Signs the body again with the variant, for the same moment. */
function variantStep(world: World, secret: string, body: string, { delivery, sent }: DeliveryAttempt): Step {
	const wanted = Object.entries(signatureOf(world, { secret, body, id: delivery.id, now: sent?.at ?? 0 }));
	const ok = wanted.every(([name, value]) => sent !== null && headerOf(sent, name) === value);
	const names = wanted.map(([name]) => name).join(', ');
	return {
		step: 'signature',
		ok,
		detail: `${names}: ${ok ? 'as' : 'not as'} the chosen variant signs with the secret.`,
	};
}

function timestampStep(timestamp: number): Step {
	const ageMs = Date.now() - (timestamp > 1e11 ? timestamp : timestamp * 1000);
	const age = Math.abs(ageMs / 1000).toFixed(1);
	const far = ageMs < 0 ? `${age} s in the future` : `${age} s old`;
	const ok = Math.abs(ageMs) <= WINDOW_SECONDS * 1000;
	const limit = `${ok ? 'within' : 'outside'} the window of ${WINDOW_SECONDS} s`;
	return { step: 'timestamp', ok, detail: `The signature is ${far}: ${limit}.` };
}

function duplicateStep(world: World, attempt: DeliveryAttempt): Step {
	const earlier = world.attempts.entries.find(
		(other) =>
			other !== attempt &&
			other.delivery.id === attempt.delivery.id &&
			other.status === 'success' &&
			isBefore(other, attempt),
	);
	return earlier
		? {
				step: 'duplicate',
				ok: false,
				detail: `The event was accepted before, with the attempt ${earlier.number} (${earlier.id}): it is not handled twice.`,
			}
		: { step: 'duplicate', ok: true, detail: 'No earlier attempt of this event was accepted.' };
}

function isBefore(one: DeliveryAttempt, other: DeliveryAttempt): boolean {
	const [at, otherAt] = [one.sent?.at ?? 0, other.sent?.at ?? 0];
	return at === otherAt ? one.number < other.number : at < otherAt;
}

function headerOf({ headers }: SentDelivery, wanted: string): string | undefined {
	return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1];
}

function readSignature(value: string): Signed | undefined {
	const timed = /^t=(\d{10}|\d{13}),v1=([0-9a-f]{64})$/i.exec(value);
	if (timed) {
		return { mac: Buffer.from(timed[2]!, 'hex'), form: 't=…,v1=…', timestamp: timed[1] };
	}
	const hex = /^(sha256=)?([0-9a-f]{64})$/i.exec(value);
	if (hex) {
		return { mac: Buffer.from(hex[2]!, 'hex'), form: hex[1] ? 'sha256=hex' : 'hex', timestamp: undefined };
	}
	if (/^[A-Za-z0-9+/]{43}=$/.test(value)) {
		return { mac: Buffer.from(value, 'base64'), form: 'base64', timestamp: undefined };
	}
	return undefined;
}

function isObject(text: string): boolean {
	try {
		const value = JSON.parse(text) as unknown;
		return value !== null && typeof value === 'object' && !Array.isArray(value);
	} catch {
		return false;
	}
}

import type { Signing, WireDelivery, WireFields } from '../../world/variant.mts';
import type { DeliveryAttempt, Tamper, Webhook } from '../../world/webhook.mts';
import type { World } from '../../world/world.mts';
import { mergeHeaders } from './headers.mts';
import { sign } from './signature.mts';

/** The request of an attempt. */
interface Outgoing {
	url: string;
	headers: Record<string, string>;
	body: string;
}

/**
 * Builds the request of an attempt, with the changes of the variants.
 * @param tamper what is altered after signing
 * @param now the real time, in milliseconds since 1970
 */
export function outgoing(
	world: World,
	webhook: Webhook,
	{ delivery, number }: DeliveryAttempt,
	tamper: Tamper | null,
	now: number,
): Outgoing {
	const wire: WireDelivery = {
		url: webhook.webhook_url,
		body: reshaped(world, delivery.body, number),
		headers: {
			'Content-Type': 'application/json',
			'User-Agent': 'voice-agent-calling-sandbox',
			'X-Webhook-Event': delivery.event,
			'X-Webhook-Delivery': delivery.id,
			'X-Webhook-Attempt': String(number),
		},
		event: delivery.event,
		number,
		get earlier() {
			return earlierBodies(world, webhook, delivery.id).map((body) => reshaped(world, body, 1));
		},
	};
	for (const variant of world.variants) {
		variant.delivery?.(wire);
	}
	const { url, body, headers } = wire;
	const { webhook_secret: secret } = webhook;
	if (secret !== null) {
		const key = tamper === 'secret' ? `${secret} but another` : secret;
		const signed = signatureOf(world, { secret: key, body, id: delivery.id, now });
		Object.assign(headers, tamper === 'signature' ? mapped(signed, swapOne) : signed);
	}
	const custom = Object.fromEntries(webhook.custom_headers.map(({ key, value }) => [key, value]));
	return { url, headers: mergeHeaders(custom, headers), body: tamper === 'body' ? withMore(body) : body };
}

/** Returns the signature headers: of the last variant with its own form, or else by the options. */
export function signatureOf(world: World, signing: Signing): Record<string, string> {
	const { signatureFormat, signatureHeader } = world.options;
	const by = world.variants.findLast((variant) => variant.sign !== undefined);
	return by?.sign?.(signing) ?? { [signatureHeader]: sign(signatureFormat, signing.secret, signing.body) };
}

/** Returns the body of an event with the changes of the variants; without changes, the same bytes. */
function reshaped(world: World, body: string, attempt: number): string {
	const reshaping = world.variants.filter((variant) => variant.event !== undefined);
	if (reshaping.length === 0) {
		return body;
	}
	const event = JSON.parse(body) as WireFields;
	return JSON.stringify(reshaping.reduce((shaped, variant) => variant.event?.(shaped, attempt) ?? shaped, event));
}

/** Returns the bodies of a webhook's deliveries before the given one, oldest first. */
function earlierBodies({ attempts }: World, webhook: Webhook, id: string): string[] {
	const bodies = new Map<string, string>();
	for (const { delivery } of attempts.entries) {
		if (delivery.id === id) {
			break;
		}
		if (delivery.webhookId === webhook.id) {
			bodies.set(delivery.id, delivery.body);
		}
	}
	return [...bodies.values()];
}

function mapped(headers: Record<string, string>, change: (value: string) => string): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]));
}

/** Changes one character of each signature, before its padding. Length and alphabet stay the same. */
function swapOne(value: string): string {
	return value.replace(/[\w+/-]{40,}/g, (signature) => {
		const index = signature.length - 5;
		return `${signature.slice(0, index)}${signature[index] === '0' ? '1' : '0'}${signature.slice(index + 1)}`;
	});
}

/** Appends a field or an item to JSON. */
function withMore(body: string): string {
	return `${body.slice(0, -1)},${body.endsWith(']') ? '{"altered":true}]' : '"altered":true}'}`;
}

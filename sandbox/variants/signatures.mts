import { hmac } from '../engine/deliveries/signature.mts';
import type { Variant } from '../world/variant.mts';

/** How a delivery proves where it comes from. */
export const signatures: Variant[] = [
	{
		name: 'signature-standard-webhooks',
		question: 'Signature',
		does: 'signs as the Standard Webhooks do: `webhook-id`, `webhook-timestamp`, and `v1,` with the base64 of `id.timestamp.body`',
		sign({ secret, body, id, now }) {
			const timestamp = String(Math.floor(now / 1000));
			const signature = hmac(secret, `${id}.${timestamp}.${body}`).toString('base64');
			return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
		},
	},
];

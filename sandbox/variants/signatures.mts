import { hmac } from '../engine/deliveries/signature.mts';
import type { Signing } from '../world/variant.mts';
import type { Entry } from './entry.mts';

type Sign = (signing: Signing) => Record<string, string>;

const hex = ({ secret, body }: Signing) => hmac(secret, body).toString('hex');
const seconds = ({ now }: Signing) => String(Math.floor(now / 1000));
/** In hex, over the time in seconds, a dot and the body. */
const timed = (signing: Signing) => hmac(signing.secret, `${seconds(signing)}.${signing.body}`).toString('hex');
/** As the Standard Webhooks sign: in base64, over the ID, the time in seconds and the body, with dots between. */
const standard = (signing: Signing) => {
	const { secret, body, id } = signing;
	return `v1,${hmac(secret, `${id}.${seconds(signing)}.${body}`).toString('base64')}`;
};
/** A signature that does not fit: by a secret that was replaced. */
const former = (signing: Signing): Signing => ({ ...signing, secret: `${signing.secret} before` });

/** Variants with the header, the form in words, and what signs. */
const forms: Array<[name: string, does: string, sign: Sign]> = [
	['header-x-signature', 'signs in hex in `X-Signature`', (made) => ({ 'X-Signature': hex(made) })],
	['header-signature', 'signs in hex in `Signature`', (made) => ({ Signature: hex(made) })],
	['header-x-hmac', 'signs in hex in `X-Hmac-Sha256`', (made) => ({ 'X-Hmac-Sha256': hex(made) })],
	[
		'header-x-hub-signature-256',
		'signs in `X-Hub-Signature-256`, as `sha256=` and hex',
		(made) => ({ 'X-Hub-Signature-256': `sha256=${hex(made)}` }),
	],
	[
		'header-x-webhook-signature-256',
		'signs in hex in `X-Webhook-Signature-256`',
		(made) => ({ 'X-Webhook-Signature-256': hex(made) }),
	],
	['upper-case', 'signs in hex with capital letters', (made) => ({ 'X-Webhook-Signature': hex(made).toUpperCase() })],
	[
		'base64url',
		'signs in base64url',
		({ secret, body }) => ({ 'X-Webhook-Signature': hmac(secret, body).toString('base64url') }),
	],
	[
		'sha256-upper-case',
		'signs as `SHA256=` and hex with capital letters',
		(made) => ({ 'X-Webhook-Signature': `SHA256=${hex(made).toUpperCase()}` }),
	],
	[
		'sha256-base64',
		'signs as `sha256=` and base64',
		({ secret, body }) => ({ 'X-Webhook-Signature': `sha256=${hmac(secret, body).toString('base64')}` }),
	],
	[
		'timestamp-header',
		'signs in hex over `timestamp.body`, with the time in seconds in `X-Webhook-Timestamp`',
		(made) => ({ 'X-Webhook-Timestamp': seconds(made), 'X-Webhook-Signature': timed(made) }),
	],
	[
		'timestamp-header-milliseconds',
		'signs in hex over `timestamp.body`, with the time in milliseconds in `X-Webhook-Timestamp`',
		({ secret, body, now }) => ({
			'X-Webhook-Timestamp': String(now),
			'X-Webhook-Signature': hmac(secret, `${now}.${body}`).toString('hex'),
		}),
	],
	[
		'timestamp-with-spaces',
		'signs as `t=…, v1=…`, with a space after the comma',
		(made) => ({ 'X-Webhook-Signature': `t=${seconds(made)}, v1=${timed(made)}` }),
	],
	[
		'v0-with-colons',
		'signs as `v0=` and hex over `v0:timestamp:body`, with the time in `X-Request-Timestamp`',
		(made) => ({
			'X-Request-Timestamp': seconds(made),
			'X-Webhook-Signature': `v0=${hmac(made.secret, `v0:${seconds(made)}:${made.body}`).toString('hex')}`,
		}),
	],
	[
		'v-and-d',
		'signs as `v=…,d=…`: the time in milliseconds, and hex over body and time',
		({ secret, body, now }) => ({
			'X-Webhook-Signature': `v=${now},d=${hmac(secret, `${body}${now}`).toString('hex')}`,
		}),
	],
	[
		'standard-webhooks',
		'signs as the Standard Webhooks do: `webhook-id`, `webhook-timestamp`, and `v1,` with the base64 of `id.timestamp.body`',
		(made) => ({
			'webhook-id': made.id,
			'webhook-timestamp': seconds(made),
			'webhook-signature': standard(made),
		}),
	],
	[
		'svix',
		'signs as the Standard Webhooks do, in `svix-id`, `svix-timestamp` and `svix-signature`',
		(made) => ({ 'svix-id': made.id, 'svix-timestamp': seconds(made), 'svix-signature': standard(made) }),
	],
	[
		'standard-webhooks-two',
		'signs as the Standard Webhooks do, with two signatures and a space between: by a former secret and by this one',
		(made) => ({
			'webhook-id': made.id,
			'webhook-timestamp': seconds(made),
			'webhook-signature': `${standard(former(made))} ${standard(made)}`,
		}),
	],
	[
		'two-with-comma',
		'signs as `t=…,v1=…,v1=…`: by a former secret and by this one',
		(made) => ({ 'X-Webhook-Signature': `t=${seconds(made)},v1=${timed(former(made))},v1=${timed(made)}` }),
	],
	[
		'two-in-hex',
		'signs in hex twice, with a comma and a space between: by a former secret and by this one',
		(made) => ({ 'X-Webhook-Signature': `${hex(former(made))}, ${hex(made)}` }),
	],
];

/** How a delivery proves where it comes from. */
export const signatures: Entry[] = [
	{
		name: 'signature-sha256',
		question: 'Signature',
		does: 'signs as `sha256=` and hex',
		options: { signatureFormat: 'sha256=hex' },
	},
	{ name: 'signature-base64', question: 'Signature', does: 'signs in base64', options: { signatureFormat: 'base64' } },
	{
		name: 'signature-timestamp',
		question: 'Signature',
		does: 'signs as `t=…,v1=…`: hex over `timestamp.body`',
		options: { signatureFormat: 't,v1' },
	},
	...forms.map(([name, does, sign]): Entry => ({ name: `signature-${name}`, question: 'Signature', does, sign })),
];

import { hmac } from '../engine/deliveries/signature.mts';
import type { Signing, Variant } from '../world/variant.mts';
import { about, type Change } from './shapes.mts';

const hex = ({ secret, body }: Signing) => hmac(secret, body).toString('hex');
const seconds = ({ now }: Signing) => String(Math.floor(now / 1000));

/** Signs by the Standard Webhooks specification: in base64, over `<id>.<seconds>.<body>`. */
const standard = (signing: Signing) => {
	const { secret, body, id } = signing;
	return `v1,${hmac(secret, `${id}.${seconds(signing)}.${body}`).toString('base64')}`;
};
const standardHeaders = (signing: Signing, signature: string) => ({
	'webhook-id': signing.id,
	'webhook-timestamp': seconds(signing),
	'webhook-signature': signature,
});

/** Signs with its own headers. */
const form = (does: string, sign: (signing: Signing) => Record<string, string>): Change => ({ does, sign });

/** The signatures of deliveries. */
export const signatures: Variant[] = about('Signature', {
	'signature-sha256': { does: 'signs as `sha256=` and hex', options: { signatureFormat: 'sha256=hex' } },
	'signature-header-x-hub-signature-256': form('signs in `X-Hub-Signature-256`, as `sha256=` and hex', (signing) => ({
		'X-Hub-Signature-256': `sha256=${hex(signing)}`,
	})),
	'signature-timestamp-header': form(
		'signs in hex over `timestamp.body`, with the time in seconds in `X-Webhook-Timestamp`',
		(signing) => ({
			'X-Webhook-Timestamp': seconds(signing),
			'X-Webhook-Signature': hex({ ...signing, body: `${seconds(signing)}.${signing.body}` }),
		}),
	),
	'signature-v0-with-colons': form(
		'signs as `v0=` and hex over `v0:timestamp:body`, with the time in `X-Request-Timestamp`',
		(signing) => ({
			'X-Request-Timestamp': seconds(signing),
			'X-Webhook-Signature': `v0=${hex({ ...signing, body: `v0:${seconds(signing)}:${signing.body}` })}`,
		}),
	),
	'signature-v-and-d': form('signs as `v=…,d=…`: the time in milliseconds, and hex over body and time', (signing) => ({
		'X-Webhook-Signature': `v=${signing.now},d=${hex({ ...signing, body: `${signing.body}${signing.now}` })}`,
	})),
	'signature-standard-webhooks': form(
		'signs by the Standard Webhooks specification: `webhook-id`, `webhook-timestamp`, and `v1,` with the base64 of `id.timestamp.body`',
		(signing) => standardHeaders(signing, standard(signing)),
	),
	'signature-svix': form(
		'signs by the Standard Webhooks specification, in `svix-id`, `svix-timestamp` and `svix-signature`',
		(signing) => ({
			'svix-id': signing.id,
			'svix-timestamp': seconds(signing),
			'svix-signature': standard(signing),
		}),
	),
	'signature-standard-webhooks-two': form(
		'signs by the Standard Webhooks specification, with two signatures and a space between: by a former secret and by this one',
		(signing) => {
			const former = standard({ ...signing, secret: `${signing.secret} before` });
			return standardHeaders(signing, `${former} ${standard(signing)}`);
		},
	),
});

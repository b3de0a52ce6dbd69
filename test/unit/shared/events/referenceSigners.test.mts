import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';

import { verifySignature } from '../../../../nodes/shared/events/signature.ts';
import { deliverySecret } from '../../../../nodes/shared/triggerSecrets/deliverySecret.ts';
import fc from '../../../fastCheck.mts';

const now = Date.UTC(2026, 0, 15, 12);

/** Secrets of the trigger. */
const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((key) => {
	const target = { url: 'https://n8n.example/webhook/1/webhook', isTest: false };
	return deliverySecret({ secrets: Buffer.from(key) }, target, { ownerType: 'campaign', ownerId: 'c-1' }, 1);
});
const bodies = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
const ids = fc.stringMatching(/^msg_[0-9A-Za-z]{27}$/);

/** What a service gives a library of Standard Webhooks as its secret. */
const uses: Record<string, (secret: string) => string> = {
	'the secret as it is, which the library decodes': (secret) => secret,
	'the secret as it is, marked as base64': (secret) => `whsec_${secret}`,
	'the text of the secret in base64': (secret) => Buffer.from(secret).toString('base64'),
};
const signers = {
	standardwebhooks: (secret: string) => new StandardWebhook(secret),
	svix: (secret: string) => new SvixWebhook(secret),
};

describe.each(Object.keys(signers) as Array<keyof typeof signers>)('The signer %s', (signer) => {
	test.each(Object.keys(uses))('is accepted with %s, and nothing that is altered', (use) => {
		fc.assert(
			fc.property(secrets, bodies, ids, bodies, ids, fc.integer({ min: -301, max: 301 }), (secret, ...made) => {
				const [body, id, otherBody, otherId, late] = made;
				const prefix = signer === 'svix' ? 'svix' : 'webhook';
				const signature = signers[signer](uses[use]?.(secret) ?? '').sign(id, new Date(now), body);
				const headers = {
					[`${prefix}-id`]: id,
					[`${prefix}-timestamp`]: `${now / 1000}`,
					[`${prefix}-signature`]: signature,
				};
				const check = (changes: object, raw = body, at = now) =>
					verifySignature({ rawBody: Buffer.from(raw), headers: { ...headers, ...changes }, now: at }, [{ secret }])
						.authentic;
				expect(check({})).toBe(true);
				expect(check({}, body, now + late * 1000)).toBe(Math.abs(late) <= 300);
				expect(check({ [`${prefix}-signature`]: `v1,${'A'.repeat(43)}= ${signature}` })).toBe(true);
				expect(check({ [`${prefix}-timestamp`]: `${now / 1000 + 1}` })).toBe(false);
				expect(check({ [`${prefix}-id`]: otherId })).toBe(otherId === id);
				expect(check({}, otherBody)).toBe(otherBody === body);
			}),
			{ numRuns: 30 },
		);
	});
});

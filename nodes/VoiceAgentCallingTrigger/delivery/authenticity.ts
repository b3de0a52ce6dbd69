import { timingSafeEqual } from 'node:crypto';

import { WRONG_HEADER } from '../../shared/deliveries/adviceOnRefusal';
import { type Headers, NO_SIGNATURE, verifySignature, WRONG_SIGNATURE } from '../../shared/deliveries/signature';
import { deliverySecret, SECRET_HEADER } from '../../shared/nodeLink/deliverySecret';
import { isSameOwner, type Owner, type VerifyBy } from '../../shared/nodeLink/owner';
import { readSettings } from '../parameters/settings';
import { lastWebhooks } from '../registration/hints';
import type { Incoming } from './incoming';
import { tryKeys } from './knownKeys';
import { acceptedGenerations, askWhetherReplaced } from './listedGenerations';
import { withOtherWay } from './unknownForm';

/** Whose event a delivery is, with the ID that is signed with it if there is one; or why it is not authentic. */
type Verdict = { owner: Owner; signedId?: string } | { refused: string };

/** The node's options that say how deliveries are verified. */
export interface VerifyOptions {
	verifyBy?: VerifyBy;
	/** The only header in which a signature counts; absent: every header. */
	signatureHeader?: string;
}

/** The reason for a signature by a secret that was replaced more than an hour ago. */
const REPLACED = 'its signing secret was replaced, or its webhook leads here no more';

/** More than any event has. */
const LARGE_BYTES = 1_000_000;

const UNNAMED = 'its URL does not name one campaign or agent';

interface Secret {
	secret: string;
	generation: number;
}

/** The result of checking a delivery; for a right one, `key` says which generation of the secret made it so. */
type SecretCheck = { authentic: true; key: Secret; signedId?: string } | { authentic: false; reason: string };

/** Checks a delivery by the secrets of an owner of some generations. */
type SecretChecker = (owner: Owner, generations: readonly number[]) => Promise<SecretCheck>;

/** Checks that a delivery has the header with a secret. Its signature does not count. */
function checkHeader(headers: Headers, secrets: readonly Secret[]): SecretCheck {
	const given = Buffer.from(String(headers[SECRET_HEADER.toLowerCase()]));
	const isGiven = (secret: Buffer) => given.length === secret.length && timingSafeEqual(given, secret);
	const key = secrets.find(({ secret }) => isGiven(Buffer.from(secret)));
	return key === undefined ? { authentic: false, reason: WRONG_HEADER } : { authentic: true, key };
}

/**
 * Checks that a delivery comes from the service: it is signed with the secret of the owner and of a generation that its
 * URL names, or has the header with such a secret, and that secret was not replaced.
 */
export async function verifyDelivery(incoming: Incoming, options: VerifyOptions): Promise<Verdict> {
	const { caller, owner, generations, rawBody, headers } = incoming;
	const { verifyBy = 'signature', signatureHeader } = options;
	const delivery = { rawBody, headers, now: Date.now(), signatureHeader };
	const check = (secrets: Secret[]): SecretCheck =>
		verifyBy === 'header' ? checkHeader(headers, secrets) : verifySignature(delivery, secrets);
	const wrong = verifyBy === 'header' ? WRONG_HEADER : WRONG_SIGNATURE;
	const checkBy: SecretChecker = async (of, ofGenerations) => {
		const fitting = await tryKeys(caller, (keys) => {
			const secrets = ofGenerations.map((generation) => ({
				generation,
				secret: deliverySecret(keys, incoming, of, generation, verifyBy),
			}));
			const result = check(secrets);
			return result.authentic || result.reason !== wrong ? result : undefined;
		});
		const result: SecretCheck = fitting ?? { authentic: false, reason: wrong };
		const mayBeOtherForm = !result.authentic && [NO_SIGNATURE, WRONG_SIGNATURE].includes(result.reason);
		return mayBeOtherForm ? { ...result, reason: withOtherWay(result.reason, delivery) } : result;
	};
	if (owner === undefined || generations === undefined) {
		return await verifyUnnamed(incoming, checkBy);
	}
	// After a rotation, the service may repeat a delivery at the new URL with its old signature. A large body is not tried
	// with more than one secret: anybody can send one.
	const formers = rawBody.length > LARGE_BYTES ? [] : generations.formers;
	const result = await checkBy(owner, [generations.current, ...formers]);
	if (!result.authentic) {
		return { refused: result.reason };
	}
	return (await askWhetherReplaced(incoming, owner, result.key.generation))
		? { refused: REPLACED }
		: { owner, signedId: result.signedId };
}

/**
 * Checks a delivery whose URL does not name the owner or the generation, because the service has dropped the query. Its
 * owner can be one that is chosen in the trigger: the named one, or the only one.
 */
async function verifyUnnamed(incoming: Incoming, checkBy: SecretChecker): Promise<Verdict> {
	const { caller, owner: named, isTest } = incoming;
	const { chosen } = await readSettings(caller, '');
	const [owner, ...others] = chosen.filter((one) => named === undefined || isSameOwner(one, named));
	if (owner === undefined || others.length > 0) {
		return { refused: UNNAMED };
	}
	// A test run is over in minutes, and what is listed for the production URL is not its own.
	const listed = isTest ? undefined : await acceptedGenerations(incoming, owner);
	// The service may have stored the URL without its query.
	const stored = lastWebhooks(caller).filter((webhook) => isSameOwner(webhook, owner));
	const result = await checkBy(owner, listed ?? stored.map(({ current }) => current));
	return result.authentic
		? { owner, signedId: result.signedId }
		: { refused: named === undefined ? UNNAMED : result.reason };
}

// Decides whether a delivery is authentic. It is if a secret of its owner has signed it (shared/events/signature.ts), or
// is in its secret header, and if the service lists the version of this secret at the URL of the trigger
// (listedVersions.ts). A version is the time at which a secret was made; the URL of the webhook names the owner and the
// versions (shared/owner.ts). delivery.ts responds 401 to a refused delivery, and 503 if something cannot be checked.

import { timingSafeEqual } from 'node:crypto';

import { WRONG_HEADER } from '../../shared/events/adviceOnRefusal';
import { type Headers, NO_SIGNATURE, verifySignature, WRONG_SIGNATURE } from '../../shared/events/signature';
import { withoutQuery } from '../../shared/lib/text';
import { isSameOwner, type Owner, type VerifyBy } from '../../shared/owner';
import { deliverySecret, SECRET_HEADER } from '../../shared/triggerSecrets/deliverySecret';
import { PUBLIC_ADDRESS_VARIABLE } from '../../shared/webhookResponse';
import { readSettings } from '../parameters/settings';
import type { Incoming } from './incoming';
import { tryKeys } from './knownKeys';
import { findAcceptedVersions } from './listedVersions';
import { withOtherWay } from './unknownForm';

/** The owner of an authentic delivery, with the ID that is signed with it, if any; or why the delivery was refused. */
type Verdict = { owner: Owner; signedId?: string } | { refused: string };

/** The node's options for verifying deliveries. */
interface VerifyOptions {
	verifyBy?: VerifyBy;
	/** The only header in which a signature counts. If absent, every header counts. */
	signatureHeader?: string;
}

/** The reason for refusing a secret that the service does not list at the URL of the trigger. */
const NOT_LISTED = 'its signing secret was replaced, or its webhook was deleted or delivers to another URL';

/** A size that most events do not reach. */
const LARGE_BYTES = 1_000_000;

/** How many secrets are tried for a large body: the current and the previous one. */
const MAX_FOR_LARGE = 2;

const UNNAMED = 'its URL does not name one campaign or agent';

interface Secret {
	secret: string;
	version: number;
}

/** The result of checking a delivery. For an authentic one, `key` is the secret that fits. */
type SecretCheck = { authentic: true; key: Secret; signedId?: string } | { authentic: false; reason: string };

/** Checks a delivery by some versions of an owner's secret. */
type SecretChecker = (owner: Owner, versions: readonly number[]) => Promise<SecretCheck>;

/** Checks that a delivery has the header with a secret. Signatures are ignored. */
function checkHeader(headers: Headers, secrets: readonly Secret[]): SecretCheck {
	const given = Buffer.from(String(headers[SECRET_HEADER.toLowerCase()]));
	const isGiven = (secret: Buffer) => given.length === secret.length && timingSafeEqual(given, secret);
	const key = secrets.find(({ secret }) => isGiven(Buffer.from(secret)));
	return key === undefined ? { authentic: false, reason: WRONG_HEADER } : { authentic: true, key };
}

/**
 * Checks that a delivery comes from the service: it is signed with the secret of the owner and version that its URL
 * names, or has the header with that secret, and the service lists the version at the URL of the trigger.
 *
 * @throws Error if that cannot be checked now, so that the service delivers again
 */
export async function verifyDelivery(incoming: Incoming, options: VerifyOptions): Promise<Verdict> {
	const { caller, owner, versions, rawBody, headers } = incoming;
	const { verifyBy = 'signature', signatureHeader } = options;
	const delivery = { rawBody, headers, now: Date.now(), signatureHeader };
	const check = (secrets: Secret[]): SecretCheck =>
		verifyBy === 'header' ? checkHeader(headers, secrets) : verifySignature(delivery, secrets);
	const wrong = verifyBy === 'header' ? WRONG_HEADER : WRONG_SIGNATURE;
	const checkBy: SecretChecker = async (secretOwner, secretVersions) => {
		const fitting = await tryKeys(caller, (keys) => {
			const secrets = secretVersions.map((version) => ({
				version,
				secret: deliverySecret(keys, incoming, secretOwner, version, verifyBy),
			}));
			const result = check(secrets);
			return result.authentic || result.reason !== wrong ? result : undefined;
		});
		const result: SecretCheck = fitting ?? { authentic: false, reason: wrong };
		const mayBeOtherForm = !result.authentic && [NO_SIGNATURE, WRONG_SIGNATURE].includes(result.reason);
		return mayBeOtherForm ? { ...result, reason: withOtherWay(result.reason, delivery) } : result;
	};
	if (owner === undefined || versions === undefined) {
		return await verifyUnnamed(incoming, checkBy);
	}
	// After a rotation, the service may repeat a delivery at the new URL with the old signature, or at the old URL with
	// a new signature. For a large body, few secrets are tried: anybody can send one.
	const most = rawBody.length > LARGE_BYTES ? MAX_FOR_LARGE : undefined;
	const named = [versions.current, ...versions.previous].slice(0, most);
	let result = await checkBy(owner, named);
	if (!result.authentic) {
		const { versions: listed, error } = await findAcceptedVersions(incoming, owner, undefined, true);
		const others = listed.filter((one) => !named.includes(one)).slice(0, most);
		const byOthers = others.length > 0 ? await checkBy(owner, others) : result;
		if (!byOthers.authentic) {
			if (result.reason.startsWith(wrong)) {
				throwUnchecked(error);
			}
			return { refused: result.reason };
		}
		result = byOthers;
	}
	const { version } = result.key;
	const { versions: accepted, error, addressOf } = await findAcceptedVersions(incoming, owner, version);
	if (accepted.includes(version)) {
		return { owner, signedId: result.signedId };
	}
	throwUnchecked(error);
	const address = addressOf(version);
	return { refused: address === undefined ? NOT_LISTED : relayed(address) };
}

/** Returns the reason for refusing a delivery that the address of another webhook has passed on. */
function relayed(address: string): string {
	return `its webhook delivers to ${withoutQuery(address)}, not to the URL of this trigger. If that passes its requests on to this n8n, let it pass on all paths below one address, set n8n's environment variable ${PUBLIC_ADDRESS_VARIABLE} to that address, publish the workflow again, and delete this webhook`;
}

/** @throws Error if the list could not be read: it may contain the version */
function throwUnchecked(error: Error | undefined): void {
	if (error !== undefined) {
		throw new Error(`the service's list of webhooks could not be read: ${error.message}`, { cause: error });
	}
}

/**
 * Checks a delivery whose URL does not name the owner or the version, because the service has dropped the query. Its
 * owner can only be chosen in the trigger: it is the named owner, or the only chosen owner.
 */
async function verifyUnnamed(incoming: Incoming, checkBy: SecretChecker): Promise<Verdict> {
	const { caller, owner: named } = incoming;
	const { chosen } = await readSettings(caller, '');
	const [owner, ...others] = chosen.filter((one) => named === undefined || isSameOwner(one, named));
	if (owner === undefined || others.length > 0) {
		return { refused: UNNAMED };
	}
	let { versions, error } = await findAcceptedVersions(incoming, owner);
	let result = await checkBy(owner, versions);
	if (!result.authentic) {
		({ versions, error } = await findAcceptedVersions(incoming, owner, undefined, true));
		result = await checkBy(owner, versions);
	}
	if (result.authentic) {
		return { owner, signedId: result.signedId };
	}
	throwUnchecked(error);
	return { refused: named === undefined ? UNNAMED : result.reason };
}

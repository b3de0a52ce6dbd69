import { type SignatureCheck, verifySignature, WRONG_SIGNATURE } from '../../shared/deliveries/signature';
import { deliverySecret } from '../../shared/nodeLink/deliverySecret';
import { isSameOwner, type Owner } from '../../shared/nodeLink/owner';
import { readSettings } from '../parameters/settings';
import { lastWebhooks } from '../registration/hints';
import type { Incoming } from './incoming';
import { tryKeys } from './knownKeys';
import { acceptedGenerations, askWhetherReplaced } from './listedGenerations';
import { unknownForm } from './unknownForm';

/** Whose event a delivery is, or why it is not authentic. */
type Verdict = { owner: Owner } | { refused: string };

/** The reason for a signature by a secret that was replaced more than an hour ago. */
const REPLACED = 'its signing secret was replaced, or its webhook leads here no more';

/** More than any event has. */
const LARGE_BYTES = 1_000_000;

const UNNAMED = 'its URL does not name one campaign or agent';

/** The result of checking a signature; a right one says which generation of the secret made it. */
type SecretCheck = SignatureCheck<{ secret: string; generation: number }>;

/** Checks the signature of a delivery by the secrets of an owner of some generations. */
type SecretChecker = (owner: Owner, generations: readonly number[]) => Promise<SecretCheck>;

/**
 * Checks that a delivery comes from the service: its signature is by the secret of the owner and of a generation that its
 * URL names, and that secret was not replaced.
 *
 * @param signatureHeader the only header to look at; empty: every header
 */
export async function verifyDelivery(incoming: Incoming, signatureHeader: unknown): Promise<Verdict> {
	const { caller, owner, generations, rawBody, headers } = incoming;
	const delivery = {
		...{ rawBody, headers, now: Date.now() },
		signatureHeader: String(signatureHeader ?? '').trim() || undefined,
	};
	const checkBy: SecretChecker = async (of, ofGenerations) => {
		const fitting = await tryKeys(caller, (keys) => {
			const secrets = ofGenerations.map((generation) => ({
				generation,
				secret: deliverySecret(keys, incoming, of, generation),
			}));
			const result: SecretCheck = verifySignature(delivery, secrets);
			return result.authentic || result.reason !== WRONG_SIGNATURE ? result : undefined;
		});
		return fitting ?? { authentic: false, reason: WRONG_SIGNATURE };
	};
	if (owner === undefined || generations === undefined) {
		return await verifyUnnamed(incoming, checkBy);
	}
	// After a rotation, the service may repeat a delivery at the new URL with its old signature. A large body is not tried
	// with more than one secret: anybody can send one.
	const formers = rawBody.length > LARGE_BYTES ? [] : generations.formers;
	const check = await checkBy(owner, [generations.current, ...formers]);
	if (!check.authentic) {
		const { reason } = check;
		return { refused: (reason === 'outside the time window' ? undefined : unknownForm(delivery)) ?? reason };
	}
	return (await askWhetherReplaced(incoming, owner, check.key.generation)) ? { refused: REPLACED } : { owner };
}

/**
 * Checks a delivery whose URL does not name the owner or the generation, because the service has dropped the query. Its
 * owner can be one that is chosen in the trigger: the named one, or the only one.
 */
async function verifyUnnamed(incoming: Incoming, checkBy: SecretChecker): Promise<Verdict> {
	const { caller, owner: named } = incoming;
	const { chosen } = await readSettings(caller, '');
	const [owner, ...others] = chosen.filter((one) => named === undefined || isSameOwner(one, named));
	if (owner === undefined || others.length > 0) {
		return { refused: UNNAMED };
	}
	const listed = await acceptedGenerations(incoming, owner);
	// The service may have stored the URL without its query.
	const stored = lastWebhooks(caller).filter((webhook) => isSameOwner(webhook, owner));
	const check = await checkBy(owner, listed.length > 0 ? listed : stored.map(({ current }) => current));
	return check.authentic ? { owner } : { refused: named === undefined ? UNNAMED : check.reason };
}

import type { IWebhookFunctions } from 'n8n-workflow';

import { isGone, type Result, ServiceError, toResult, unwrap } from '../../shared/errors/serviceError';
import { BoundedMap } from '../../shared/lib/boundedMap';
import { inBatches } from '../../shared/lib/inBatches';
import { loadKeys } from '../../shared/nodeLink/keys';
import type { Source } from '../../shared/nodeLink/owner';
import { connect } from '../../shared/service/transport';
import { findConnected } from './connected';
import { noteGiven } from './connections';
import { changeKey, type OwnWebhook, ownRegistration, storedWebhooks } from './deliveryKeys';
import { noteInUse, putBackNewerKey, successorsOf } from './newerKey';
import { nodeKey } from './nodeKey';
import { AT_ONCE, type Reach } from './reach';
import { writeKey } from './webhookRequest';

/** Less than the timeout of the action node that sends the command. */
const PATIENCE = { timeoutSeconds: 15, patienceSeconds: 10 };

/** How long n8n may need to store the new key. After that, a stored older one was written back. */
const RECENT_MS = 60_000;

/** The webhooks of the connected owners. @throws ServiceError */
async function connectedWebhooks(reach: Reach, caller: IWebhookFunctions, chosen: readonly OwnWebhook[]) {
	if (String(caller.getNodeParameter('options.acceptConnections', false)) !== 'true') {
		return [];
	}
	const url = caller.getNodeWebhookUrl('default') ?? '';
	const source = caller.getNodeParameter('source', 'campaign') as Source;
	const found = await findConnected(reach, source, url, [], chosen);
	return found.flatMap(({ owner, webhooks }) => webhooks.map(({ id }) => ({ ...owner, webhookId: String(id) })));
}

/** A change of the key by this process. */
interface Rotation {
	/** The secret that is replaced. */
	from: string;
	/** Until when another command with the same secret belongs to it, in milliseconds since 1970. */
	until: number;
	/** Until when the former key is accepted, in milliseconds since 1970. */
	done: Promise<number>;
}

/** The last rotation of each node. */
const lastRotations = new BoundedMap<Rotation>();

/**
 * Gives the service a new key. Only one rotation of a key runs at a time: another call for the same key returns its
 * result. With several webhook processes, this holds for each of them. Until n8n has stored the key, which it does after
 * it has responded, the deliveries are accepted because the key follows the stored one.
 *
 * @returns until when the former key is accepted, in milliseconds since 1970
 * @throws ServiceError if the service refused the key, or its response was lost
 */
export async function rotate(caller: IWebhookFunctions): Promise<number> {
	const registration = ownRegistration(caller);
	const node = nodeKey(caller);
	const following = await successorsOf(caller, node, registration);
	const { secrets: chain } = await loadKeys(caller);
	const last = lastRotations.get(node);
	if (last !== undefined && last.from === registration.secret && last.until > Date.now()) {
		return await last.done;
	}

	putBackNewerKey(caller, following);
	const { secret } = registration;
	const webhooks = storedWebhooks(registration);
	if (secret === undefined || webhooks.length === 0) {
		throw new ServiceError('The trigger has not registered a webhook', {
			code: 'NOT_REGISTERED',
			advice: 'Unpublish and publish its workflow.',
			accepted: 'no',
		});
	}
	const rotation: Rotation = { from: secret, until: Date.now() + RECENT_MS, done: Promise.resolve(0) };
	rotation.done = changeKey(registration, chain, async (key, taken) => {
		const reach = { caller, connection: await connect(caller), ...PATIENCE };
		const connected = await connectedWebhooks(reach, caller, webhooks);
		const results = await inBatches([...webhooks, ...connected], AT_ONCE, async (webhook) => {
			const result = await toResult(writeKey(reach, webhook, key, webhook.webhookId));
			if (result.error === undefined) {
				taken();
				noteInUse(node, key);
				noteGiven(caller, webhook, key);
			}
			return result;
		});
		// A webhook that does not exist delivers nothing, so it is no reason to keep the old key.
		const isLeft = ({ error }: Result<void>) => error === undefined || !isGone(error);
		const left = results.filter(isLeft);
		(left.length > 0 ? left : results).forEach(unwrap);
	}).then(({ until }) => until);
	lastRotations.set(node, rotation);
	const { value, error } = await toResult(rotation.done);
	if (error === undefined) {
		return value;
	}
	// Allows another try. If the outcome is unknown, the static data has both keys.
	if (lastRotations.get(node) === rotation && error.accepted === 'no') {
		lastRotations.delete(node);
	}
	throw error;
}

import type { IWebhookFunctions } from 'n8n-workflow';

import { ServiceError, toResult } from '../../shared/errors/serviceError';
import { BoundedMap } from '../../shared/lib/boundedMap';
import { connect, send } from '../../shared/service/transport';
import { readSettings } from '../parameters/settings';
import { changeKey, type DeliveryKey, ownRegistration, type Registration } from './deliveryKeys';
import { nodeKey } from './nodeKey';
import { settingsWithKey, webhooksPath } from './webhookRequest';

/** Less than the timeout of the action node that sends the command. */
const TIMEOUT_SECONDS = 15;

/** A change of the key by this process. */
interface Rotation {
	/** The secret that is replaced. */
	from: string;
	/** The key that replaces it. */
	to?: DeliveryKey;
	/** Until when the former key is accepted, in milliseconds since 1970. */
	done: Promise<number>;
}

/**
 * The last rotation of each node. n8n stores the new key after it has responded to the command; until then, the static
 * data of a delivery still has the former key.
 */
const lastRotations = new BoundedMap<Rotation>();

/**
 * The key that the service may have received since the static data was read.
 *
 * @param node from {@link nodeKey}
 */
export function pendingKey(node: string, { secret }: Partial<Registration>): DeliveryKey | undefined {
	const rotation = lastRotations.get(node);
	return rotation !== undefined && rotation.from === secret ? rotation.to : undefined;
}

/**
 * Gives the service a new key. Only one rotation of a key runs at a time: another call for the same key returns its
 * result. With several webhook processes, this holds for each of them. If n8n is killed between the service's response
 * and storing the key, the workflow has to be published again.
 *
 * @returns until when the former key is accepted, in milliseconds since 1970
 * @throws ServiceError if the service refused the key, or its response was lost
 */
export async function rotate(caller: IWebhookFunctions): Promise<number> {
	const registration = ownRegistration(caller);
	const { secret, source, ownerId, webhookId } = registration;
	if (secret === undefined || source === undefined || ownerId === undefined || webhookId === undefined) {
		throw new ServiceError('The trigger has not registered a webhook', {
			code: 'NOT_REGISTERED',
			advice: 'Unpublish and publish the workflow.',
			accepted: 'no',
		});
	}
	const node = nodeKey(caller);
	const last = lastRotations.get(node);
	if (last?.from === secret) {
		return await last.done;
	}

	const rotation: Rotation = { from: secret, done: Promise.resolve(0) };
	rotation.done = changeKey(registration, registration.headerValue !== undefined, async (key) => {
		rotation.to = key;
		// Only the settings that change: an update keeps the others.
		const body =
			key.headerValue === undefined
				? { webhook_secret: key.secret }
				: settingsWithKey((await readSettings(caller, '')).settings, key);
		const path = webhooksPath({ source, ownerId }, webhookId);
		await send(caller, await connect(caller), { method: 'PUT', path, body }, TIMEOUT_SECONDS);
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

import type { IWebhookFunctions } from 'n8n-workflow';

import { attempt, ServiceError } from '../../shared/errors/serviceError';
import { Memory } from '../../shared/lib/boundedMap';
import { connect, send } from '../../shared/service/transport';
import { readSettings } from '../parameters/settings';
import { changeKey, type DeliveryKey, type Registered, registered } from './deliveryKeys';
import { placeOf } from './nodeKey';
import { settingsWithKey, webhooksPath } from './webhookRequest';

/** Less than the sender of the command waits. */
const TIMEOUT_SECONDS = 15;

/** A change of the key in this process. */
interface Rotation {
	/** The secret that it replaces. */
	from: string;
	/** What it replaces it by. */
	to?: DeliveryKey;
	/** Until when the former key is accepted, in milliseconds since 1970. */
	done: Promise<number>;
}

/**
 * The last rotation of each node. n8n stores the new key once the command is answered; what comes in until then has
 * the former one in its static data.
 */
const rotations = new Memory<Rotation>();

/** The key that the service may have been given since the static data was read. */
export function keyOnItsWay(caller: IWebhookFunctions, { secret }: Partial<Registered>): DeliveryKey | undefined {
	const rotation = rotations.get(placeOf(caller));
	return rotation !== undefined && rotation.from === secret ? rotation.to : undefined;
}

/**
 * Gives the service a new key. One rotation at a time: whoever asks for one of a key that is being replaced, or was,
 * gets the outcome of that one. With several webhook processes, this holds for each of them. If n8n is killed after
 * the service took the key and before n8n has stored it, the workflow has to be published again.
 *
 * @returns until when the former key is accepted, in milliseconds since 1970
 * @throws ServiceError when the service did not take it, or nobody knows
 */
export async function rotate(caller: IWebhookFunctions): Promise<number> {
	const place = placeOf(caller);
	const known = registered(caller);
	const { secret, source, ownerId, webhookId } = known;
	if (secret === undefined || source === undefined || ownerId === undefined || webhookId === undefined) {
		throw new ServiceError('The trigger has not registered a webhook', {
			code: 'NOT_REGISTERED',
			advice: 'Unpublish and publish the workflow.',
			taken: 'no',
		});
	}
	const before = rotations.get(place);
	if (before?.from === secret) {
		return await before.done;
	}

	const rotation: Rotation = { from: secret, done: Promise.resolve(0) };
	rotation.done = changeKey(known, known.headerValue !== undefined, async (key) => {
		rotation.to = key;
		// An update changes what is sent and nothing else.
		const body =
			key.headerValue === undefined
				? { webhook_secret: key.secret }
				: settingsWithKey((await readSettings(caller, '')).settings, key);
		const path = webhooksPath({ source, ownerId }, webhookId);
		await send(caller, await connect(caller), { method: 'PUT', path, body }, TIMEOUT_SECONDS);
	}).then(({ until }) => until);
	rotations.set(place, rotation);
	const { value, error } = await attempt(rotation.done);
	if (error === undefined) {
		return value;
	}
	// It can be tried again. The static data knows both keys where the outcome is unknown.
	if (rotations.get(place) === rotation && error.taken === 'no') {
		rotations.delete(place);
	}
	throw error;
}

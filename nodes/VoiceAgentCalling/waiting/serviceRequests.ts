import { Pace } from '../../shared/client/pace';
import type { SendRequest } from '../../shared/client/request';
import { isRepeatable } from '../../shared/client/requests';
import { send } from '../../shared/client/send';
import { connect, type ServiceCaller } from '../../shared/client/transport';
import { serviceError, unwrap } from '../../shared/errors/serviceError';

/** How long a response may take: less than the timeout of the sender of a message. */
const TIMEOUT_SECONDS = 15;

/** How many requests are sent at the same time. */
const MOST_AT_ONCE = 5;

/** How long the requests of a wait may take. */
export interface TimeForRequests {
	/** How long a request waits for a rate limit, or for a service that does not work, in seconds. */
	maxWaitSeconds: number;
	/** When the last of them has to end, whatever the service does, in milliseconds since 1970. */
	endsAt: number;
}

/**
 * Sends requests to the service outside of a run, with the credential of a node that waits, which the first of them reads.
 * They are repeated as those of a run are.
 */
export function serviceRequests(caller: ServiceCaller, { maxWaitSeconds, endsAt }: TimeForRequests): SendRequest {
	const pace = new Pace({ maxConcurrentRequests: MOST_AT_ONCE, maxWaitSeconds });
	const secondsLeft = () => (endsAt - Date.now()) / 1000;
	const throwIfUnwanted = () => {
		if (secondsLeft() <= 0) {
			throw serviceError('TIMEOUT', {}, { accepted: 'unknown' });
		}
	};
	let connecting: ReturnType<typeof connect> | undefined;
	return async (request) => {
		connecting ??= connect(caller);
		const sender = {
			caller,
			connection: await connecting,
			pace,
			maxWaitSeconds,
			get timeoutSeconds() {
				// A response that trickles in may take twice as long.
				return Math.max(1, Math.min(TIMEOUT_SECONDS, secondsLeft() / 2));
			},
		};
		return unwrap(await send(sender, request, { isRepeatable: isRepeatable(request, undefined), throwIfUnwanted }));
	};
}

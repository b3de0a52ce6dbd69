import type { IncomingHttpHeaders } from 'node:http';

import { flatError, type HttpError } from '../http/httpErrors.mts';

/** The names of this machine, with any port: the sandbox listens on no other address. */
const THIS_MACHINE = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

/**
 * Keeps websites away from the control routes, which need no token. A browser names the site that sends a request in
 * `Origin`. A site that lets its own name resolve to 127.0.0.1 (DNS rebinding) shows in `Host`.
 *
 * @returns the error for a website; undefined for programs on this machine and for pages of the sandbox itself
 */
export function refusedCaller({ host = '', origin }: IncomingHttpHeaders): HttpError | undefined {
	if (!THIS_MACHINE.test(host)) {
		return flatError(403, `The control routes are not for the host "${host}". Use http://127.0.0.1 or localhost.`);
	}
	if (origin !== undefined && origin.toLowerCase() !== `http://${host}`.toLowerCase()) {
		return flatError(403, `The control routes are not for pages of ${origin}.`);
	}
	return undefined;
}

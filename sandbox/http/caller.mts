import type { IncomingHttpHeaders } from 'node:http';

import { flatError, type HttpError } from './httpErrors.mts';

/**
 * The names under which programs reach this machine's loopback, with any port because forwarded ports are common. The
 * last two are its names in containers of Docker and Podman. Nobody else can own a name below `.internal`.
 */
const THIS_MACHINE = /^(127\.0\.0\.1|localhost|\[::1\]|host\.docker\.internal|host\.containers\.internal)(:\d+)?$/i;

/**
 * Refuses requests from websites: they must not place calls in the sandbox, and its control routes need no token. A
 * browser sends the site's name in `Origin`. If a site lets its own name resolve to 127.0.0.1 (DNS rebinding), `Host`
 * contains the site's name.
 *
 * @param url as in the request line
 * @returns the error for a website; undefined for programs on this machine and for pages of the sandbox itself
 */
export function refusedCaller(url: string, headers: IncomingHttpHeaders): HttpError | undefined {
	const { host: given = '', origin } = headers;
	// A complete address in the request line replaces the header (RFC 9112, 3.2.2).
	const host = /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? given;
	if (!THIS_MACHINE.test(host)) {
		const caller = host === '' ? 'requests without a Host header' : `the host "${host}"`;
		return flatError(403, `The sandbox is not for ${caller}. Use http://127.0.0.1 or http://localhost, with its port.`);
	}
	if (origin !== undefined && origin.toLowerCase() !== `http://${host}`.toLowerCase()) {
		return flatError(403, `The sandbox is not for pages of ${origin === 'null' ? 'an unknown origin' : origin}.`);
	}
	return undefined;
}

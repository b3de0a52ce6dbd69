import { ServiceError } from '../errors/serviceError';

/** The path prefix that carries the version of the service ("Versioning"). */
const VERSION_PREFIX = '/api/v1';

/**
 * Tells whether a host name is the machine itself, where plain http is as private as https.
 *
 * @param hostname as `new URL(...)` gives it: lower case, IPv6 in brackets
 */
export function isLoopback(hostname: string): boolean {
	return (
		hostname === 'localhost' ||
		hostname.endsWith('.localhost') ||
		hostname === '[::1]' ||
		/^127(\.\d{1,3}){3}$/.test(hostname)
	);
}

/** Whether nobody on the way can read what is sent: https, or plain http on this machine. */
export function isPrivate({ protocol, hostname }: URL): boolean {
	return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/**
 * Reads the Base URL of a credential. A trailing slash and a pasted `/api/v1` are tolerated.
 *
 * @returns the address without either, for example `https://api.example.com`
 * @throws Error with a text for the user, when it is no URL, carries a login or a query, or is http on
 * a host other than this machine
 */
export function parseBaseUrl(baseUrl: unknown): URL {
	// Asked for each request, with the same text.
	if (last === undefined || last.text !== baseUrl) {
		last = { text: baseUrl, url: parsed(baseUrl) };
	}
	return last.url;
}

let last: { text: unknown; url: URL } | undefined;

function parsed(baseUrl: unknown): URL {
	const text = String(baseUrl ?? '').trim();
	if (!URL.canParse(text)) {
		// Not quoted: people paste the token into the wrong field.
		throw new Error('The Base URL of the credential is not an address. Enter one like https://api.example.com');
	}
	const url = new URL(text);
	if (!isPrivate(url)) {
		throw new Error(
			`The Base URL of the credential must start with https://, because the environment token travels with every request. Plain http:// is for a service on this machine only, and "${url.hostname}" is not this machine.`,
		);
	}
	if (url.username || url.password || url.search || url.hash) {
		throw new Error('The Base URL of the credential must be an address alone: no user name, no "?" and no "#".');
	}
	let path = url.pathname.replace(/\/+$/, '');
	if (path.endsWith(VERSION_PREFIX)) {
		path = path.slice(0, -VERSION_PREFIX.length).replace(/\/+$/, '');
	}
	url.pathname = path;
	return url;
}

/**
 * Builds the address of an endpoint.
 *
 * @param base what {@link parseBaseUrl} gave
 * @param segments the path after `/api/v1`; each is percent-encoded, so that an id never leaves its place
 * @throws ServiceError for what cannot be a segment
 */
export function endpointUrl(base: URL, segments: readonly string[]): string {
	const path = segments.map((segment) => {
		// A URL parser takes "." and ".." for "here" and "up", even percent-encoded.
		if (['', '.', '..'].includes(segment) || !segment.isWellFormed()) {
			throw new ServiceError(`"${segment}" cannot be an ID`, {
				code: 'INVALID_INPUT',
				advice: 'Enter the ID as the service shows it.',
				accepted: 'no',
			});
		}
		return encodeURIComponent(segment);
	});
	return `${base.href.replace(/\/$/, '')}${VERSION_PREFIX}/${path.join('/')}`;
}

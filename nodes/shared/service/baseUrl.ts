import { tokenOf } from '../lib/token';

/** The path prefix with the API version. */
export const VERSION_PREFIX = '/api/v1';

/**
 * Whether a host name is this machine, where plain http is as private as https.
 *
 * @param hostname `hostname` of a URL: lower case, IPv6 in brackets
 */
export function isLoopback(hostname: string): boolean {
	return (
		hostname === 'localhost' ||
		hostname.endsWith('.localhost') ||
		hostname === '[::1]' ||
		/^127(\.\d{1,3}){3}$/.test(hostname)
	);
}

/** The names by which a container reaches the machine that it runs on, with Docker and with Podman. */
const CONTAINER_HOSTS = ['host.docker.internal', 'host.containers.internal'];

/** The sandbox's token, unless it was given another one. No environment of the service has it. */
const SANDBOX_TOKEN = 'TOKEN';

/** Whether a host name is this machine, or the one that this container runs on. @param hostname as for `isLoopback` */
export function isThisMachine(hostname: string): boolean {
	return isLoopback(hostname) || CONTAINER_HOSTS.includes(hostname);
}

/**
 * Parses the Base URL of a credential. A trailing slash and `/api/v1` are removed.
 *
 * @param environmentToken the token that goes to this address: from a container, plain http is for that of the sandbox
 * @returns the URL, for example `https://api.example.com`
 * @throws Error with a message for the user, where it is not a URL, has a login, a query or a fragment, or is http on
 * another machine
 */
export function parseBaseUrl(baseUrl: unknown, environmentToken?: unknown): URL {
	// Called for each request with the same text, so the last result is cached.
	if (last === undefined || last.text !== baseUrl) {
		last = { text: baseUrl, url: parseAnew(baseUrl) };
	}
	const { protocol, hostname } = last.url;
	// Whoever else owns such a name in this network gets no token that is worth something.
	if (protocol === 'http:' && !isLoopback(hostname) && tokenOf(environmentToken) !== SANDBOX_TOKEN) {
		throw new Error(
			`${ONLY_HTTPS}. Plain http:// to "${hostname}" is allowed only for the sandbox with its own token, ${SANDBOX_TOKEN}`,
		);
	}
	return last.url;
}

const ONLY_HTTPS =
	'The Base URL of the credential must start with https://, because every request contains the environment token';

let last: { text: unknown; url: URL } | undefined;

function parseAnew(baseUrl: unknown): URL {
	const text = String(baseUrl ?? '').trim();
	// Of two addresses in one text, the second would be a path of the first.
	if (!URL.canParse(text) || text.split('://').length > 2) {
		// Not quoted: people paste the token into the wrong field.
		throw new Error('The Base URL of the credential is not a URL. Enter one like https://api.example.com');
	}
	const url = new URL(text);
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isThisMachine(url.hostname))) {
		throw new Error(
			`${ONLY_HTTPS}. Plain http:// is allowed only for a service on the same machine, which "${url.hostname}" is not`,
		);
	}
	if (url.username || url.password || url.search || url.hash) {
		throw new Error('The Base URL of the credential must have no user name, no "?" and no "#"');
	}
	let path = url.pathname.replace(/\/+$/, '');
	if (path.endsWith(VERSION_PREFIX)) {
		path = path.slice(0, -VERSION_PREFIX.length).replace(/\/+$/, '');
	}
	url.pathname = path;
	return url;
}

import { ServiceError } from '../errors/serviceError';
import { tokenOf } from '../keys';

/** The path prefix with the API version. */
const VERSION_PREFIX = '/api/v1';

/**
 * Whether a host name refers to this machine, where plain http is as private as https.
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

/** The names by which a container reaches its host machine, in Docker and in Podman. */
const CONTAINER_HOSTS = ['host.docker.internal', 'host.containers.internal'];

/** The default token of the sandbox. No environment of the service uses it. */
const SANDBOX_TOKEN = 'TOKEN';

/** Whether a host name is this machine, or the host of this container. @param hostname as for `isLoopback` */
export function isThisMachine(hostname: string): boolean {
	return isLoopback(hostname) || CONTAINER_HOSTS.includes(hostname);
}

/**
 * Parses the Base URL of a credential. A trailing slash and `/api/v1` are removed.
 *
 * @param environmentToken the token sent to this address. From a container, plain http is allowed only with the token
 * of the sandbox
 * @returns the URL, for example `https://api.example.com`
 * @throws Error with a message for the user, if it is not a URL, contains a login, a query or a fragment, or uses http
 * for another machine
 */
export function parseBaseUrl(baseUrl: unknown, environmentToken?: unknown): URL {
	// Every request passes the same texts, so the last result is cached.
	if (!last || last.baseUrl !== baseUrl || last.environmentToken !== environmentToken) {
		last = { baseUrl, environmentToken, url: parseAnew(baseUrl, environmentToken) };
	}
	return last.url;
}

let last: { baseUrl: unknown; environmentToken: unknown; url: URL } | undefined;

function parseAnew(baseUrl: unknown, environmentToken: unknown): URL {
	const text = String(baseUrl ?? '').trim();
	// If the text contains two addresses, the second would be parsed as a path of the first.
	if (!URL.canParse(text) || text.split('://').length !== 2) {
		// Not quoted, unless it is an address: people paste the token into the wrong field.
		const local = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : undefined;
		const example = local && isThisMachine(local.hostname) ? local.origin : 'https://api.example.com';
		throw new Error(`The Base URL of the credential is not a URL. Enter one like ${example}`);
	}
	const url = new URL(text);
	const { protocol, hostname } = url;
	if (!['https:', 'http:'].includes(protocol)) {
		throw new Error(`The Base URL of the credential must start with https://, not ${protocol}//`);
	}
	const fromContainer = CONTAINER_HOSTS.includes(hostname);
	// Somebody else in this network may own such a name, so only the worthless token of the sandbox may go there.
	const isSandbox = fromContainer && tokenOf(environmentToken) === SANDBOX_TOKEN;
	if (protocol !== 'https:' && !(protocol === 'http:' && (isLoopback(hostname) || isSandbox))) {
		const where = fromContainer
			? `from a container, for the sandbox with its own token, ${SANDBOX_TOKEN}`
			: `for a service on the same machine, which "${hostname}" is not`;
		throw new Error(
			`The Base URL of the credential must start with https://, because every request contains the environment token. Plain http:// is allowed only ${where}`,
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

/**
 * Builds the URL of an endpoint.
 *
 * @param base the result of `parseBaseUrl`
 * @param segments the path after `/api/v1`; each is percent-encoded, so that an ID remains one segment
 * @throws ServiceError `INVALID_INPUT` for a segment that is empty, `.` or `..`, or not well-formed Unicode
 */
export function endpointUrl(base: URL, segments: readonly string[]): string {
	const path = segments.map((segment) => {
		// A URL parser resolves "." and ".." even where they are percent-encoded.
		if (['', '.', '..'].includes(segment) || !segment.isWellFormed()) {
			throw new ServiceError(`"${segment}" cannot be an ID`, {
				code: 'INVALID_INPUT',
				advice: 'Enter the complete ID.',
				accepted: 'no',
			});
		}
		return encodeURIComponent(segment);
	});
	const { href } = base;
	return `${href.endsWith('/') ? href.slice(0, -1) : href}${VERSION_PREFIX}/${path.join('/')}`;
}

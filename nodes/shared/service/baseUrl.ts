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

/** Whether the connection cannot be read by others: https, or plain http on this machine. */
export function isPrivate({ protocol, hostname }: URL): boolean {
	return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/**
 * Parses the Base URL of a credential. A trailing slash and `/api/v1` are removed.
 *
 * @returns the URL, for example `https://api.example.com`
 * @throws Error with a message for the user, where it is not a URL, has a login, a query or a fragment, or is http on
 * another machine
 */
export function parseBaseUrl(baseUrl: unknown): URL {
	// Called for each request with the same text, so the last result is cached.
	if (last === undefined || last.text !== baseUrl) {
		last = { text: baseUrl, url: parseAnew(baseUrl) };
	}
	return last.url;
}

let last: { text: unknown; url: URL } | undefined;

function parseAnew(baseUrl: unknown): URL {
	const text = String(baseUrl ?? '').trim();
	// Of two addresses in one text, the second would be a path of the first.
	if (!URL.canParse(text) || text.split('://').length > 2) {
		// Not quoted: people paste the token into the wrong field.
		throw new Error('The Base URL of the credential is not a URL. Enter one like https://api.example.com');
	}
	const url = new URL(text);
	if (!isPrivate(url)) {
		throw new Error(
			`The Base URL of the credential must start with https://, because every request contains the environment token. Plain http:// is allowed only for a service on the same machine, which "${url.hostname}" is not`,
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

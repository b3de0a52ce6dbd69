import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { tokenOf } from '../keys';
import { parseBaseUrl } from './baseUrl';

/**
 * The options that stop every version of n8n from following a redirect. n8n would send the token along: n8n 2.0 and
 * older to any host, newer versions to a subdomain. The HTTP Request node uses its own names for these options.
 */
const WITHOUT_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
	sendCredentialsOnCrossOriginRedirect: false,
};

/**
 * Adds the environment token to a request to the origin of the Base URL, and to no other. This matters because any node
 * can use the credential, for example the HTTP Request node.
 *
 * @returns the options with the `Authorization` header and without redirects, or unchanged for another origin
 */
export async function authorize(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const base = parseBaseUrl(credentials.baseUrl, credentials.environmentToken);
	// The HTTP Request node passes the address as `uri`.
	const { uri, url = uri ?? '', baseURL } = requestOptions as IHttpRequestOptions & { uri?: string };
	// The nodes of this package pass the full address, so the prefix check suffices and saves parsing it.
	const isOwn =
		url.startsWith(`${base.origin}/`) || (URL.canParse(url, baseURL) && new URL(url, baseURL).origin === base.origin);
	if (!isOwn) {
		return requestOptions;
	}
	return {
		...requestOptions,
		headers: {
			...requestOptions.headers,
			Authorization: `Bearer ${tokenOf(credentials.environmentToken)}`,
		},
		...WITHOUT_REDIRECTS,
	};
}

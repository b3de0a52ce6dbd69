import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { parseBaseUrl } from '../nodes/shared/service/baseUrl';

/**
 * The options with which no version of n8n follows a redirect. It would send the token along: n8n 2.0 and older versions
 * to any host, newer ones to a subdomain. The HTTP Request node has its own names for these options.
 */
const WITHOUT_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
	sendCredentialsOnCrossOriginRedirect: false,
};

/**
 * Adds the environment token to requests to the origin of the Base URL, and to no others. This matters because any node
 * can use this credential, for example the HTTP Request node.
 *
 * @returns the options with the `Authorization` header and without redirects, or unchanged for another origin
 */
async function addToken(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const base = parseBaseUrl(credentials.baseUrl);
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
			Authorization: `Bearer ${String(credentials.environmentToken ?? '').trim()}`,
		},
		...WITHOUT_REDIRECTS,
	};
}

const redirected =
	'This address redirects to another one, and the token is not sent there. Enter the address that it leads to as Base URL.';

/** Messages of the credential test by HTTP status. */
const refusals = Object.entries({
	301: redirected,
	302: redirected,
	303: redirected,
	307: redirected,
	308: redirected,
	401: 'The service does not accept this token. Copy the current token from the dashboard (Account, Environments): it is replaced when somebody regenerates it.',
	403: 'The service knows this token but it lacks the permission to list agents. Use a token with access to voice agents, calls and campaigns.',
	404: 'There is no Voice Agent Calling Service at this address. Check the Base URL.',
}).map(([status, message]) => ({
	type: 'responseCode' as const,
	properties: { value: Number(status), message },
}));

/** The message for a 2xx response without `success`, which every successful response of the service has. */
const notTheService = {
	type: 'responseSuccessBody' as const,
	properties: {
		key: 'success',
		value: undefined,
		message: 'Something answers at this address, but not the Voice Agent Calling Service. Check the Base URL.',
	},
};

export class VoiceAgentCallingApi implements ICredentialType {
	name = 'voiceAgentCallingApi';

	displayName = 'Voice Agent Calling API';

	icon: Icon = {
		light: 'file:../icons/voiceAgentCalling.svg',
		dark: 'file:../icons/voiceAgentCalling.dark.svg',
	};

	documentationUrl = 'https://github.com/n8n-nodes-voice-agent-calling/n8n-nodes-voice-agent-calling#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description:
				'Address of the service, without a path. Use https; plain http works only for a service on this machine, such as the sandbox.',
		},
		{
			displayName: 'Environment Token',
			name: 'environmentToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				"Token of the environment, from the service's dashboard under Account, Environments. Whoever has it can place calls that cost money.",
		},
		{
			displayName: 'Sandbox Only',
			name: 'sandboxOnly',
			type: 'boolean',
			default: false,
			description:
				'Whether every call that the node places or queues with this credential is a test call, whatever Test Call says in the node. A test call uses no credits, but the phone may still ring. It cannot hold what the service calls by itself: imported contacts, and what waits in a campaign that is made active.',
		},
	];

	authenticate: IAuthenticate = addToken;

	test: ICredentialTestRequest = {
		request: {
			baseURL: "={{ $credentials.baseUrl.trim().replace(/\\/+$/, '').replace(/\\/api\\/v1$/, '') }}",
			url: '/api/v1/agents',
			qs: { per_page: 1 },
			disableFollowRedirect: true,
		},
		// n8n accepts a mix of both kinds of rules, but its types only allow lists of one kind.
		rules: [...refusals, notTheService] as ICredentialTestRequest['rules'],
	};
}

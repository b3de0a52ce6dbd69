import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IWebhookFunctions,
} from 'n8n-workflow';

import { unreadable } from '../errors/serviceError';
import { isRecord } from '../lib/isRecord';
import { withoutTickets } from '../nodeLink/ticket';
import { endpointUrl, parseBaseUrl } from './baseUrl';
import { noAnswer } from './noAnswer';
import type { ResponseHeaders } from './rateLimit';
import { refusal } from './refusals';
import type { ServiceRequest } from './request';
import { hideSecrets, secretsIn } from './secrets';

/** The n8n functions objects with which the service can be called. */
export type ServiceCaller = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

const CREDENTIAL = 'voiceAgentCallingApi';

/** How long to wait for a response where the user sets no other timeout. */
export const DEFAULT_TIMEOUT_SECONDS = 60;

/** The settings of a credential. */
export interface Connection {
	base: URL;
	/** Whether every call has to be a test call. */
	sandboxOnly: boolean;
	/** Texts that must not appear in anything that n8n stores. */
	secrets: string[];
}

/** Reads the credential. Sends nothing. @throws Error with a message for the user, where the Base URL is invalid */
export async function connect(caller: ServiceCaller): Promise<Connection> {
	const { baseUrl, environmentToken, sandboxOnly } = await caller.getCredentials(CREDENTIAL);
	return {
		base: parseBaseUrl(baseUrl),
		sandboxOnly: sandboxOnly === true,
		secrets: [String(environmentToken ?? '').trim()],
	};
}

function withoutAbsent(values: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/**
 * Sends one request, once.
 *
 * n8n's helper must not check the status (it would send the request again after a 401) and must not follow redirects
 * (it would send the body and the token to another host).
 *
 * @param timeoutSeconds how long to wait for the response
 * @param onResponse called with the response headers
 * @returns the body, a JSON object, without secrets and tickets that the service may echo
 * @throws ServiceError without secrets, for every response that is not a success with a JSON object, or none
 */
export async function send(
	caller: ServiceCaller,
	connection: Connection,
	request: ServiceRequest,
	timeoutSeconds = DEFAULT_TIMEOUT_SECONDS,
	onResponse?: (headers: ResponseHeaders) => void,
): Promise<IDataObject> {
	const url = endpointUrl(connection.base, request.path);
	let response: IN8nHttpFullResponse;
	try {
		response = (await caller.helpers.httpRequestWithAuthentication.call(caller, CREDENTIAL, {
			method: request.method,
			url,
			...(request.query && { qs: withoutAbsent(request.query), arrayFormat: 'brackets' as const }),
			body: request.body && withoutAbsent(request.body),
			json: true,
			timeout: timeoutSeconds * 1000,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as IN8nHttpFullResponse;
	} catch (cause) {
		throw noAnswer(cause);
	}
	const { statusCode, headers } = response;
	onResponse?.(headers);
	const body = hideSecrets(withoutTickets(response.body), [...connection.secrets, ...secretsIn(request.body)]);
	if (statusCode < 200 || statusCode > 299) {
		throw refusal(statusCode, body, request, headers);
	}
	if (isRecord(body)) {
		return body as IDataObject;
	}
	// Earlier documentation of the service has 204 for deletions.
	if (statusCode === 204) {
		return {};
	}
	throw unreadable('not with JSON', statusCode);
}

import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IWebhookFunctions,
} from 'n8n-workflow';

import { ServiceError, unreadable } from '../errors/serviceError';
import { isRecord } from '../lib/isRecord';
import { withoutTickets } from '../nodeLink/ticket';
import { endpointUrl, isPrivate, parseBaseUrl } from './baseUrl';
import { noAnswer } from './noAnswer';
import type { ResponseHeaders } from './rateLimit';
import { refusal } from './refusals';
import type { ServiceRequest } from './request';
import { hideSecrets, secretsIn } from './secrets';

/** The places in n8n from which the service is called. */
export type ServiceCaller = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

const CREDENTIAL = 'voiceAgentCallingApi';

export const DEFAULT_TIMEOUT_SECONDS = 60;

/** The service at a credential's Base URL. */
export interface Connection {
	base: URL;
	/** Whether every call is to be marked as a test. */
	sandboxOnly: boolean;
	/** What nothing that n8n stores may show. */
	secrets: string[];
}

/** @throws Error when the Base URL of the credential cannot be used */
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
 * n8n's helper is told not to judge the status (it would send the request again after a 401) and not
 * to follow redirects (it would take body and token to another host).
 *
 * @param timeoutSeconds how long to wait for the answer
 * @param onResponse is told the headers of the answer, by their names in lower case
 * @returns the body, a JSON object without the secrets and tickets that a service might send back
 * @throws ServiceError for every other outcome; it holds no secret either
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
	// Older documentation has deletions answered so.
	if (statusCode === 204) {
		return {};
	}
	throw unreadable('not with JSON', statusCode);
}

/**
 * Fetches a file from wherever the service says it is, without the token.
 *
 * @throws ServiceError
 */
export async function download(
	caller: IExecuteFunctions,
	address: string,
	timeoutSeconds = DEFAULT_TIMEOUT_SECONDS,
): Promise<{ data: Buffer; mimeType: string | undefined }> {
	if (!URL.canParse(address) || !isPrivate(new URL(address))) {
		throw unreadable('with an address for the file that does not begin with https://');
	}
	let response: IN8nHttpFullResponse;
	try {
		response = (await caller.helpers.httpRequest({
			method: 'GET',
			url: address,
			encoding: 'arraybuffer',
			timeout: timeoutSeconds * 1000,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as IN8nHttpFullResponse;
	} catch {
		// The cause would show the whole address, which is as good as a key to the file.
		throw noFile('no answer came from its address');
	}
	const { statusCode, headers, body } = response;
	if (statusCode < 200 || statusCode > 299) {
		throw noFile(`its address answered with HTTP status ${statusCode}`, statusCode);
	}
	const type = headers['content-type'];
	const mimeType = typeof type === 'string' ? type.split(';')[0] : undefined;
	return { data: Buffer.from(body as unknown as ArrayBuffer), mimeType };
}

function noFile(what: string, httpStatus?: number): ServiceError {
	return new ServiceError(`The file could not be fetched: ${what}`, {
		code: 'FILE_UNAVAILABLE',
		advice: 'Such an address works for a short time. Run this again to get a new one.',
		httpStatus,
		accepted: 'no',
	});
}

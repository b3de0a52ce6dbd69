import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { endpointUrl, parseBaseUrl } from './baseUrl';
import { isRecord, noAnswer, refusal, ServiceError } from './errors';

/** The places in n8n from which the service is called. */
export type ServiceCaller = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

export const CREDENTIAL = 'voiceAgentCallingApi';

export const DEFAULT_TIMEOUT_SECONDS = 60;

/** One request to the service. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** The path after `/api/v1`, a segment each. */
	path: readonly string[];
	/** Absent values are left out. */
	query?: IDataObject;
	/** Absent values are left out. */
	body?: IDataObject;
	/** The codes that the description gives this endpoint's refusals, by HTTP status ("Errors"). */
	codes?: Readonly<Record<number, string>>;
}

/** The service at a credential's Base URL. */
export interface Connection {
	base: URL;
	/** What no text may show. */
	secrets: string[];
}

/** @throws Error when the Base URL of the credential cannot be used */
export async function connect(caller: ServiceCaller): Promise<Connection> {
	const { baseUrl, environmentToken } = await caller.getCredentials(CREDENTIAL);
	return { base: parseBaseUrl(baseUrl), secrets: [String(environmentToken ?? '')] };
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
 * @returns the body, a JSON object
 * @throws ServiceError for every other outcome; its texts hold none of the connection's secrets
 */
export async function send(
	caller: ServiceCaller,
	connection: Connection,
	request: ServiceRequest,
	timeoutSeconds = DEFAULT_TIMEOUT_SECONDS,
): Promise<IDataObject> {
	const url = endpointUrl(connection.base, request.path);
	let response: IN8nHttpFullResponse;
	try {
		response = (await caller.helpers.httpRequestWithAuthentication.call(caller, CREDENTIAL, {
			method: request.method,
			url,
			qs: withoutAbsent(request.query ?? {}),
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
	const { statusCode, body } = response;
	if (statusCode < 200 || statusCode > 299) {
		throw refusal(statusCode, hide(connection.secrets, body), request.codes);
	}
	if (isRecord(body)) return body as IDataObject;
	throw new ServiceError(
		`The service answered with status ${statusCode}, but not with JSON`,
		{
			code: 'UNREADABLE_ANSWER',
			advice:
				"Check that the credential's Base URL is the service itself, and not a web page or a proxy before it.",
			httpStatus: statusCode,
			taken: 'unknown',
		},
	);
}

/** Replaces secrets that a body sent back would bring into error texts. */
function hide(secrets: readonly string[], body: unknown): unknown {
	const known = secrets.filter((secret) => secret.length >= 4);
	if (body === undefined || known.length === 0) return body;
	const shown = known.reduce(
		(json, secret) => json.replaceAll(JSON.stringify(secret).slice(1, -1), '[hidden]'),
		JSON.stringify(body),
	);
	return JSON.parse(shown) as unknown;
}

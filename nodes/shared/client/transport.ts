import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IWebhookFunctions,
} from 'n8n-workflow';

import { invalid, unreadable } from '../errors/serviceError';
import { tokenOf } from '../keys';
import { isRecord, isTooDeep, TOO_DEEP } from '../lib/json';
import { enteredNumber } from '../lib/text';
import { CONTEXT_FIELD, withoutResumeTokens } from '../triggerSecrets/resumeToken';
import { endpointUrl, parseBaseUrl } from './baseUrl';
import { withData } from './forms';
import { ignoredStatuses, missingResponse, responseIn, tunnelRefused } from './missingResponse';
import type { ResponseHeaders } from './rateLimit';
import { errorOf, notTheService } from './refusals';
import type { ServiceRequest } from './request';
import {
	headerSecretsIn,
	hideResumeTokens,
	hideSecrets,
	RESUME_TOKENS,
	SECRET_HEADER_NAMES,
	secretsIn,
	spellings,
} from './secrets';

/** The function objects of n8n that can send requests to the service. */
export type ServiceCaller = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

const CREDENTIAL = 'voiceAgentCallingApi';

/** How long to wait for a response if the user sets no other timeout. */
export const DEFAULT_TIMEOUT_SECONDS = 60;

/** The settings of a credential. */
export interface Connection {
	base: URL;
	/** Whether every call must be a test call. */
	testCallsOnly: boolean;
	/** How many calls an execution may send; absent without a limit. */
	callsPerRun?: number;
	/** How many real calls may be placed per day; absent without a limit. */
	callsPerDay?: number;
	/** Texts that must not appear in anything that n8n stores. */
	secrets: string[];
}

/** Reads the credential. Sends nothing. @throws Error with a message for the user, if the Base URL is invalid */
export async function connect(caller: ServiceCaller): Promise<Connection> {
	return connectionOf(await caller.getCredentials(CREDENTIAL));
}

/** Reads the settings in the data of a credential. @throws Error with a message for the user, if the URL is invalid */
export function connectionOf(data: ICredentialDataDecryptedObject): Connection {
	const { baseUrl, environmentToken, testCallsOnly } = data;
	return {
		base: parseBaseUrl(baseUrl, environmentToken),
		// n8n fills in the default if nothing was entered, so only an expression can lack a value. It must not allow real
		// calls.
		testCallsOnly: testCallsOnly !== false && testCallsOnly !== 'false',
		callsPerRun: limitIn(data.callsPerRun),
		callsPerDay: limitIn(data.callsPerDay),
		secrets: spellings(tokenOf(environmentToken)),
	};
}

/**
 * Reads a limit of a credential. Returns undefined for 0, which means no limit, and NaN for any value that is not a
 * whole number, because an expression can return anything.
 */
function limitIn(value: unknown): number | undefined {
	const limit = enteredNumber(value);
	if (typeof limit !== 'number' || !Number.isSafeInteger(limit) || limit < 0) {
		return Number.NaN;
	}
	return limit === 0 ? undefined : limit;
}

/** @throws ServiceError `INVALID_INPUT` if a limit of the credential cannot be read: nobody may be called then */
export function assertLimits({ callsPerRun, callsPerDay }: Connection): void {
	const unreadable = [Number.isNaN(callsPerRun) && 'Calls per Run', Number.isNaN(callsPerDay) && 'Calls per Day'];
	const names = unreadable.filter((name) => name !== false).map((name) => `'${name}'`);
	if (names.length > 0) {
		throw invalid(
			`${names.join(' and ')} in the credential must be a whole number`,
			'Correct it, or its expression. Enter 0 for no limit.',
		);
	}
}

function withoutAbsent(values: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/**
 * Returns a body as JSON; undefined if it is empty. n8n's HTTP library would copy an object without the keys
 * `constructor`, `prototype` and `__proto__`.
 */
function jsonOf(body: IDataObject): string | undefined {
	const json = JSON.stringify(body);
	return json === '{}' ? undefined : json;
}

/**
 * Removes the secrets and resume tokens that the service may echo. Few responses contain any: only these are copied.
 */
function withoutPrivate(body: unknown, secrets: readonly string[]): unknown {
	if (!mentions(body, [CONTEXT_FIELD, ...RESUME_TOKENS, ...SECRET_HEADER_NAMES, ...secrets])) {
		return body;
	}
	const ofHeader = mentions(body, SECRET_HEADER_NAMES) ? headerSecretsIn(body) : [];
	return hideSecrets(hideResumeTokens(withoutResumeTokens(body)), [...secrets, ...ofHeader]);
}

/** Whether a text or the name of a property contains one of some words, at any depth. */
function mentions(value: unknown, words: readonly string[]): boolean {
	if (typeof value === 'string') {
		return words.some((word) => value.includes(word));
	}
	if (Array.isArray(value)) {
		return value.some((inner) => mentions(inner, words));
	}
	return isRecord(value) && Object.keys(value).some((key) => mentions(key, words) || mentions(value[key], words));
}

/** Resembles the error with which n8n ends a request after its timeout. */
const TIMEOUT_ERROR = { code: 'ETIMEDOUT' };

/** Functions to call at a point in time. */
interface Alarm {
	at: number;
	pending: Set<() => void>;
}

/** The last result of {@link alarmIn}. */
let lastAlarm: Alarm | undefined;

/**
 * Returns an alarm after some milliseconds. Requests of the same second share one, because creating a signal is slow,
 * and they share its only listener, because Node.js warns of more than ten.
 */
function alarmIn(ms: number): Alarm {
	const now = performance.now();
	const at = Math.ceil((now + ms) / 1000) * 1000;
	if (lastAlarm?.at === at) {
		return lastAlarm;
	}
	const alarm: Alarm = { at, pending: new Set() };
	AbortSignal.timeout(Math.ceil(at - now)).addEventListener('abort', () => {
		for (const stop of alarm.pending) {
			stop();
		}
	});
	lastAlarm = alarm;
	return alarm;
}

/**
 * Waits for a response. n8n's timeout counts from the last received byte, so a response that trickles in could take
 * forever.
 *
 * @param ms the limit for the whole response; up to a second later, it rejects with {@link TIMEOUT_ERROR}
 */
async function awaitWithin<Value>(ms: number, response: Promise<Value>): Promise<Value> {
	const { pending } = alarmIn(ms);
	let stop = () => {};
	const timeOut = new Promise<never>((_resolve, reject) => {
		stop = () => reject(TIMEOUT_ERROR);
		pending.add(stop);
	});
	try {
		return await Promise.race([response, timeOut]);
	} finally {
		pending.delete(stop);
	}
}

/** Sends one request, see {@link sendBy}. */
export async function send(
	caller: ServiceCaller,
	connection: Connection,
	request: ServiceRequest,
	timeoutSeconds?: number,
	onResponse?: (headers: ResponseHeaders) => void,
): Promise<IDataObject> {
	const transmit = async (options: IHttpRequestOptions) =>
		await caller.helpers.httpRequestWithAuthentication.call(caller, CREDENTIAL, options);
	return await sendBy(transmit, connection, request, timeoutSeconds, onResponse);
}

/**
 * Sends one request, exactly once; send.ts decides about further attempts. A response that is not a success becomes an
 * error in refusals.ts, a missing response in missingResponse.ts.
 *
 * n8n's helper must not check the status (it would send the request again after a 401) and must not follow redirects
 * (it would send the body and the token to another host).
 *
 * @param transmit adds the token, and sends the request with the helper of n8n
 * @param timeoutSeconds how long to wait for the next byte of the response; the whole response may take twice as long
 * @param onResponse called with the response headers
 * @returns the body, a JSON object, without secrets and resume tokens that the service may echo
 * @throws ServiceError without secrets, if the response is missing or not a success with a JSON object; also for a
 *   success status with `success: false`, unless the request reads that value
 */
export async function sendBy(
	transmit: (options: IHttpRequestOptions) => Promise<unknown>,
	connection: Connection,
	request: ServiceRequest,
	timeoutSeconds = DEFAULT_TIMEOUT_SECONDS,
	onResponse?: (headers: ResponseHeaders) => void,
): Promise<IDataObject> {
	const url = endpointUrl(connection.base, request.path);
	const json = request.body && jsonOf(request.body);
	let response: IN8nHttpFullResponse;
	try {
		const sent = transmit({
			method: request.method,
			url,
			...(request.query && { qs: withoutAbsent(request.query), arrayFormat: 'brackets' as const }),
			...(json && { body: json, headers: { 'Content-Type': 'application/json' } }),
			json: true,
			timeout: timeoutSeconds * 1000,
			returnFullResponse: true,
			ignoreHttpStatusErrors: ignoredStatuses(connection.base),
			disableFollowRedirect: true,
		});
		response = (await awaitWithin(2 * timeoutSeconds * 1000, sent)) as IN8nHttpFullResponse;
	} catch (cause) {
		const received = responseIn(cause);
		if (received === undefined) {
			throw missingResponse(cause, connection.base);
		}
		if (connection.base.protocol === 'https:' && received.isEncrypted === false) {
			throw tunnelRefused(received.statusCode);
		}
		response = received;
	}
	const { statusCode, headers } = response;
	onResponse?.(headers);
	const isDeep = isTooDeep(response.body);
	const secrets = [...connection.secrets, ...secretsIn(request.body)];
	const body = isDeep ? undefined : withoutPrivate(response.body, secrets);
	const reportsFailure = isRecord(body) && body.success === false && !request.readsFailure;
	if (statusCode < 200 || statusCode > 299 || reportsFailure) {
		throw errorOf(statusCode, body, request, headers);
	}
	if (isRecord(body) || Array.isArray(body)) {
		return withData(body as IDataObject);
	}
	// The service's earlier documentation states 204 for deletions.
	if (statusCode === 204 || (request.method === 'DELETE' && response.body === '')) {
		return {};
	}
	throw isDeep ? unreadable(`its response ${TOO_DEEP}`) : notTheService(statusCode);
}

import type { IDataObject } from 'n8n-workflow';

import { adviceByCode } from '../errors/adviceByCode';
import { isRecord, ServiceError } from '../errors/serviceError';
import { type Headers, retryAfterOf } from './rateLimit';
import type { ServiceRequest } from './request';

function join(...texts: Array<string | undefined>): string {
	return texts.filter((part) => part !== undefined).join(' ');
}

function text(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** "to: is required; delay_seconds: must be at most 3600" from a map or a list of messages. */
function fieldMessages(errors: unknown): string | undefined {
	if (Array.isArray(errors)) {
		return text(errors.map(String).join('; '));
	}
	if (!isRecord(errors)) {
		return undefined;
	}
	const lines = Object.entries(errors).map(
		([field, messages]) => `${field}: ${[messages].flat().join(' ').replace(/\.$/, '')}`,
	);
	return text(lines.join('; '));
}

interface Told {
	code?: string;
	message?: string;
	fields?: string;
	retryAfter?: number;
}

/**
 * Folds every body format of the service into one ("Errors"): flat with or without `code`, nested
 * under `error`, the authentication format with `status_code`, `errors` as a map or a list, and a bare
 * `error` or `message`.
 */
function told(body: unknown): Told {
	if (!isRecord(body)) {
		const plain = text(body);
		return plain !== undefined && !plain.startsWith('<') ? { message: plain.slice(0, 300) } : {};
	}
	const inner = isRecord(body.error) ? body.error : body;
	const named = text(body.error);
	const isCode = named !== undefined && /^[A-Z][A-Z0-9_]*$/.test(named);
	const details = isRecord(inner.details) ? inner.details : {};
	const retryAfter = Number(details.retry_after ?? inner.retry_after);
	return {
		code: text(inner.code) ?? (isCode ? named : undefined),
		message: text(inner.message) ?? (isCode ? undefined : named),
		fields: fieldMessages(body.errors) ?? fieldMessages(inner.errors),
		retryAfter: retryAfter > 0 ? retryAfter : undefined,
	};
}

interface Wording {
	code: string;
	message: string;
	advice: string;
}

/** HTTP status first: 401 and 403 share the code `UNAUTHORIZED`, so the code alone cannot tell. */
function wording(status: number): Wording {
	switch (status) {
		case 400:
			return {
				code: 'BAD_REQUEST',
				message: 'The service refused the request',
				advice: 'Check the values of this item.',
			};
		case 401:
			return {
				code: 'UNAUTHORIZED',
				message: 'The service does not accept the environment token',
				advice: 'Open the credential and paste the current token from the dashboard (Account, Environments).',
			};
		case 402:
			return {
				code: 'INSUFFICIENT_CREDITS',
				message: 'The account cannot pay for this',
				advice: 'Look at the credits and the way of payment in the dashboard.',
			};
		case 403:
			return {
				code: 'FORBIDDEN',
				message: 'The service does not allow this',
				advice:
					'If the environment token lacks the permission, use one that has it. Check too that the object belongs to its environment.',
			};
		case 404:
			return {
				code: 'NOT_FOUND',
				message: 'The service does not know this object',
				advice:
					"Check the ID, and that it belongs to the environment of the credential's token: Get Many shows what is there.",
			};
		case 409:
			return {
				code: 'CONFLICT',
				message: 'The request does not fit the present state',
				advice: 'Look at the object in the service and decide what to do.',
			};
		case 422:
			return {
				code: 'VALIDATION_ERROR',
				message: 'The service found values that it does not accept',
				advice: 'Correct the values named above.',
			};
		case 429:
			return {
				code: 'RATE_LIMIT_EXCEEDED',
				message: 'The service gets too many requests',
				advice: "Run this again later, or raise 'Max Wait' so that the node waits by itself.",
			};
		default:
			if (status >= 500) {
				return {
					code: 'SERVER_ERROR',
					message: 'The service had trouble of its own',
					advice: 'If this goes on, ask whoever runs the service.',
				};
			}
			if (status >= 300 && status < 400) {
				return {
					code: 'REDIRECTED',
					message: 'The service redirects to another address, which was not followed',
					advice: "Check the credential's Base URL: the token is sent to this address alone.",
				};
			}
			return {
				code: `HTTP_${status}`,
				message: 'The service refused the request',
				advice: 'Check the values of this item.',
			};
	}
}

/**
 * The answers with which the service certainly has not acted. A 408, a 5xx or a redirect after a POST
 * can come from a proxy that gave up waiting, or from a service that acted before.
 */
const CERTAINLY_NOT_TAKEN = [307, 308, 400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 422, 429];

/**
 * Makes the error for an answer that is not a success.
 *
 * @param codes the codes that the description gives this endpoint by HTTP status: flat bodies
 * mostly carry none
 * @param advice what to do, by HTTP status, where this endpoint's refusals have a meaning of their own
 * @param headers by their names in lower case
 */
export function refusal(
	status: number,
	body: unknown,
	{ codes = {}, advice = {} }: Pick<ServiceRequest, 'codes' | 'advice'> = {},
	headers: Headers = {},
): ServiceError {
	const { code, message, fields, retryAfter = retryAfterOf(headers, Date.now()) } = told(body);
	const words = wording(status);
	const implied = codes[status];
	const ofStatus =
		typeof implied === 'object' ? (implied.says.test(message ?? '') ? implied.code : undefined) : implied;
	const finalCode = code ?? ofStatus ?? words.code;
	const said = message !== undefined && fields?.includes(message.replace(/\.$/, '')) ? fields : join(message, fields);
	return new ServiceError(said ? `${words.message}: ${said}` : words.message, {
		code: finalCode,
		advice: join(
			adviceByCode[finalCode] ?? advice[status] ?? words.advice,
			retryAfter === undefined ? undefined : `The service asks to wait ${Math.ceil(retryAfter)} seconds.`,
		),
		httpStatus: status,
		taken: CERTAINLY_NOT_TAKEN.includes(status) ? 'no' : 'unknown',
		body,
		retryAfter,
	});
}

const HOST_NOT_FOUND = 'HOST_NOT_FOUND';
const CERTIFICATE_NOT_TRUSTED = 'CERTIFICATE_NOT_TRUSTED';

/** The codes of errors after which nothing reaches the service until somebody mends the way to it. */
export const NO_WAY = ['UNREACHABLE', HOST_NOT_FOUND, CERTIFICATE_NOT_TRUSTED];

const REACH = "Check the credential's Base URL, and that n8n can reach it.";
const TRUST = 'If it is your own, give n8n the certificate of its signer: environment variable NODE_EXTRA_CA_CERTS.';

/**
 * Connection codes that mean, where they arise on connecting, that no byte of the request has left: what
 * happened and what to do.
 */
const nothingSent: Record<string, [what: string, advice: string, code?: string]> = {
	ECONNREFUSED: ['nothing listens at the Base URL', REACH],
	ENOTFOUND: ['the host name of the Base URL is not known', REACH, HOST_NOT_FOUND],
	EAI_AGAIN: ['the host name of the Base URL could not be looked up', REACH],
	EHOSTUNREACH: ['there is no way to the host of the Base URL', REACH],
	ENETUNREACH: ['there is no way to the network of the Base URL', REACH],
	DEPTH_ZERO_SELF_SIGNED_CERT: ['its certificate is signed by itself', TRUST, CERTIFICATE_NOT_TRUSTED],
	SELF_SIGNED_CERT_IN_CHAIN: ['its certificate is signed by nobody known', TRUST, CERTIFICATE_NOT_TRUSTED],
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['its certificate cannot be verified', TRUST, CERTIFICATE_NOT_TRUSTED],
	CERT_HAS_EXPIRED: [
		'its certificate has expired',
		'Ask whoever runs it to renew the certificate.',
		CERTIFICATE_NOT_TRUSTED,
	],
	ERR_TLS_CERT_ALTNAME_INVALID: [
		'its certificate is for another host',
		"Write the Base URL's host name as the certificate has it.",
		CERTIFICATE_NOT_TRUSTED,
	],
};

/**
 * Makes the error for a request that got no answer. Nothing of the cause is kept but its code: the
 * cause of an HTTP library carries the request's headers, and with them the token.
 */
export function noAnswer(cause: unknown): ServiceError {
	const { code, syscall } = connectionError(cause);
	// A host can also become unreachable while the answer is awaited.
	const before = syscall === 'read' || syscall === 'write' ? undefined : nothingSent[code ?? ''];
	if (before !== undefined) {
		const [what, advice, noWay = 'UNREACHABLE'] = before;
		return new ServiceError(`The service could not be reached: ${what}`, {
			code: noWay,
			advice,
			taken: 'no',
		});
	}
	const timedOut = code === 'ETIMEDOUT' || code === 'ECONNABORTED';
	return new ServiceError(
		timedOut
			? 'The service did not answer within the request timeout'
			: 'The connection to the service was cut before it answered',
		{
			code: timedOut ? 'TIMEOUT' : 'CONNECTION_LOST',
			advice: timedOut
				? "If this happens often, raise 'Request Timeout'."
				: 'If this happens often, look at what is between n8n and the service.',
			taken: 'unknown',
		},
	);
}

/** The first error in the chain of causes with a code of Node's own. */
function connectionError(cause: unknown): { code?: string; syscall?: unknown } {
	for (let at = cause, depth = 0; isRecord(at) && depth < 5; at = at.cause, depth++) {
		const { code, syscall } = at;
		if (typeof code !== 'string') {
			continue;
		}
		if (code in nothingSent || code === 'ETIMEDOUT' || code === 'ECONNABORTED') {
			return { code, syscall };
		}
	}
	return {};
}

/** The values that a refusal finds wrong, by the service's names. */
export function valuesNamed(body: unknown): string[] {
	if (!isRecord(body)) {
		return [];
	}
	const errors = body.errors ?? (isRecord(body.error) ? body.error.errors : undefined);
	if (!isRecord(errors)) {
		return [];
	}
	return [...new Set(Object.keys(errors).map((name) => name.split('.')[0]))];
}

/** What a success body without the expected data says for itself. */
export function messageIn(body: IDataObject): string | undefined {
	return told(body).message;
}

import {
	authenticationError,
	type FieldErrors,
	firstMessage,
	flatError,
	HttpError,
	invalidFields,
	nestedError,
} from './httpErrors.mts';

/** The bodies of the errors that every route can answer with. */
interface RefusalFormat {
	/** 401 for an unknown token. A missing and an expired one are the same for all routes. */
	invalidToken(): HttpError;
	/** 422 for a body or a query that its schema rejects. */
	invalidFields(errors: FieldErrors): HttpError;
	/** Every other error: 400, 403, 429 and 500. The flat format mostly shows neither `code` nor `details`. */
	other(status: number, code: string, message: string, details?: Record<string, unknown>): HttpError;
}

const flat: Omit<RefusalFormat, 'invalidToken'> = {
	invalidFields,
	other: (status, _code, message) => flatError(status, message),
};

function plainUnauthenticated(): HttpError {
	return new HttpError(401, 'Unauthenticated.', { message: 'Unauthenticated.' });
}

function unauthorized(): HttpError {
	return flatError(401, 'Unauthorized');
}

/**
 * How a route refuses a request. The service's description differs from page to page: a new route takes the value of
 * the routes next to it.
 *
 * | Value | Routes |
 * |---|---|
 * | `unauthenticated` | `/agents` and below, `/callback-agents` and below, `/action-integrations` |
 * | `bare` | `/agents/{agent_id}/webhooks` and below |
 * | `nested` | the two routes that place a call |
 * | `campaignCall` | the route that queues one |
 * | `coded` | `/calendars` and below |
 * | `authentication` | `/sip-trunks` and below, `/health`, unknown paths |
 * | `message` | the creation of a campaign |
 * | `unauthorized` | all others |
 *
 * An error that only one route has, such as a conflict with the current state, is thrown by its handler as it is sent.
 */
export const REFUSALS = {
	/** 401: `{success: false, message: "Unauthenticated."}`; other errors are flat. */
	unauthenticated: { ...flat, invalidToken: () => flatError(401, 'Unauthenticated.') },
	/** 401: `{message}`; 422: `{message, errors}`; other errors are flat. */
	bare: {
		...flat,
		invalidToken: plainUnauthenticated,
		invalidFields(errors) {
			const message = firstMessage(errors);
			return new HttpError(422, message, { message, errors });
		},
	},
	/** 401: `{error: {code: "INVALID_TOKEN", message}}`; other errors are nested as well. */
	nested: {
		invalidToken: () => nestedError(401, 'INVALID_TOKEN', 'The token is invalid.'),
		invalidFields: (errors) => nestedError(422, 'VALIDATION_ERROR', firstMessage(errors), { errors }),
		other: nestedError,
	},
	/** As `unauthorized`; the 429 has `code` and `details`. */
	campaignCall: {
		...flat,
		invalidToken: unauthorized,
		other: (status: number, code: string, message: string, details?: Record<string, unknown>) =>
			flatError(status, message, status === 429 ? { code, details } : {}),
	},
	/** 401: `{success: false, error: {code: "INVALID_API_KEY", message, details}}`; other errors are flat. */
	coded: {
		...flat,
		invalidToken() {
			const error = { code: 'INVALID_API_KEY', message: 'The token is invalid.', details: {} };
			return new HttpError(401, error.message, { success: false, error });
		},
	},
	/** 401: `{error: "UNAUTHORIZED", message, status_code}`; other errors are flat. */
	authentication: {
		...flat,
		invalidToken: () => authenticationError('UNAUTHORIZED', 'The token is invalid.'),
	},
	/** 401: `{message}`; other errors are flat. */
	message: { ...flat, invalidToken: plainUnauthenticated },
	/** 401: `{success: false, message: "Unauthorized"}`; other errors are flat. */
	unauthorized: { ...flat, invalidToken: unauthorized },
} as const satisfies Record<string, RefusalFormat>;

/** A key of `REFUSALS`, which says which routes have which. */
export type Refusal = keyof typeof REFUSALS;

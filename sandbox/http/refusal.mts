import {
	authenticationError,
	type FieldErrors,
	firstMessage,
	flatError,
	HttpError,
	invalidFields,
	nestedError,
} from './httpErrors.mts';

/** The errors of every route, in one format. */
interface RefusalFormat {
	/** 401 for an unknown token. The errors for a missing or expired token are the same in all routes. */
	invalidToken(): HttpError;
	/** 422 for a body or a query that violates its schema. */
	invalidFields(errors: FieldErrors): HttpError;
	/** All other errors: 400, 403, 429 and 500. The flat format usually omits `code` and `details`. */
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
 * The formats in which routes refuse requests. They differ between the pages of the service's description. A new route
 * uses the format of the routes next to it.
 *
 * | Value | Routes |
 * |---|---|
 * | `unauthenticated` | `/agents` and below, `/callback-agents` and below, `/action-integrations` |
 * | `bare` | `/agents/{agent_id}/webhooks` and below |
 * | `nested` | the two routes that place a call |
 * | `campaignCall` | the route that queues a call |
 * | `coded` | `/calendars` and below |
 * | `authentication` | `/sip-trunks` and below, `/health`, unknown paths |
 * | `message` | the creation of a campaign |
 * | `unauthorized` | all others |
 *
 * The handler of a route throws the errors that are specific to it, such as a conflict with the current state.
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

/** The format of a route's errors. */
export type Refusal = keyof typeof REFUSALS;

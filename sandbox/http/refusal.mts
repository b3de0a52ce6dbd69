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
	/** Every other error: 400, 403, 429 and 500. The flat format shows neither `code` nor `details`. */
	other(status: number, code: string, message: string, details?: Record<string, unknown>): HttpError;
}

const flat: Omit<RefusalFormat, 'invalidToken'> = {
	invalidFields,
	other: (status, _code, message) => flatError(status, message),
};

function plainUnauthenticated(): HttpError {
	return new HttpError(401, 'Unauthenticated.', { message: 'Unauthenticated.' });
}

/**
 * How a route refuses a request. The pages of the service's description differ, and each new route takes the value of
 * its neighbors:
 *
 * | Value | Routes | 401 for an unknown token | Other errors |
 * |---|---|---|---|
 * | `unauthenticated` | `/agents` and below, `/action-integrations` | `{success: false, message: "Unauthenticated."}` | flat |
 * | `bare` | `/agents/{agent_id}/webhooks` and below | `{message}` | flat; a 422 is `{message, errors}` |
 * | `nested` | the two routes that place a call | `{error: {code: "INVALID_TOKEN", message}}` | nested |
 * | `coded` | `/calendars` and below | `{success: false, error: {code: "INVALID_API_KEY", message, details}}` | flat |
 * | `authentication` | `/sip-trunks` and below, `/health`, unknown paths | `{error: "UNAUTHORIZED", message, status_code}` | flat |
 * | `message` | the creation of a campaign | `{message}` | flat |
 * | `unauthorized` | everything else | `{success: false, message: "Unauthorized"}` | flat |
 *
 * What only one route refuses, such as a state that does not allow the request, its handler throws as it should be sent.
 */
export const REFUSALS = {
	unauthenticated: { ...flat, invalidToken: () => flatError(401, 'Unauthenticated.') },
	bare: {
		...flat,
		invalidToken: plainUnauthenticated,
		invalidFields(errors) {
			const message = firstMessage(errors);
			return new HttpError(422, message, { message, errors });
		},
	},
	nested: {
		invalidToken: () => nestedError(401, 'INVALID_TOKEN', 'The token is invalid.'),
		invalidFields: (errors) => nestedError(422, 'VALIDATION_ERROR', firstMessage(errors), { errors }),
		other: nestedError,
	},
	coded: {
		...flat,
		invalidToken() {
			const error = { code: 'INVALID_API_KEY', message: 'The token is invalid.', details: {} };
			return new HttpError(401, error.message, { success: false, error });
		},
	},
	authentication: {
		...flat,
		invalidToken: () => authenticationError('UNAUTHORIZED', 'The token is invalid.'),
	},
	message: { ...flat, invalidToken: plainUnauthenticated },
	unauthorized: { ...flat, invalidToken: () => flatError(401, 'Unauthorized') },
} as const satisfies Record<string, RefusalFormat>;

/** A key of `REFUSALS`, which says which routes have which. */
export type Refusal = keyof typeof REFUSALS;

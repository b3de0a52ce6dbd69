import { z } from 'zod';

import { named } from './named.mts';
import type { Refusal } from './refusal.mts';
import { messageText } from './responseSchemas.mts';

const failed = { success: z.literal(false), message: messageText };
const fieldErrors = z
	.record(z.array(z.string()))
	.describe('From field name (nested ones in dot notation) to messages.');

/** The flat format of most errors. */
export const flatErrorBody = named('FlatError', z.object(failed));
/** 422 in the flat format. */
export const flatInvalidBody = named('FlatValidationError', z.object({ ...failed, errors: fieldErrors }));
const bareError = named('BareError', z.object({ message: messageText }));
const bareInvalid = named('BareValidationError', z.object({ message: messageText, errors: fieldErrors }));
const authentication = named(
	'AuthenticationError',
	z.object({
		error: z.enum(['UNAUTHORIZED', 'TOKEN_EXPIRED', 'MISSING_TOKEN']),
		message: messageText,
		status_code: z.literal(401),
	}),
);
const apiKeyError = named(
	'ApiKeyError',
	z.object({
		success: z.literal(false),
		error: z.object({ code: z.literal('INVALID_API_KEY'), message: messageText, details: z.object({}) }),
	}),
);
/** The flat format with a `code`. */
export function codedError<Code extends string>(...codes: [Code, ...Code[]]) {
	return z.object({ ...failed, code: z.enum(codes) });
}

/** The nested format. @param details further data about the error; absent in most errors */
export function nestedErrorBody<Code extends string>(codes: [Code, ...Code[]], details?: z.ZodRawShape) {
	return z.object({
		error: z.object({
			code: z.enum(codes),
			message: messageText,
			...(details && { details: z.object(details) }),
		}),
	});
}

/** The flat format with further fields. */
export function flatErrorWith(fields: z.ZodRawShape) {
	return z.object({ ...failed, ...fields });
}

/** How long to wait after a 429. */
const retryAfter = { retry_after: z.number().int().min(1).describe('Seconds.') };

const nested = {
	400: named('NestedBodyError', nestedErrorBody(['INVALID_JSON'])),
	401: named('NestedTokenError', nestedErrorBody(['INVALID_TOKEN'])),
	403: named('NestedPermissionError', nestedErrorBody(['UNAUTHORIZED'])),
	413: named('NestedBodyTooLargeError', nestedErrorBody(['PAYLOAD_TOO_LARGE'])),
	415: named('NestedContentTypeError', nestedErrorBody(['UNSUPPORTED_MEDIA_TYPE'])),
	422: named('NestedValidationError', nestedErrorBody(['VALIDATION_ERROR'], { errors: fieldErrors })),
	429: named('NestedRateLimitError', nestedErrorBody(['RATE_LIMIT_EXCEEDED'], retryAfter)),
	500: named('NestedServerError', nestedErrorBody(['SERVER_ERROR'])),
};

const codedRateLimit = named(
	'FlatRateLimitError',
	codedError('RATE_LIMIT_EXCEEDED').extend({ details: z.object(retryAfter) }),
);

/** The status of an error that many routes share. */
export type CommonStatus = 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 500;

/** Returns the bodies of the errors that all routes with a format share, by status. `refusal.mts` sends them. */
export function refusalBodies(refusal: Refusal): Record<CommonStatus, z.ZodTypeAny[]> {
	const flat = {
		400: [flatErrorBody],
		403: [flatErrorBody],
		404: [flatErrorBody],
		413: [flatErrorBody],
		415: [flatErrorBody],
		422: [flatInvalidBody],
		429: [flatErrorBody],
		500: [flatErrorBody],
	};
	switch (refusal) {
		case 'campaignCall':
			return { ...flat, 401: [authentication, flatErrorBody], 429: [codedRateLimit] };
		case 'unauthenticated':
		case 'unauthorized':
			return { ...flat, 401: [authentication, flatErrorBody] };
		case 'bare':
			return { ...flat, 401: [authentication, bareError], 422: [bareInvalid] };
		case 'message':
			return { ...flat, 401: [authentication, bareError] };
		case 'coded':
			return { ...flat, 401: [authentication, apiKeyError] };
		case 'authentication':
			return { ...flat, 401: [authentication] };
		case 'nested':
			return {
				...flat,
				400: [nested[400]],
				401: [authentication, nested[401]],
				403: [nested[403]],
				413: [nested[413]],
				415: [nested[415]],
				422: [nested[422]],
				429: [nested[429]],
				500: [nested[500]],
			};
	}
}

import { z } from 'zod';

import { FRAMING_HEADERS } from '../engine/deliveries/headers.mts';
import { anyObject, httpHeader } from '../http/schemas.mts';
import { FAULT_KINDS } from '../world/fault.mts';

/** Longest latency, in milliseconds: a day. A timer cannot wait much longer. */
const LONGEST_MS = 86_400_000;

function isSendable([key, value]: [string, string]): boolean {
	return httpHeader.safeParse({ key, value }).success && !FRAMING_HEADERS.includes(key.toLowerCase());
}

const headers = anyObject
	.pipe(z.record(z.string()))
	.refine((given) => Object.entries(given).every(isSendable), 'The headers field has a header that cannot be sent.');

/** Body of `POST /_sandbox/faults`. */
export const faultSchema = z
	.object({
		match: z.object({ method: z.string().optional(), path: z.string().optional() }).strict().default({}),
		kind: z.enum(FAULT_KINDS),
		status: z.number().int().min(200).max(599).optional(),
		body: z.unknown(),
		headers: headers.optional(),
		ms: z.number().min(0).max(LONGEST_MS).optional(),
		times: z.number().int().min(1).default(1),
	})
	.strict()
	.superRefine((fault, context) => {
		if (fault.kind === 'status' && fault.status === undefined) {
			context.addIssue({ code: 'custom', path: ['status'], message: 'The status field is required.' });
		}
		if (fault.kind === 'latency' && fault.ms === undefined) {
			context.addIssue({ code: 'custom', path: ['ms'], message: 'The ms field is required.' });
		}
	});

import { z } from 'zod';

import { anyObject } from '../http/schemas.mts';
import { FAULT_KINDS } from '../world/fault.mts';

/** Body of `POST /_sandbox/faults`. */
export const faultSchema = z
	.object({
		match: z.object({ method: z.string().optional(), path: z.string().optional() }).default({}),
		kind: z.enum(FAULT_KINDS),
		status: z.number().int().min(200).max(599).optional(),
		body: z.unknown(),
		headers: anyObject.pipe(z.record(z.string())).optional(),
		ms: z.number().min(0).optional(),
		times: z.number().int().min(1).default(1),
	})
	.superRefine((fault, context) => {
		if (fault.kind === 'status' && fault.status === undefined) {
			context.addIssue({ code: 'custom', path: ['status'], message: 'The status field is required.' });
		}
		if (fault.kind === 'latency' && fault.ms === undefined) {
			context.addIssue({ code: 'custom', path: ['ms'], message: 'The ms field is required.' });
		}
	});

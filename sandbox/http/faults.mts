import { z } from 'zod';

import type { World } from '../world/world.mts';
import { anyObject } from './validation.mts';

/** Body of `POST /_sandbox/faults`. */
export const faultSchema = z
	.object({
		match: z.object({ method: z.string().optional(), path: z.string().optional() }).default({}),
		kind: z.enum(['status', 'latency', 'drop-before', 'drop-after', 'malformed']),
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

/** A fault that waits for requests; `times` counts down. */
export type Fault = z.output<typeof faultSchema>;

/** The first fault that matches a request, used up by one; undefined where none does. */
export function takeFault(world: World, method: string, path: string): Fault | undefined {
	const fault = world.faults.find(({ match }) => {
		const sameMethod = !match.method || match.method.toUpperCase() === method;
		return sameMethod && (!match.path || pathMatches(match.path, path));
	});
	if (!fault) {
		return undefined;
	}
	fault.times -= 1;
	if (fault.times === 0) {
		world.faults.splice(world.faults.indexOf(fault), 1);
	}
	return fault;
}

function pathMatches(pattern: string, path: string): boolean {
	return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

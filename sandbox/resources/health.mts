import { z } from 'zod';

import { type Route, route } from '../http/route.mts';

/** `GET /health`: needs no token and does not count against the rate limit. */
export const healthRoutes: Route[] = [
	route({
		method: 'GET',
		path: '/api/v1/health',
		summary: 'Check that the service is up',
		description: 'Needs no token and counts against no rate limit.',
		refusal: 'authentication',
		open: true,
		responses: { 200: z.object({ status: z.literal('ok') }) },
		handle: () => ({ status: 200, body: { status: 'ok' } }),
	}),
];

import type { Route } from '../http/route.mts';

/** `GET /health`: needs no token and counts against no limit. */
export const healthRoutes: Route[] = [
	{
		method: 'GET',
		path: '/api/v1/health',
		refusal: 'authentication',
		open: true,
		handle: () => ({ status: 200, body: { status: 'ok' } }),
	},
];

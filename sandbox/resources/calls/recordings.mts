import { notFound } from '../../http/httpErrors.mts';
import { type Route, route } from '../../http/route.mts';
import { SILENCE } from '../../http/silence.mts';

const FILE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.mp3$/;

/** The recordings of calls: silence for every one. */
export const recordingRoutes: Route[] = [
	route({
		method: 'GET',
		path: '/recordings/:file',
		summary: 'Listen to the recording of a call, by the address in its event',
		refusal: 'unauthorized',
		open: true,
		handle({ params }) {
			if (!FILE.test(params.file ?? '')) {
				throw notFound('Recording');
			}
			return { status: 200, type: 'audio/mpeg', body: SILENCE };
		},
	}),
];

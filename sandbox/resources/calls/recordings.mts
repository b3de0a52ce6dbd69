import { notFound } from '../../http/httpErrors.mts';
import { type Route, route } from '../../http/route.mts';
import { silence } from '../../http/silence.mts';
import type { World } from '../../world/world.mts';

const FILE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.mp3$/;

/** The recordings of calls: silence as long as the call, or a second of silence for the call of a sample event. */
export const recordingRoutes: Route[] = [
	route({
		method: 'GET',
		path: '/recordings/:file',
		summary: 'Listen to the recording of a call, by the address in its event',
		description: 'Needs no token. In the sandbox, it is silence as long as the call.',
		refusal: 'unauthorized',
		open: true,
		responses: { 200: 'audio/mpeg' },
		handle({ world, params }) {
			const { file = '' } = params;
			if (!FILE.test(file)) {
				throw notFound('Recording');
			}
			return { status: 200, type: 'audio/mpeg', body: silence(secondsOf(world, file.slice(0, -4))) };
		},
	}),
];

/** Returns the length of a call, or of the latest answered attempt of a campaign call. */
function secondsOf({ calls }: World, id: string): number {
	const call = calls.get(id) ?? [...calls.values()].findLast((own) => own.campaignCall?.id === id && own.duration > 0);
	return call?.duration ?? 1;
}

import type { Changes, NumberedChange } from '../world/changes.mts';
import { type ControlContext, type ControlRoute, control } from './controlRoute.mts';

/** Real milliseconds between heartbeats. */
const HEARTBEAT_MS = 15_000;
/** The most bytes that may wait for a slow reader. Beyond it, the reader has to load everything again. */
const WAITING_LIMIT = 1_000_000;

/** `GET /_sandbox/events`: every change as a server-sent event. */
export const eventStreams: ControlRoute[] = [control({ method: 'GET', path: 'events', handle: stream })];

/**
 * Sends changes until the reader disconnects. The first message is `ready`. A reader that names the last message it
 * received first gets all missed messages, or `reload` if they are no longer kept.
 */
function stream({ world, request, reply }: ControlContext): void {
	const { changes } = world;
	const { raw } = reply;
	reply.hijack();
	raw.writeHead(200, {
		'Content-Type': 'text/event-stream; charset=utf-8',
		'Cache-Control': 'no-store',
		'X-Accel-Buffering': 'no',
		'X-Content-Type-Options': 'nosniff',
	});
	if (request.method === 'HEAD') {
		raw.end();
		return;
	}
	let behind = false;
	const send = ({ id, change }: NumberedChange) => {
		if (behind) {
			return;
		}
		raw.write(`id: ${id}\ndata: ${JSON.stringify(change)}\n\n`);
		behind = raw.writableLength > WAITING_LIMIT;
	};
	raw.on('drain', () => {
		if (behind) {
			behind = false;
			send({ id: changes.lastId, change: { type: 'reload' } });
		}
	});
	for (const missed of missedBy(changes, request.headers['last-event-id'])) {
		send(missed);
	}
	const stop = changes.listen(send);
	const heartbeat = setInterval(() => {
		if (!behind) {
			raw.write(': alive\n\n');
		}
	}, HEARTBEAT_MS);
	raw.on('close', () => {
		clearInterval(heartbeat);
		stop();
	});
}

function missedBy(changes: Changes, last: string | string[] | undefined): NumberedChange[] {
	const id = changes.lastId;
	if (typeof last !== 'string' || last === '') {
		return [{ id, change: { type: 'ready' } }];
	}
	return changes.since(last) ?? [{ id, change: { type: 'reload' } }];
}

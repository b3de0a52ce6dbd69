import { shared } from './lib.js';

const RETRY_MS = 2000;

/** @typedef {{type: string, id?: string, status?: string, [more: string]: unknown}} Change a message of the stream */

const listeners = new Set();
let waiting = [];
/** `connecting`, `open` or `lost`. */
export const streamState = shared('connecting');
/** The open stream, if any. */
let source;

/**
 * Calls `listener` with the changes since the last animation frame.
 * @param {(changes: Change[]) => void} listener
 * @returns {() => void} removes the listener
 */
export function listen(listener) {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

function receive(change) {
	waiting.push(change);
	if (waiting.length === 1) {
		requestAnimationFrame(flush);
	}
}

function flush() {
	const changes = waiting;
	waiting = [];
	for (const listener of [...listeners]) {
		listener(changes);
	}
}

/** Follows changes while the tab is visible: for all tabs, a browser opens at most six connections to a server. */
export function connect() {
	const follow = () => {
		source?.close();
		source = undefined;
		if (!document.hidden) {
			open();
		}
	};
	document.addEventListener('visibilitychange', follow);
	follow();
}

/** Opens the stream, and reopens it whenever it ends. */
function open() {
	const opened = new EventSource('/_sandbox/events');
	source = opened;
	opened.onopen = () => {
		// Changes while the stream was closed are unknown.
		receive({ type: 'reload' });
		streamState.set('open');
	};
	opened.onmessage = ({ data }) => receive(JSON.parse(data));
	opened.onerror = () => {
		if (streamState.get() === 'connecting') {
			// What waits for the stream is loaded all the same, or says why not.
			receive({ type: 'reload' });
		}
		streamState.set('lost');
		if (opened.readyState === EventSource.CLOSED) {
			setTimeout(() => opened === source && open(), RETRY_MS);
		}
	};
}

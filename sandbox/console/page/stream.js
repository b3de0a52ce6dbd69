import { useEffect, useState } from './lib.js';

/** How many changes may wait for a frame, such as in a hidden tab; more of them count as one `reload`. */
const WAITING_LIMIT = 2000;
const RETRY_MS = 2000;

/** @typedef {{type: string, id?: string, status?: string, [more: string]: unknown}} Change what the stream says has changed */

const listeners = new Set();
const stateListeners = new Set();
let waiting = [];
let framed = false;
let state = 'connecting';

/**
 * Calls `listener` with the changes since the last animation frame.
 * @param {(changes: Change[]) => void} listener
 * @returns {() => void} what ends that
 */
export function listen(listener) {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** `connecting`, `open` or `lost`. */
export function useStreamState() {
	const [shown, setShown] = useState(state);
	useEffect(() => {
		stateListeners.add(setShown);
		setShown(state);
		return () => stateListeners.delete(setShown);
	}, []);
	return shown;
}

function setState(next) {
	state = next;
	for (const listener of stateListeners) {
		listener(next);
	}
}

function flush() {
	framed = false;
	const changes = waiting;
	waiting = [];
	for (const listener of [...listeners]) {
		listener(changes);
	}
}

function receive(change) {
	waiting.push(change);
	if (waiting.length > WAITING_LIMIT) {
		waiting = [{ type: 'reload' }];
	}
	if (!framed) {
		framed = true;
		requestAnimationFrame(flush);
	}
}

/**
 * Follows the changes. A browser keeps six connections to a server at most, for all tabs together, and a stream takes
 * one: so one tab has the stream and tells the others. When it is closed, another tab takes its place.
 */
export function connect() {
	// Browsers have no locks under other names than localhost: each tab has a stream of its own there.
	if (!navigator.locks) {
		open(() => {});
		return;
	}
	const tabs = new BroadcastChannel('changes');
	let hasStream = false;
	tabs.onmessage = ({ data }) => {
		if (data !== 'hello') {
			take(data);
		} else if (hasStream) {
			tabs.postMessage({ state });
		}
	};
	tabs.postMessage('hello');
	navigator.locks.request('changes', () => {
		hasStream = true;
		open((message) => tabs.postMessage(message));
		return new Promise(() => {});
	});
}

/** @param {{state?: string, change?: Change}} message of the stream */
function take({ state: next, change }) {
	if (change) {
		receive(change);
	}
	if (next) {
		setState(next);
	}
}

/** Opens the stream, and opens it again whenever it ends. @param {(message: object) => void} tell the other tabs */
function open(tell) {
	const source = new EventSource('/_sandbox/events');
	const pass = (message) => {
		take(message);
		tell(message);
	};
	source.onopen = () => {
		// What happened while there was no stream is unknown, also between the first requests and its start.
		pass({ state: 'open', change: { type: state === 'connecting' ? 'opened' : 'reload' } });
	};
	source.onmessage = ({ data }) => pass({ change: JSON.parse(data) });
	source.onerror = () => {
		pass({ state: 'lost' });
		if (source.readyState === EventSource.CLOSED) {
			setTimeout(() => open(tell), RETRY_MS);
		}
	};
}

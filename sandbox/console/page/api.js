import { useEffect, useRef, useState } from './lib.js';
import { listen } from './stream.js';

/** Fastest repetition of a request that follows changes, in milliseconds. */
const RELOAD_MS = 250;

/** A refusal of a control route, or a sandbox that does not answer (status 0). */
export class ApiError extends Error {
	constructor(message, status, errors = {}) {
		super(message);
		this.status = status;
		/** Messages by field, for 422. */
		this.errors = errors;
	}
}

/**
 * Sends a request to a control route.
 * @param {string} method
 * @param {string} path below `/_sandbox/`
 * @param {unknown} [body] a file is sent as it is
 * @throws {ApiError}
 */
export async function send(method, path, body) {
	let response;
	try {
		response = await fetch(`/_sandbox/${path}`, {
			method,
			...(body instanceof Blob
				? { body }
				: body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
		});
	} catch {
		throw new ApiError('The sandbox does not answer. Is it still running?', 0);
	}
	const data = await response.json().catch(() => ({}));
	if (!response.ok) {
		const fields = Object.values(data.errors ?? {}).flat();
		const message = [...new Set([data.message ?? `The sandbox answered with ${response.status}.`, ...fields])].join(
			' ',
		);
		throw new ApiError(message, response.status, data.errors);
	}
	return data;
}

/** A path with a query; empty values are left out. */
export function withQuery(path, query) {
	const filled = Object.entries(query).filter(([, value]) => value !== '' && value !== undefined && value !== null);
	return filled.length === 0 ? path : `${path}?${new URLSearchParams(filled)}`;
}

/** How many messages are shown at once. */
const NOTICES = 4;
/** How long a good message is shown, in milliseconds; a bad one stays until it is closed. */
const NOTICE_MS = 4000;

let lastNotice = 0;
/** @type {Array<{id: number, text: string, kind: 'good' | 'bad'}>} */
let notices = [];
const noticeListeners = new Set();

function setNotices(next) {
	notices = next;
	for (const listener of noticeListeners) {
		listener(notices);
	}
}

/** Shows a short message to the user. @param {'good' | 'bad'} kind */
export function notify(text, kind = 'good') {
	lastNotice += 1;
	const id = lastNotice;
	setNotices([...notices.slice(1 - NOTICES), { id, text, kind }]);
	if (kind === 'good') {
		setTimeout(() => closeNotice(id), NOTICE_MS);
	}
}

export function closeNotice(id) {
	setNotices(notices.filter((notice) => notice.id !== id));
}

/** The messages that are shown now. */
export function useNotices() {
	const [shown, setShown] = useState(notices);
	useEffect(() => {
		noticeListeners.add(setShown);
		setShown(notices);
		return () => noticeListeners.delete(setShown);
	}, []);
	return shown;
}

/**
 * Does what a button says, and shows the error if it did not work.
 * @param {() => Promise<unknown>} work
 * @param {string} [done] what to say if it worked
 * @returns {Promise<unknown>} the result; undefined after an error
 */
export async function attempt(work, done) {
	try {
		const result = await work();
		if (done) {
			notify(done);
		}
		return result ?? true;
	} catch (error) {
		notify(error.message, 'bad');
		return undefined;
	}
}

/**
 * Loads from a control route, and again after each change that matters.
 * @param {string | null} path null: nothing is loaded
 * @param {(change: import('./stream.js').Change) => boolean} [matters]
 * @returns {{data: any, error: ApiError | undefined, reload: () => void}} `data` is undefined until it is there
 */
export function useLoaded(path, matters = () => false) {
	const [state, setState] = useState({ path: null, data: undefined, error: undefined });
	const latest = useRef({ matters, reload: undefined });
	latest.current.matters = matters;
	useEffect(() => {
		if (path === null) {
			return undefined;
		}
		let over = false;
		let timer;
		let busy = false;
		let again = false;
		const load = async () => {
			if (busy) {
				again = true;
				return;
			}
			busy = true;
			try {
				const data = await send('GET', path);
				if (!over) {
					setState({ path, data, error: undefined });
				}
			} catch (error) {
				if (!over) {
					setState((old) => ({ path, error, data: error.status === 404 || old.path !== path ? undefined : old.data }));
				}
			}
			busy = false;
			timer = setTimeout(() => {
				timer = undefined;
				if (again && !over) {
					again = false;
					load();
				}
			}, RELOAD_MS);
		};
		const soon = () => {
			if (busy || timer !== undefined) {
				again = true;
			} else {
				load();
			}
		};
		latest.current.reload = soon;
		load();
		const stop = listen((changes) => {
			if (changes.some((change) => isReload(change) || latest.current.matters(change))) {
				soon();
			}
		});
		return () => {
			over = true;
			clearTimeout(timer);
			stop();
		};
	}, [path]);
	const reload = () => latest.current.reload?.();
	return state.path === path
		? { data: state.data, error: state.error, reload }
		: { data: undefined, error: undefined, reload };
}

/** Whether everything has to be loaded again. */
export function isReload({ type }) {
	return type === 'opened' || type === 'reload' || type === 'reset';
}

/** The names of all events, those of campaigns first. @param {{campaign: string[], agent: object} | undefined} kinds */
export function eventNames(kinds) {
	return kinds ? [...new Set([...kinds.campaign, ...Object.keys(kinds.agent)])] : [];
}

import { shared, useEffect, useRef, useState } from './lib.js';
import { listen, streamState } from './stream.js';

/** The shortest interval between requests that follow changes, in milliseconds. */
const RELOAD_MS = 250;

/** A refusal of a control route, or a missing response of the sandbox (status 0). */
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
 * @param {unknown} [body]
 * @throws {ApiError}
 */
export async function send(method, path, body) {
	let response;
	try {
		response = await fetch(`/_sandbox/${path}`, {
			method,
			...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
		});
	} catch {
		throw new ApiError('The sandbox does not respond. Is it still running?', 0);
	}
	const data = await response.json().catch(() => ({}));
	if (!response.ok) {
		const fields = Object.values(data.errors ?? {}).flat();
		const message = [...new Set([data.message ?? `The sandbox returned ${response.status}.`, ...fields])].join(' ');
		throw new ApiError(message, response.status, data.errors);
	}
	return data;
}

/** Builds a path with a query. Empty values are left out. */
export function withQuery(path, query) {
	const filled = Object.entries(query).filter(([, value]) => value !== '' && value !== undefined && value !== null);
	return filled.length === 0 ? path : `${path}?${new URLSearchParams(filled)}`;
}

/** The most messages that are shown at once. */
const NOTICES = 4;
/** How long a good message is shown, in milliseconds. A bad message stays until it is closed. */
const NOTICE_MS = 4000;

let lastNotice = 0;
/** The visible messages. */
export const notices = shared(/** @type {Array<{id: number, text: string, kind: 'good' | 'bad'}>} */ ([]));

/** Shows a short message to the user. @param {'good' | 'bad'} kind */
export function notify(text, kind = 'good') {
	lastNotice += 1;
	const id = lastNotice;
	notices.set([...notices.get().slice(1 - NOTICES), { id, text, kind }]);
	if (kind === 'good') {
		setTimeout(() => closeNotice(id), NOTICE_MS);
	}
}

export function closeNotice(id) {
	notices.set(notices.get().filter((notice) => notice.id !== id));
}

/**
 * Performs the work of a button, and shows its error.
 * @param {() => Promise<unknown>} work
 * @param {string} [done] the message after a success
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
 * Loads a state, and loads it again after each relevant change, with one request at a time.
 * @typedef {(now: () => any) => Promise<object | undefined>} Work returns changes of the state, which `now` returns
 * @param {string | null} key identifies the state; null: nothing is loaded
 * @param {Work} load
 * @param {(change: import('./stream.js').Change) => boolean} matters
 * @param {(state: any, changes: import('./stream.js').Change[]) => object | undefined} [follow] returns changes that apply at once
 * @returns {{state: any, reload: () => void, next: (work: Work) => void}} `next` runs further work in turn
 */
export function useReloaded(key, load, matters, follow = () => undefined) {
	const [state, setState] = useState({ key: null });
	const latest = useRef({ matters, follow, reload: undefined, next: undefined });
	Object.assign(latest.current, { matters, follow });
	useEffect(() => {
		if (key === null) {
			return undefined;
		}
		let current = { key };
		let over = false;
		let again = false;
		let busy = false;
		let turn = Promise.resolve();
		const show = (more) => {
			if (more && !over) {
				current = { ...current, ...more };
				setState(current);
			}
		};
		const next = (work) => {
			turn = turn
				.then(() => (over ? undefined : work(() => current)))
				.catch((error) => ({ error, ...(error.status === 404 && { data: undefined }) }))
				.then(show);
			return turn;
		};
		const reload = async () => {
			again = true;
			while (again && !busy && !over) {
				again = false;
				busy = true;
				await next(load);
				await new Promise((resolve) => setTimeout(resolve, RELOAD_MS));
				busy = false;
			}
		};
		Object.assign(latest.current, { reload, next });
		// What changes before the stream is open is unknown: its first message loads everything.
		if (streamState.get() !== 'connecting') {
			reload();
		}
		const stop = listen((changes) => {
			const own = changes.filter((change) => isReload(change) || latest.current.matters(change));
			if (own.length > 0) {
				show(latest.current.follow(current, own));
				reload();
			}
		});
		return () => {
			over = true;
			stop();
		};
	}, [key]);
	return {
		state: state.key === key ? state : {},
		reload: () => latest.current.reload?.(),
		next: (work) => latest.current.next?.(work),
	};
}

/**
 * Loads data from a control route, and loads it again after each relevant change.
 * @param {string | null} path null: nothing is loaded
 * @param {(change: import('./stream.js').Change) => boolean} [matters]
 * @returns {{data: any, error: ApiError | undefined, reload: () => void}} `data` is undefined until it is loaded
 */
export function useLoaded(path, matters = () => false) {
	const load = async () => ({ data: await send('GET', path), error: undefined });
	const { state, reload } = useReloaded(path, load, matters);
	return { data: state.data, error: state.error, reload };
}

/** Whether everything has to be loaded again. */
export function isReload({ type }) {
	return type === 'reload' || type === 'reset';
}

import { withQuery } from './api.js';
import { useEffect, useState } from './lib.js';

/** Reads the address: the parts of the path after `#/`, and its query. */
function read() {
	const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
	const parts = path.split('/').map(decode).filter(Boolean);
	return { parts: parts.length > 0 ? parts : ['calls'], query: Object.fromEntries(new URLSearchParams(query)) };
}

function decode(part) {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

/** @returns {{parts: string[], query: Record<string, string>}} changes with the address */
export function useRoute() {
	const [route, setRoute] = useState(read);
	useEffect(() => {
		const update = () => setRoute(read());
		addEventListener('hashchange', update);
		return () => removeEventListener('hashchange', update);
	}, []);
	return route;
}

/** Returns the link to a place in the console. @param {Record<string, string>} [query] empty values are left out */
export function linkTo(parts, query = {}) {
	return withQuery(`#/${parts.map(encodeURIComponent).join('/')}`, query);
}

/** Changes the address without a new history entry, such as for filters. */
export function replaceWith(href) {
	history.replaceState(null, '', href);
	dispatchEvent(new HashChangeEvent('hashchange'));
}

import { useEffect, useState } from './preact.js';

/** The one place that names the UI library: Preact with hooks, and htm for templates. */
export { html, render, useEffect, useLayoutEffect, useRef, useState } from './preact.js';

/** A value that all parts of the page see. @template Value @param {Value} value */
export function shared(value) {
	const listeners = new Set();
	return {
		get: () => value,
		set(next) {
			value = next;
			for (const listener of listeners) {
				listener(next);
			}
		},
		/** The value in a part of the page, which is drawn again after a change. */
		use() {
			const [shown, setShown] = useState(value);
			useEffect(() => {
				listeners.add(setShown);
				setShown(value);
				return () => listeners.delete(setShown);
			}, []);
			return shown;
		},
	};
}

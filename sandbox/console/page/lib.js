import { useEffect, useState } from './preact.js';

/** The only place that imports the UI library: Preact with hooks, and htm for templates. */
export { html, render, useEffect, useLayoutEffect, useRef, useState } from './preact.js';

/** Makes a value that all parts of the page share. @template Value @param {Value} value */
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
		/** Returns the value in a component, which is rendered again after each change. */
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

/** The one place that names the UI library: Preact with hooks, and htm for templates. */
export {
	html,
	render,
	useEffect,
	useLayoutEffect,
	useRef,
	useState,
} from './preact.js';

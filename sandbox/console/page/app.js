import { useLoaded } from './api.js';
import { CallDetail } from './callDetail.js';
import { CallsView } from './calls.js';
import { ClockView } from './clock.js';
import { DeliveriesView } from './deliveries.js';
import { speedText, time } from './format.js';
import { html, render, useEffect, useRef, useState } from './lib.js';
import { useNow } from './now.js';
import { ObjectsView } from './objects.js';
import { Empty, Notices } from './parts.js';
import { RequestsView } from './requests.js';
import { useRoute } from './route.js';
import { Search } from './search.js';
import { connect, useStreamState } from './stream.js';

/** @type {Array<[id: string, text: string, more?: string]>} */
const VIEWS = [
	['calls', 'Calls'],
	['deliveries', 'Deliveries'],
	['requests', 'Requests'],
	['clock', 'Clock', ' & faults'],
	['objects', 'Objects'],
];

/** What of the status changes with a message of the stream. */
const STATUS_CHANGES = ['clock', 'mode', 'credits', 'faults', 'delays', 'script', 'call'];

function App() {
	const { parts, query } = useRoute();
	const status = useLoaded('status', ({ type }) => STATUS_CHANGES.includes(type));
	const [searching, setSearching] = useState(false);
	const main = useRef(null);
	const [view] = parts;
	const title =
		VIEWS.find(([id]) => id === view)
			?.slice(1)
			.join('') ?? 'Not found';

	useEffect(() => {
		document.title = `${title} · Sandbox console`;
	}, [title]);
	useEffect(() => {
		const onKey = (event) => {
			const typing = event.target.closest('input, textarea, select, dialog');
			if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
				event.preventDefault();
				setSearching(true);
			}
		};
		addEventListener('keydown', onKey);
		return () => removeEventListener('keydown', onKey);
	}, []);

	const skip = (event) => {
		event.preventDefault();
		main.current.focus();
	};
	return html`<a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
		<header class="top">
			<a class="brand" href="#/calls"><img src="/console/icon.svg" alt="" width="24" height="24" /><span>Sandbox</span></a>
			<nav aria-label="Views">
				${VIEWS.map(
					([id, text, more]) =>
						html`<a key=${id} href=${`#/${id}`} aria-current=${id === view ? 'page' : undefined}>${text}${more ? html`<span class="more">${more}</span>` : null}${
							id === 'calls' && status.data?.counts.active_calls > 0
								? html` <span class="counter" aria-label=${`${status.data.counts.active_calls} now`}>${status.data.counts.active_calls}</span>`
								: null
						}</a>`,
				)}
			</nav>
			<div class="tools">
				<${Now} status=${status.data} />
				<button type="button" class="searchButton" aria-label="Search" aria-keyshortcuts="/" onClick=${() => setSearching(true)}>
					<span>Search</span> <kbd>/</kbd>
				</button>
				<${ThemeChoice} />
			</div>
		</header>
		<${Connection} />
		<main id="main" ref=${main} tabindex="-1">
			<h1 class="hidden">${title}</h1>
			${show(parts, query, status)}
		</main>
		${searching ? html`<${Search} onClose=${() => setSearching(false)} />` : null}
		<${Notices} />`;
}

/** @param {string[]} parts @param {Record<string, string>} query @param {any} status */
function show([view, id, ...rest], query, status) {
	switch (view) {
		case 'calls':
			return id
				? html`<${CallDetail} key=${id} id=${id} status=${status.data} />`
				: html`<${CallsView} query=${query} status=${status.data} />`;
		case 'deliveries':
			return html`<${DeliveriesView} id=${id} query=${query} />`;
		case 'requests':
			return html`<${RequestsView} id=${id} query=${query} />`;
		case 'clock':
			return html`<${ClockView} status=${status} />`;
		case 'objects':
			return html`<${ObjectsView} kind=${id} rest=${rest} status=${status.data} />`;
		default:
			return html`<${Empty} title="There is no such page"><p><a class="button" href="#/calls">Go to the calls</a></p></${Empty}>`;
	}
}

/** The sandbox's time, which may run faster or stand still. */
function Now({ status }) {
	const now = useNow(status);
	if (now === undefined) {
		return null;
	}
	return html`<a class="now" href="#/clock"><small>Sandbox time</small> ${time(now)} <small>${speedText(status.speed)}</small></a>`;
}

function Connection() {
	const state = useStreamState();
	return html`<div role="status">${
		state === 'lost'
			? html`<p class="banner">The sandbox does not answer. This page continues when it is back.</p>`
			: null
	}</div>`;
}

function ThemeChoice() {
	const [theme, setTheme] = useState(localStorage.getItem('theme') ?? 'auto');
	const choose = ({ currentTarget: { value } }) => {
		setTheme(value);
		if (value === 'auto') {
			localStorage.removeItem('theme');
			delete document.documentElement.dataset.theme;
		} else {
			localStorage.setItem('theme', value);
			document.documentElement.dataset.theme = value;
		}
	};
	return html`<select class="theme" aria-label="Theme" value=${theme} onChange=${choose}>
		<option value="auto">Auto</option>
		<option value="light">Light</option>
		<option value="dark">Dark</option>
	</select>`;
}

connect();
render(html`<${App} />`, document.getElementById('app'));

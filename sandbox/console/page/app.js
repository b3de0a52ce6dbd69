import { useLoaded } from './api.js';
import { CallDetail } from './callDetail.js';
import { CallsView } from './calls.js';
import { ClockView } from './clock.js';
import { DeliveriesView } from './deliveries.js';
import { speedText, time } from './format.js';
import { html, render, useEffect, useRef } from './lib.js';
import { useNow } from './now.js';
import { ObjectsView } from './objects.js';
import { Empty, Notices } from './parts.js';
import { RequestsView } from './requests.js';
import { useRoute } from './route.js';
import { connect, streamState } from './stream.js';

const VIEWS = {
	calls: 'Calls',
	deliveries: 'Deliveries',
	requests: 'Requests',
	clock: 'Clock & faults',
	objects: 'Objects',
};

/** The messages of the stream that change the status. */
const STATUS_CHANGES = ['clock', 'mode', 'credits', 'faults', 'call'];

function App() {
	const { parts, query } = useRoute();
	const status = useLoaded('status', ({ type }) => STATUS_CHANGES.includes(type));
	const main = useRef(null);
	const [view] = parts;
	const title = VIEWS[view] ?? 'Not found';
	const active = status.data?.counts.active_calls ?? 0;
	const counter = html` <span class="badge live" aria-label=${`${active} now`}>${active}</span>`;
	useEffect(() => {
		document.title = `${title} · Sandbox console`;
	}, [title]);
	const skip = (event) => {
		event.preventDefault();
		main.current.focus();
	};
	return html`<a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
		<header class="top">
			<a class="line brand" href="#/calls">
				<img src="/console/icon.svg" alt="" width="24" height="24" />
				<strong>Sandbox</strong>
			</a>
			<nav aria-label="Views">
				${Object.entries(VIEWS).map(
					([id, text]) => html`<a key=${id} href=${`#/${id}`} aria-current=${id === view ? 'page' : undefined}>
						${text}
						${id === 'calls' && active > 0 ? counter : null}
					</a>`,
				)}
			</nav>
			<${Now} status=${status.data} />
		</header>
		<${Connection} />
		<main id="main" ref=${main} tabindex="-1">
			<h1 class="hidden">${title}</h1>
			${show(parts, query, status)}
		</main>
		<${Notices} />`;
}

/** @param {string[]} parts @param {Record<string, string>} query @param {any} status */
function show([view, id, ...rest], query, status) {
	switch (view) {
		case 'calls':
			return id
				? html`<${CallDetail} key=${id} id=${id} />`
				: html`<${CallsView} query=${query} status=${status.data} />`;
		case 'deliveries':
			return html`<${DeliveriesView} id=${id} query=${query} />`;
		case 'requests':
			return html`<${RequestsView} id=${id} query=${query} />`;
		case 'clock':
			return html`<${ClockView} status=${status} />`;
		case 'objects':
			return html`<${ObjectsView} type=${id} id=${rest[0]} now=${status.data?.now} />`;
		default:
			return html`<${Empty} title="Page not found">
				<a class="button" href="#/calls">Go to the calls</a>
			</${Empty}>`;
	}
}

/** Shows the sandbox's time, whose clock may run faster or stand still. */
function Now({ status }) {
	const now = useNow(status);
	if (now === undefined) {
		return null;
	}
	return html`<a class="now" href="#/clock">
		<span class="hidden">Sandbox time</span> ${time(now)} <small>clock ${speedText(status.speed)}</small>
	</a>`;
}

function Connection() {
	const lost = streamState.use() === 'lost';
	return html`<div role="status">
		${lost ? html`<p class="banner bad">The sandbox does not respond. This page continues when it is back.</p>` : null}
	</div>`;
}

connect();
render(html`<${App} />`, document.getElementById('app'));

import { useLoaded, withQuery } from './api.js';
import { words } from './format.js';
import { html, useEffect, useState } from './lib.js';
import { Dialog, FilterText } from './parts.js';
import { go, linkTo } from './route.js';

const PLACES = {
	agent: (id) => linkTo(['objects', 'agents', id]),
	campaign: (id) => linkTo(['objects', 'campaigns', id]),
	webhook: (id) => linkTo(['objects', 'webhooks', id]),
	calendar: (id) => linkTo(['objects', 'calendars', id]),
	'phone-number': () => linkTo(['objects', 'phone-numbers']),
	call: (id) => linkTo(['calls', id]),
};

/** Finds calls and objects, and goes there. */
export function Search({ onClose }) {
	const [text, setText] = useState('');
	const found = useLoaded(text ? withQuery('search', { q: text }) : null);
	const hits = found.data ?? [];
	useEffect(() => {
		addEventListener('hashchange', onClose);
		return () => removeEventListener('hashchange', onClose);
	}, []);
	const further = [
		['deliveries', 'deliveries'],
		['requests', 'requests'],
	];
	const keys = (event) => {
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		const all = [...event.currentTarget.querySelectorAll('input, a')];
		const at = all.indexOf(document.activeElement);
		if (step && at >= 0) {
			event.preventDefault();
			all[at + step]?.focus();
		} else if (event.key === 'Enter' && event.target.matches('input') && hits.length > 0) {
			event.preventDefault();
			const [{ type, id }] = hits;
			onClose();
			go(PLACES[type](id));
		}
	};
	const link = (href, content, key) => html`<li key=${key}><a href=${href} onClick=${onClose}>${content}</a></li>`;
	return html`<${Dialog} title="Search" onClose=${onClose}>
		<div onKeyDown=${keys} class="form">
			<${FilterText} value="" onChange=${setText} label="Search for" placeholder="Number, name or ID" />
			<p class="hidden" role="status">${text && found.data ? `${hits.length} found` : ''}</p>
			${
				text
					? html`<ul class="hits">
							${hits.map(({ type, id, label }) => link(PLACES[type](id), html`<span class="muted">${words(type)}</span> <span>${label}</span>`, `${type}${id}`))}
							${found.data && hits.length === 0 ? html`<li class="muted">Nothing has this in its name, number or ID.</li>` : null}
							${further.map(([place, name]) => link(linkTo([place], { q: text }), html`Look for “${text}” in ${name}`, place))}
						</ul>`
					: html`<p class="muted">Finds calls, agents, campaigns, webhooks, calendars and phone numbers.</p>`
			}
		</div>
	</${Dialog}>`;
}

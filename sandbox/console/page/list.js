import { isReload, send, useLoaded, useReloaded, withQuery } from './api.js';
import { count, plural } from './format.js';
import { html, useEffect, useLayoutEffect, useRef, useState } from './lib.js';
import { Empty, Failed, FilterText, Loaded, Select } from './parts.js';
import { linkTo, replaceWith } from './route.js';

const narrow = matchMedia('(max-width: 560px)');
const FIRST_PAGE = 100;
const NEXT_PAGE = 500;
/** The rows beyond the visible rows, and the distance from the end at which the next page is loaded. */
const EXTRA = 8;

/**
 * Loads the pages of a list when they are needed, and follows changes.
 * @param {string} path of a control route with pages
 * @param {Record<string, string>} query its filters
 * @param {(change: import('./stream.js').Change) => boolean} matters whether a change affects the list
 */
export function usePages(path, query, matters) {
	const page = (limit, before) => send('GET', withQuery(path, { ...query, limit, before }));
	const load = async (now) => {
		const fresh = await page(FIRST_PAGE);
		return { ...merged(now(), fresh), outdated: false, error: undefined };
	};
	const follow = ({ items = [] }, changes) => {
		if (changes.some(isReload)) {
			return { outdated: true, next: null };
		}
		const byId = new Map(changes.map((change) => [change.id, change]));
		const isChanged = ({ id }) => byId.has(id);
		return items.some(isChanged)
			? { items: items.map((item) => (isChanged(item) ? patched(item, byId.get(item.id)) : item)) }
			: undefined;
	};
	const { state, next } = useReloaded(withQuery(path, query), load, matters, follow);
	const more = () =>
		next(async (now) => {
			// It may have been loaded in the meantime.
			if (now().next !== state.next) {
				return undefined;
			}
			const older = await page(NEXT_PAGE, state.next);
			const { items } = now();
			// In between, at most the newest page can have been loaded.
			const known = new Set(items.slice(-NEXT_PAGE).map(({ id }) => id));
			return { ...older, items: [...items, ...older.items.filter(({ id }) => !known.has(id))] };
		});
	const loading = !state.items && !state.error;
	return { items: [], next: null, total: null, dropped: 0, ...state, loading, more };
}

function patched(item, { status, http_status = item.http_status }) {
	return { ...item, status, http_status };
}

/** Replaces the beginning of the known items by the newest page. */
function merged({ items = [], next, outdated }, fresh) {
	const ids = new Set(fresh.items.map(({ id }) => id));
	const last = items.findLastIndex(({ id }) => ids.has(id));
	const { total, dropped = 0 } = fresh;
	if (outdated || last < 0 || fresh.next === null) {
		return { items: fresh.items, next: fresh.next, total, dropped };
	}
	const older = items.slice(last + 1);
	return { items: [...fresh.items, ...older], next: older.length > 0 ? next : fresh.next, total, dropped };
}

/**
 * Shows a panel with a list, and its filters, which are part of the address.
 * @param {{title: string, path: string, item: string, noun?: string, query: Record<string, string>, selected?: string,
 *   choices: Record<string, any>, only?: Record<string, string>, toQuery?: (filters: any) => Record<string, string>,
 *   placeholder: string, actions?: unknown, row: (item: any) => unknown, empty: unknown}} props
 * `path` of the control route and of the page; `item`: the type of its changes; `choices`: filters, each with its label
 * and options; `only`: descriptions of filters by an ID, which a link has set; `toQuery` returns the query of the route
 */
export function FilteredList(props) {
	const { title, path, item, query, choices, only = {}, toQuery = (filters) => filters, selected } = props;
	const names = ['q', ...Object.keys(choices), ...Object.keys(only)];
	const filters = Object.fromEntries(names.map((name) => [name, query[name] ?? '']));
	const list = usePages(path, toQuery(filters), ({ type }) => type === item);
	const filter = (more) => replaceWith(linkTo(selected ? [path, selected] : [path], { ...filters, ...more }));
	const none = html`<${Empty} title=${`No ${item} matches`}>
		<a class="button" href=${linkTo([path])}>Show all ${path}</a>
	</${Empty}>`;
	return html`<section class="panel list" aria-label=${title}>
		<header class="spread">
			<h2>${title}</h2>
			${props.actions}
			<div class="line filters">
				<${FilterText}
					value=${filters.q}
					onChange=${(q) => filter({ q })}
					label=${`Filter ${path}`}
					placeholder=${props.placeholder}
				/>
				${Object.entries(choices).map(
					([name, [label, options]]) => html`<${Select}
						key=${name}
						aria-label=${label}
						value=${filters[name]}
						onChange=${(value) => filter({ [name]: value })}
						options=${options}
					/>`,
				)}
				${Object.entries(only).map(([name, text]) =>
					filters[name]
						? html`<button key=${name} type="button" onClick=${() => filter({ [name]: '' })}>${text} ✕</button>`
						: null,
				)}
			</div>
		</header>
		<${PagedList}
			list=${list}
			label=${title}
			noun=${props.noun ?? item}
			selected=${selected}
			href=${({ id }) => linkTo([path, id], filters)}
			row=${props.row}
			empty=${Object.values(filters).some(Boolean) ? none : props.empty}
		/>
	</section>`;
}

/** Shows a list and its selected item. @param {any} props the props of the list, and a component for the item */
export function ListAndOne({ show, ...list }) {
	const { path, item, selected: id, query } = list;
	const isShown = (change) => change.type === item && change.id === id;
	const one = useLoaded(id ? `${path}/${encodeURIComponent(id)}` : null, isShown);
	const back = linkTo([path], query);
	const chosen = html`<div class="stack" key=${id}>
		<p><a href=${back}>← All ${path}</a></p>
		<${Loaded} from=${one} back=${back}>${show}</${Loaded}>
	</div>`;
	return html`<div class=${id ? 'split' : 'stack'}><${FilteredList} ...${list} />${id ? chosen : null}</div>`;
}

/** Shows the content of a row: its title at the left, its state and time at the right. */
export function Row({ title, note, state, end }) {
	return html`<span class="rowMain"><strong>${title}</strong><span class="muted">${note}</span></span>
		<span class="rowSide">${state}<span class="muted">${end}</span></span>`;
}

/**
 * Shows a list. Only its visible rows are in the page. Arrow keys move from row to row.
 * @param {{list: any, label: string, href: (item: object) => string, selected?: string,
 *   row: (item: object) => unknown, empty: unknown, noun: string}} props
 */
export function PagedList({ list, label, href, selected, row, empty, noun }) {
	const box = useRef(null);
	const [view, setView] = useState({ top: 0, height: 600 });
	const first = useRef(undefined);
	const { items, next, total, dropped, loading, error, more } = list;
	/** The height of a row in pixels. In a narrow window, rows have three lines. */
	const ROW = narrow.matches ? 84 : 56;

	useLayoutEffect(() => {
		const element = box.current;
		if (!element) {
			return undefined;
		}
		const measure = () => setView({ top: element.scrollTop, height: element.clientHeight });
		const observer = new ResizeObserver(measure);
		observer.observe(element);
		measure();
		return () => observer.disconnect();
	}, [items.length === 0]);

	// New rows at the top must not move the visible rows.
	useLayoutEffect(() => {
		const element = box.current;
		const added = items.findIndex(({ id }) => id === first.current);
		if (element && added > 0 && element.scrollTop > ROW / 2) {
			element.scrollTop += added * ROW;
		}
		first.current = items[0]?.id;
	}, [items]);

	const from = Math.max(0, Math.floor(view.top / ROW) - EXTRA);
	const to = Math.min(items.length, Math.ceil((view.top + view.height) / ROW) + EXTRA);
	useEffect(() => {
		if (next !== null && to >= items.length - EXTRA) {
			more();
		}
	}, [to, next, items.length]);

	const scroll = ({ currentTarget }) => setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight });
	const keys = (event) => {
		const link = event.target.closest('[data-index]');
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (!step) {
			return;
		}
		event.preventDefault();
		const index = link ? Number(link.dataset.index) + step : from;
		const other = box.current.querySelector(`[data-index="${index}"]`);
		other?.focus({ preventScroll: true });
		other?.scrollIntoView({ block: 'nearest' });
	};

	const notes = [
		total === null ? null : plural(total, noun),
		dropped > 0 ? `${count(dropped)} older ${dropped === 1 ? 'one was' : 'ones were'} dropped to save memory` : null,
	];
	if (error && items.length === 0) {
		return html`<${Failed} error=${error} />`;
	}
	if (items.length === 0) {
		return loading ? html`<p class="empty muted loading">Loading…</p>` : html`${empty}`;
	}
	return html`<p class="muted">${notes.filter(Boolean).join(' · ')}</p>
		<div
			class="rows"
			ref=${box}
			style=${{ '--rows': items.length, '--row': `${ROW}px` }}
			onScroll=${scroll}
			onKeyDown=${keys}
			tabindex="0"
			role="region"
			aria-label=${`List: ${label}`}
		>
			<div class="track" role="list" style=${{ height: `${items.length * ROW}px` }}>
				${items.slice(from, to).map(
					(item, index) => html`<div
						key=${item.id}
						role="listitem"
						aria-setsize=${total ?? -1}
						aria-posinset=${from + index + 1}
						style=${{ transform: `translateY(${(from + index) * ROW}px)` }}
					>
						<a
							class="row"
							data-index=${from + index}
							href=${href(item)}
							aria-current=${selected === item.id ? 'true' : undefined}
						>
							${row(item)}
						</a>
					</div>`,
				)}
			</div>
		</div>
		${error ? html`<p class="bad" role="alert">${error.message}</p>` : null}`;
}

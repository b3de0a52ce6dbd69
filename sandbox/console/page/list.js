import { isReload, send, useReloaded, withQuery } from './api.js';
import { count } from './format.js';
import { html, useEffect, useLayoutEffect, useRef, useState } from './lib.js';
import { Failed } from './parts.js';

const narrow = matchMedia('(max-width: 560px)');
const FIRST_PAGE = 100;
const NEXT_PAGE = 500;
/** Rows beyond the visible ones, and how close to the end the next page is loaded. */
const EXTRA = 8;

/**
 * A list of which pages are loaded when they are needed, and that follows the changes.
 * @param {string} path of a control route with pages
 * @param {Record<string, string>} query its filters
 * @param {(change: object) => boolean} matters whether the list changes with it
 * @param {(item: object, change: object) => object} patch an item after a change with its id
 */
export function usePages(path, query, matters, patch = (item) => item) {
	const page = (limit, before) => send('GET', withQuery(path, { ...query, limit, before }));
	const load = async (now) => {
		const fresh = await page(FIRST_PAGE);
		return { ...merged(now(), fresh), outdated: false, error: undefined };
	};
	const follow = ({ items = [] }, changes) => {
		if (changes.some((change) => isReload(change) && change.type !== 'opened')) {
			return { outdated: true, next: null };
		}
		const byId = new Map(changes.map((change) => [change.id, change]));
		return items.some(({ id }) => byId.has(id))
			? { items: items.map((item) => (byId.has(item.id) ? patch(item, byId.get(item.id)) : item)) }
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
			// Only the newest page may have been loaded in between.
			const known = new Set(items.slice(-NEXT_PAGE).map(({ id }) => id));
			return { ...older, items: [...items, ...older.items.filter(({ id }) => !known.has(id))] };
		});
	const loading = !state.items && !state.error;
	return { items: [], next: null, total: null, dropped: 0, ...state, loading, more };
}

/** The known items with the newest page in place of their beginning. */
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
 * A list of which only the visible rows are in the page. Arrow keys go from row to row.
 * @param {{list: object, label: string, href: (item: object) => string, selected?: string,
 *   row: (item: object) => unknown, empty: unknown, noun: string}} props
 */
export function PagedList({ list, label, href, selected, row, empty, noun }) {
	const box = useRef(null);
	const [view, setView] = useState({ top: 0, height: 600 });
	const first = useRef(undefined);
	const { items, next, total, dropped, loading, error, more } = list;
	/** Height of a row in pixels: in a narrow window it has three lines. */
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

	// New rows at the top do not move what is being read.
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
		total === null ? null : `${count(total)} ${total === 1 ? noun : `${noun}s`}`,
		dropped > 0 ? `${count(dropped)} older ${dropped === 1 ? 'one was' : 'ones were'} dropped to save memory` : null,
	].filter(Boolean);
	if (error && items.length === 0) {
		return html`<${Failed} error=${error} />`;
	}
	if (items.length === 0) {
		return loading ? html`<p class="loading">Loading…</p>` : html`${empty}`;
	}
	return html`<p class="listNote">${notes.join(' · ')}</p>
		<div class="rows" ref=${box} style=${{ '--rows': items.length, '--row': `${ROW}px` }} onScroll=${scroll} onKeyDown=${keys} tabindex="0" role="region" aria-label=${`List: ${label}`}>
			<div class="track" role="list" style=${{ height: `${items.length * ROW}px` }}>
				${items.slice(from, to).map(
					(item, index) => html`<div
						key=${item.id}
						role="listitem"
						aria-setsize=${total ?? -1}
						aria-posinset=${from + index + 1}
						class="rowPlace"
						style=${{ transform: `translateY(${(from + index) * ROW}px)` }}
					>
						<a
							class="row"
							data-index=${from + index}
							href=${href(item)}
							aria-current=${selected === item.id ? 'true' : undefined}
							>${row(item)}</a
						>
					</div>`,
				)}
			</div>
		</div>
		${error ? html`<p class="listNote bad" role="alert">${error.message}</p>` : null}`;
}

import { closeNotice, notify, useNotices } from './api.js';
import { pretty, words } from './format.js';
import { html, useEffect, useRef, useState } from './lib.js';
import { linkTo } from './route.js';

/** Signs beside colors: a status is never told by its color alone. */
const TONES = {
	good: { sign: '✓', of: ['completed', 'success', 'succeeded', 'published', 'active', 'accepted', 'enabled'] },
	bad: { sign: '✕', of: ['failed', 'cancelled', 'canceled', 'disabled', 'rejected', 'dropped'] },
	warn: { sign: '!', of: ['busy', 'no-answer', 'no_answer', 'retrying', 'paused', 'draft', 'inactive', 'tentative'] },
	live: { sign: '●', of: ['ringing', 'answered', 'in_progress', 'in-progress', 'initiated', 'pending', 'queued'] },
};

/** @returns {string} good, bad, warn, live or plain: what color and sign a status has */
export function toneOf(status) {
	const [tone] = Object.entries(TONES).find(([, { of }]) => of.includes(status)) ?? ['plain'];
	return tone;
}

/** A status in words, with a sign and a color. */
export function Badge({ status, tone = toneOf(status), text = words(status) }) {
	return html`<span class=${`badge ${tone}`}><span aria-hidden="true">${TONES[tone]?.sign ?? '·'}</span> ${text}</span>`;
}

/** An HTTP status, or why there is none. */
export function HttpStatus({ status, none = 'No response' }) {
	const tone = status === null ? 'bad' : status < 300 ? 'good' : status < 400 ? 'plain' : status < 500 ? 'warn' : 'bad';
	return html`<${Badge} tone=${tone} text=${status ?? none} />`;
}

/** What is shown where there is nothing yet. */
export function Empty({ title, children }) {
	return html`<div class="empty"><h2>${title}</h2>${children}</div>`;
}

/** An error in place of what could not be loaded. */
export function Failed({ error, back }) {
	return html`<div class="empty" role="alert">
		<h2>${error.status === 404 ? 'Not found' : 'This could not be loaded'}</h2>
		<p>${error.message}${error.status === 404 ? ' It may have been dropped or reset.' : ''}</p>
		${back ? html`<p><a class="button" href=${back}>Back to the list</a></p>` : null}
	</div>`;
}

/** What could not be loaded, what is loading, or `children` with the data. */
export function Loaded({ from: { data, error }, back, children }) {
	if (error && data === undefined) {
		return html`<${Failed} error=${error} back=${back} />`;
	}
	return data === undefined ? html`<p class="loading">Loading…</p>` : children(data);
}

export function Panel({ title, actions, children, id }) {
	return html`<section class="panel" id=${id}>
		<header><h2>${title}</h2>${actions ? html`<div class="actions">${actions}</div>` : null}</header>
		${children}
	</section>`;
}

/** Links to webhooks. */
export function WebhookLinks({ webhooks }) {
	return webhooks.length === 0
		? html`<p class="muted">It has none.</p>`
		: html`<ul class="plainList">${webhooks.map(({ id, name }) => html`<li key=${id}><a href=${linkTo(['objects', 'webhooks', id])}>${name}</a></li>`)}</ul>`;
}

/** Names with values; a row without a value is left out. @param {{rows: Array<[string, unknown]>}} props */
export function Facts({ rows }) {
	return html`<dl class="facts">
		${rows
			.filter(([, value]) => value !== null && value !== undefined && value !== '')
			.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
	</dl>`;
}

/** Text that can be copied. */
export function Code({ value, label, wrap = true }) {
	const text = pretty(value);
	return html`<div class="code">
		<pre tabindex="0" role="region" aria-label=${label} class=${wrap ? 'wrap' : ''}>${text}</pre>
		<${Copy} text=${text} label=${label} />
	</div>`;
}

export function Copy({ text, label, children = 'Copy' }) {
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(text);
			notify(`Copied: ${label}.`);
		} catch {
			notify('The browser does not allow copying. Select the text instead.', 'bad');
		}
	};
	return html`<button type="button" class="small copy" onClick=${copy} aria-label=${`Copy ${label}`}>${children}</button>`;
}

/** Headers as a table. */
export function Headers({ headers, label }) {
	return html`<table class="headers" aria-label=${label}>
		<tbody>
			${Object.entries(headers ?? {}).map(
				([name, value]) => html`<tr key=${name}><th scope="row">${name}</th><td>${String(value)}</td></tr>`,
			)}
		</tbody>
	</table>`;
}

/** A labeled field of a form. */
export function Field({ label, hint, children, wide }) {
	return html`<label class=${wide ? 'field wide' : 'field'}><span>${label}</span>${children}${
		hint ? html`<small>${hint}</small>` : null
	}</label>`;
}

/** A choice of one value. @param {{value: string, onChange: (value: string) => void, options: Array<[string, string]>, [more: string]: unknown}} props
 * value and text of each option */
export function Select({ value, onChange, options, ...rest }) {
	return html`<select value=${value} onChange=${(event) => onChange(event.currentTarget.value)} ...${rest}>
		${options.map(([key, text]) => html`<option key=${key} value=${key} selected=${key === value}>${text}</option>`)}
	</select>`;
}

/** A button that can be clicked again only when its work is done. */
export function ActionButton({ onClick, children, ...rest }) {
	const [busy, setBusy] = useState(false);
	const alive = useRef(true);
	useEffect(
		() => () => {
			alive.current = false;
		},
		[],
	);
	const click = async () => {
		if (busy) {
			return;
		}
		setBusy(true);
		try {
			await onClick();
		} finally {
			if (alive.current) {
				setBusy(false);
			}
		}
	};
	return html`<button type="button" aria-disabled=${busy} onClick=${click} ...${rest}>${children}</button>`;
}

/** A window over the page, closed by Escape. It has the messages, too: nothing behind it can be clicked. */
export function Dialog({ title, onClose, children }) {
	const dialog = useRef(null);
	useEffect(() => {
		const opened = dialog.current;
		opened.showModal();
		// Otherwise the button that closes it has the focus, and what one types is lost.
		opened.querySelector('input, select, textarea')?.focus();
		// The browser gives the focus back to what had it before.
		return () => opened.close();
	}, []);
	return html`<dialog ref=${dialog} onClose=${({ currentTarget }) => currentTarget.isConnected && onClose()} aria-label=${title}>
		<header>
			<h2>${title}</h2>
			<button type="button" class="quiet" aria-label="Close" onClick=${() => dialog.current.close()}>✕</button>
		</header>
		${children}
		<${Notices} />
	</dialog>`;
}

/** Asks before something is lost. */
export function Confirm({ title, text, action, onConfirm, onClose }) {
	const confirm = async () => {
		await onConfirm();
		onClose();
	};
	return html`<${Dialog} title=${title} onClose=${onClose}>
		<p>${text}</p>
		<div class="actions end">
			<button type="button" onClick=${onClose}>Cancel</button>
			<${ActionButton} class="danger" onClick=${confirm}>${action}</${ActionButton}>
		</div>
	</${Dialog}>`;
}

/** The messages of the last seconds; errors stay until they are closed. */
export function Notices() {
	const notices = useNotices();
	const shown = (kind) =>
		notices
			.filter((notice) => notice.kind === kind)
			.map(
				({ id, text }) => html`<p key=${id} class=${`notice ${kind}`}>
					<span><span aria-hidden="true">${TONES[kind].sign}</span> ${text}</span>
					<button type="button" class="quiet" aria-label="Close the message" onClick=${() => closeNotice(id)}>✕</button>
				</p>`,
			);
	return html`<div class="notices">
		<div role="status">${shown('good')}</div>
		<div role="alert">${shown('bad')}</div>
	</div>`;
}

/** A field that filters while one types. */
export function FilterText({ value, onChange, label, placeholder }) {
	const [text, setText] = useState(value);
	const timer = useRef(undefined);
	useEffect(() => {
		if (timer.current === undefined) {
			setText(value);
		}
	}, [value]);
	useEffect(() => () => clearTimeout(timer.current), []);
	const type = ({ currentTarget }) => {
		const next = currentTarget.value;
		setText(next);
		clearTimeout(timer.current);
		timer.current = setTimeout(() => {
			timer.current = undefined;
			onChange(next.trim());
		}, 200);
	};
	return html`<input type="search" aria-label=${label} placeholder=${placeholder} value=${text} onInput=${type} />`;
}

import { attempt, closeNotice, notices, notify } from './api.js';
import { pretty, words } from './format.js';
import { html, useEffect, useRef, useState } from './lib.js';

/** The signs next to colors: a color alone must not convey a status. */
const TONES = {
	good: { sign: '✓', of: ['completed', 'success', 'succeeded', 'published', 'active', 'accepted', 'confirmed'] },
	bad: { sign: '✕', of: ['failed', 'cancelled', 'canceled', 'disabled', 'rejected', 'dropped'] },
	warn: { sign: '!', of: ['busy', 'no-answer', 'no_answer', 'retrying', 'paused', 'draft', 'inactive', 'tentative'] },
	live: { sign: '●', of: ['ringing', 'answered', 'in_progress', 'in-progress', 'initiated', 'pending', 'queued'] },
};

/** @returns {string} good, bad, warn, live or plain: the color and sign of a status */
function toneOf(status) {
	const [tone] = Object.entries(TONES).find(([, { of }]) => of.includes(status)) ?? ['plain'];
	return tone;
}

/** Shows a status in words, with a sign and a color. */
export function Badge({ status, tone = toneOf(status), text = words(status) }) {
	return html`<span class=${`badge ${tone}`}>
		<span aria-hidden="true">${TONES[tone]?.sign ?? '·'}</span> ${text}
	</span>`;
}

/** Shows the outcome of a call. */
export function CallBadge({ call: { status, answered_by: by } }) {
	return html`<${Badge} status=${status} text=${by === 'machine' ? `${words(status)}, voicemail` : words(status)} />`;
}

/** Shows the result of an attempt to deliver an event. */
export function DeliveryBadge({ made: { status, http_status: code, error } }) {
	const result = code ?? error;
	return html`<${Badge} status=${status} text=${result ? `${words(status)} · ${result}` : words(status)} />`;
}

/** Shows an HTTP status, or the reason why it is missing. */
export function HttpStatus({ status, none = 'No response' }) {
	const tone = status === null ? 'bad' : ['plain', 'plain', 'good', 'plain', 'warn', 'bad'][Math.floor(status / 100)];
	return html`<${Badge} tone=${tone} text=${status ?? none} />`;
}

/** Shows a placeholder for an empty list. */
export function Empty({ title, children }) {
	return html`<div class="empty"><h2>${title}</h2>${children}</div>`;
}

export function Muted({ children }) {
	return html`<p class="muted">${children}</p>`;
}

/** Shows an error in place of data that could not be loaded. */
export function Failed({ error, back }) {
	const lost = error.status === 404;
	return html`<div class="empty" role="alert">
		<h2>${lost ? 'Not found' : 'This could not be loaded'}</h2>
		<p>${error.message}${lost ? ' It may have been dropped or reset.' : ''}</p>
		${back ? html`<a class="button" href=${back}>Back to the list</a>` : null}
	</div>`;
}

/** Shows an error, a note while loading, or `children` with the data. */
export function Loaded({ from: { data, error }, back, children }) {
	if (error && data === undefined) {
		return html`<${Failed} error=${error} back=${back} />`;
	}
	return data === undefined ? html`<p class="empty muted loading">Loading…</p>` : children(data);
}

export function Panel({ title, actions, children }) {
	return html`<section class="panel">
		<header class="spread"><h2>${title}</h2>${actions ? html`<div class="line">${actions}</div>` : null}</header>
		${children}
	</section>`;
}

/** Shows names with values. A row without a value is left out. @param {{rows: Array<[string, unknown]>}} props */
export function Facts({ rows }) {
	const given = rows.filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '');
	return html`<dl>
		${given.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
	</dl>`;
}

/** Shows text that can be copied. */
export function Code({ value, label }) {
	const text = pretty(value);
	return html`<div class="code">
		<pre tabindex="0" role="region" aria-label=${label}>${text}</pre>
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

/** Shows names and texts as a table, such as headers. */
export function Table({ rows, label }) {
	return html`<table aria-label=${label}>
		<tbody>
			${Object.entries(rows ?? {}).map(
				([name, value]) => html`<tr key=${name}><th scope="row">${name}</th><td>${String(value)}</td></tr>`,
			)}
		</tbody>
	</table>`;
}

/** Shows a labeled field of a form. */
export function Field({ label, hint, children, wide }) {
	return html`<label class=${wide ? 'field wide' : 'field'}>
		<span>${label}</span>${children}${hint ? html`<small>${hint}</small>` : null}
	</label>`;
}

/**
 * Shows a choice of one value.
 * @param {{value?: string, onChange?: (value: string) => void, options: Array<[string, string]>, [more: string]: unknown}} props
 * value and text of each option; `value` is selected at first
 */
export function Select({ value, onChange, options, ...rest }) {
	return html`<select onChange=${onChange && (({ currentTarget }) => onChange(currentTarget.value))} ...${rest}>
		${options.map(([key, text]) => html`<option key=${key} value=${key} selected=${key === value}>${text}</option>`)}
	</select>`;
}

/**
 * Shows a form, and the error if its fields could not be sent.
 * @param {{onSend: (fields: any) => Promise<unknown>, done?: string | ((fields: any) => string), onDone?: (form: any) => void,
 *   children: unknown, [more: string]: unknown}} props `done` is the message after a success
 */
export function Form({ onSend, done, onDone, children, ...rest }) {
	const submit = async (event) => {
		event.preventDefault();
		const form = event.currentTarget;
		const fields = Object.fromEntries(new FormData(form));
		if (await attempt(() => onSend(fields), typeof done === 'function' ? done(fields) : done)) {
			onDone?.(form);
		}
	};
	return html`<form onSubmit=${submit} ...${rest}>${children}</form>`;
}

/** Shows a button that cannot be clicked again before its work is done. */
export function ActionButton({ onClick, children, ...rest }) {
	const [busy, setBusy] = useState(false);
	const click = async () => {
		if (busy) {
			return;
		}
		setBusy(true);
		try {
			await onClick();
		} finally {
			setBusy(false);
		}
	};
	return html`<button type="button" aria-disabled=${busy} onClick=${click} ...${rest}>${children}</button>`;
}

/** Shows a dialog, closed by Escape. It contains the messages too, because nothing behind it can be clicked. */
export function Dialog({ title, onClose, children }) {
	const dialog = useRef(null);
	useEffect(() => {
		const opened = dialog.current;
		opened.showModal();
		// Otherwise the close button would have the focus, and typed text would be lost.
		opened.querySelector('input, select, textarea')?.focus();
		// The browser returns the focus to the previous element.
		return () => opened.close();
	}, []);
	const closed = ({ currentTarget }) => currentTarget.isConnected && onClose();
	return html`<dialog ref=${dialog} onClose=${closed} aria-label=${title}>
		<header class="spread">
			<h2>${title}</h2>
			<button type="button" class="quiet" aria-label="Close" onClick=${() => dialog.current.close()}>✕</button>
		</header>
		${children}
		<${Notices} />
	</dialog>`;
}

/** Shows the buttons at the end of a dialog. */
export function DialogButtons({ onClose, children }) {
	return html`<div class="line end"><button type="button" onClick=${onClose}>Cancel</button>${children}</div>`;
}

/** Asks for confirmation before data is lost. */
export function Confirm({ title, text, action, onConfirm, onClose }) {
	const confirm = async () => {
		await onConfirm();
		onClose();
	};
	return html`<${Dialog} title=${title} onClose=${onClose}>
		<p>${text}</p>
		<${DialogButtons} onClose=${onClose}>
			<${ActionButton} class="danger" onClick=${confirm}>${action}</${ActionButton}>
		</${DialogButtons}>
	</${Dialog}>`;
}

/** Shows the messages of the last seconds. Errors stay until they are closed. */
export function Notices() {
	const all = notices.use();
	const shown = (kind) =>
		all
			.filter((notice) => notice.kind === kind)
			.map(
				({ id, text }) => html`<p key=${id} class=${`banner ${kind}`}>
					<span><span aria-hidden="true">${TONES[kind].sign}</span> ${text}</span>
					<button type="button" class="quiet" aria-label="Close the message" onClick=${() => closeNotice(id)}>✕</button>
				</p>`,
			);
	return html`<div class="notices">
		<div role="status">${shown('good')}</div>
		<div role="alert">${shown('bad')}</div>
	</div>`;
}

/** Shows a field that filters while the user types. */
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

import { attempt, eventNames, send, useLoaded } from './api.js';
import { bytes, fullTime, millis, time, words } from './format.js';
import { html, useState } from './lib.js';
import { PagedList, usePages } from './list.js';
import {
	ActionButton,
	Badge,
	Code,
	Dialog,
	Empty,
	Facts,
	Field,
	FilterText,
	Headers,
	HttpStatus,
	Loaded,
	Panel,
	Select,
} from './parts.js';
import { linkTo, replaceWith } from './route.js';

const STATUSES = ['pending', 'success', 'retrying', 'failed'];

/** What a step of the check looks at. */
const STEPS = {
	sent: 'Sent',
	body: 'Body',
	secret: 'Signing secret',
	header: 'Signature header',
	format: 'Signature format',
	signature: 'Signature',
	timestamp: 'Timestamp',
	duplicate: 'Sent before',
};

/** Why the trigger would not accept a delivery, by the step that failed. */
const REASONS = {
	sent: 'it was not sent',
	body: 'the body is not a JSON object',
	secret: 'no signing secret is known',
	header: 'it has no signature',
	format: 'the signature has an unknown format',
	signature: 'the signature is wrong',
	timestamp: 'the signature is too old or from the future',
	duplicate: 'the same event was accepted before',
};

/** The attempts to deliver events, beside the one that is chosen. */
export function DeliveriesView({ id, query }) {
	const [sampling, setSampling] = useState(false);
	const webhooks = useLoaded('webhooks', ({ type }) => type === 'object');
	const names = new Map((webhooks.data ?? []).map((webhook) => [webhook.id, webhook.name]));
	const { q = '', status = '', event = '', webhookId = '', callId = '' } = query;
	const list = usePages(
		'deliveries',
		{ q, status, event, webhookId, callId },
		({ type }) => type === 'delivery',
		patched,
	);
	const kinds = useLoaded('event-kinds');
	const allKinds = eventNames(kinds.data);
	const filter = (more) => replaceWith(linkTo(['deliveries', ...(id ? [id] : [])], { ...query, ...more }));
	const filtered = Object.values(query).some(Boolean);
	return html`<div class=${id ? 'split open' : 'split'}>
		<section class="panel listPanel listSide" aria-labelledby="deliveries">
			<header>
				<h2 id="deliveries">Deliveries</h2>
				<div class="actions"><button type="button" onClick=${() => setSampling(true)}>Send a sample</button></div>
				<div class="filters">
					<${FilterText} value=${q} onChange=${(value) => filter({ q: value })} label="Filter deliveries" placeholder="Text in the body…" />
					<${Select} aria-label="Status" value=${status} onChange=${(value) => filter({ status: value })} options=${[['', 'All statuses'], ...STATUSES.map((name) => [name, words(name)])]} />
					<${Select} aria-label="Event" value=${event} onChange=${(value) => filter({ event: value })} options=${[['', 'All events'], ...allKinds.map((name) => [name, name])]} />
					${names.size > 0 ? html`<${Select} aria-label="Webhook" value=${webhookId} onChange=${(value) => filter({ webhookId: value })} options=${[['', 'All webhooks'], ...names]} />` : null}
					${callId ? html`<button type="button" class="small" onClick=${() => filter({ callId: '' })}>Of one call ✕</button>` : null}
				</div>
			</header>
			<${PagedList}
				list=${list}
				label="Deliveries"
				noun="attempt"
				selected=${id}
				href=${(item) => linkTo(['deliveries', item.id], query)}
				row=${(item) => deliveryRow(item, names)}
				empty=${
					filtered
						? html`<${Empty} title="No delivery matches"><p><a class="button" href="#/deliveries">Show all deliveries</a></p></${Empty}>`
						: html`<${Empty} title="No deliveries yet"><p>Events are delivered to webhooks: publish a workflow with the trigger in n8n, then place a call.</p><p><a class="button" href="#/objects/webhooks">See the webhooks</a></p></${Empty}>`
				}
			/>
		</section>
		<div class="detail">
			${
				id
					? html`<p class="backLink"><a href=${linkTo(['deliveries'], query)}>← All deliveries</a></p>
							<${Delivery} key=${id} id=${id} names=${names} />`
					: html`<${Empty} title="Choose a delivery"><p>You see what was sent, what came back, and whether the trigger would accept it.</p></${Empty}>`
			}
		</div>
		${sampling ? html`<${Sample} webhooks=${webhooks.data ?? []} kinds=${allKinds} chosen=${query} onClose=${() => setSampling(false)} />` : null}
	</div>`;
}

function patched(item, { status, http_status }) {
	return { ...item, status, http_status: http_status ?? item.http_status };
}

function deliveryRow(item, names) {
	return html`<span class="rowMain">
			<strong>${item.event}</strong>
			<span class="muted">${names.get(item.webhook_id) ?? 'Deleted webhook'} · attempt ${item.attempt}${item.tampered ? ' · tampered' : ''}</span>
		</span>
		<span class="rowSide">
			<${Badge} status=${item.status} text=${item.http_status === null ? words(item.status) : `${words(item.status)} ${item.http_status}`} />
			<span class="muted">${item.duration_ms === null ? '' : `${millis(item.duration_ms)} · `}${time(item.at)}</span>
		</span>`;
}

function Delivery({ id, names }) {
	const made = useLoaded(
		`deliveries/${encodeURIComponent(id)}`,
		(change) => change.type === 'delivery' && change.id === id,
	);
	return html`<${Loaded} from=${made} back="#/deliveries">${(data) => html`<${Details} made=${data} name=${names.get(data.webhook_id)} />`}</${Loaded}>`;
}

function Details({ made, name }) {
	const { request, response } = made;
	return html`<${Panel} title=${made.event} actions=${html`<${Badge} status=${made.status} />`}>
			<${Facts}
				rows=${[
					['Webhook', name ? html`<a href=${linkTo(['objects', 'webhooks', made.webhook_id])}>${name}</a>` : 'Deleted'],
					['Call', made.call_id && html`<a href=${linkTo(['calls', made.call_id])}>${made.call_id}</a>`],
					['Attempt', String(made.attempt)],
					['Answer', made.http_status === null ? made.error : html`<${HttpStatus} status=${made.http_status} />`],
					['Duration', made.duration_ms === null ? null : millis(made.duration_ms)],
					['At', fullTime(made.at)],
					['Next attempt', made.retry_at && fullTime(made.retry_at)],
					['Tampered', made.tampered ? 'Yes, on purpose' : null],
					['Delivery ID', html`<code>${made.delivery_id}</code>`],
				]}
			/>
			<${Again} made=${made} />
		</${Panel}>
		<${Verdict} id=${made.id} status=${made.status} />
		${
			request
				? html`<${Panel} title="Request">
						<p><code>${request.method} ${request.url}</code></p>
						<${Headers} headers=${request.headers} label="Request headers" />
						<h3>Body <span class="muted">${bytes(request.body)}</span></h3>
						<${Code} value=${request.body} label="the request body" />
					</${Panel}>`
				: null
		}
		<${Panel} title="Response">
			${
				response
					? html`<p><${HttpStatus} status=${response.status} /></p>
							<${Headers} headers=${response.headers} label="Response headers" />
							${response.body ? html`<h3>Body</h3><${Code} value=${response.body} label="the response body" />` : html`<p class="muted">The body is empty.</p>`}`
					: html`<p class="muted">${made.status === 'pending' ? 'Not yet.' : `None: ${made.error ?? 'unknown error'}`}</p>`
			}
		</${Panel}>`;
}

/** Would the trigger accept it, and if not, why. */
function Verdict({ id, status }) {
	const verdict = useLoaded(status === 'pending' ? null : `deliveries/${encodeURIComponent(id)}/verify`);
	if (!verdict.data) {
		return verdict.error ? html`<${Loaded} from=${verdict} />` : null;
	}
	const { accepted, failed, steps } = verdict.data;
	return html`<${Panel}
		title="Would the trigger accept it?"
		actions=${html`<button type="button" class="small" onClick=${verdict.reload}>Check again</button>`}
	>
		<p class=${`verdict ${accepted ? 'good' : 'bad'}`}>
			<span aria-hidden="true">${accepted ? '✓' : '✕'}</span> ${accepted ? 'Yes.' : `No: ${REASONS[failed]}.`}
		</p>
		<ol class="steps">
			${steps.map(
				({ step, ok, detail }) => html`<li key=${step}>
					<span class=${ok ? 'ok' : 'notOk'} role="img" aria-label=${ok ? 'Passed' : 'Failed'}>${ok ? '✓' : '✕'}</span>
					<div><strong>${STEPS[step]}</strong> <span class="muted">${detail}</span></div>
				</li>`,
			)}
		</ol>
	</${Panel}>`;
}

/** Sends the same event again, as it is or altered. */
function Again({ made }) {
	const [delay, setDelay] = useState('60');
	const resend = (body, done) => attempt(() => send('POST', `deliveries/${made.id}/resend`, body), done);
	return html`<h3 class="above">Send it again</h3>
		<div class="actions">
			<${ActionButton} class="small" onClick=${() => resend({}, 'Sent again.')}>Resend</${ActionButton}>
			<${ActionButton} class="small" onClick=${() => resend({ times: 2 }, 'Sent twice.')}>Duplicate</${ActionButton}>
			<${ActionButton} class="small" onClick=${() => resend({ tamper: 'body' }, 'Sent with an altered body.')}>Tamper with the body</${ActionButton}>
			<${ActionButton} class="small" onClick=${() => resend({ tamper: 'signature' }, 'Sent with an altered signature.')}>Tamper with the signature</${ActionButton}>
			<${ActionButton} class="small" onClick=${() => resend({ tamper: 'secret' }, 'Sent with a wrong secret.')}>Use a wrong secret</${ActionButton}>
			<span class="inline">
				<${ActionButton} class="small" onClick=${() => resend({ delaySeconds: Number(delay) || 0 }, `It will be sent in ${Number(delay) || 0} s.`)}>Delay by</${ActionButton}>
				<input type="number" class="small" min="0" aria-label="Delay in seconds" value=${delay} onInput=${({ currentTarget }) => setDelay(currentTarget.value)} /> s
			</span>
		</div>`;
}

/** Sends a sample of any event to a webhook; at first to the ones that the list shows. */
function Sample({ webhooks, kinds, chosen, onClose }) {
	const submit = async (submitted) => {
		submitted.preventDefault();
		const form = new FormData(submitted.currentTarget);
		const sent = await attempt(async () => {
			let data;
			try {
				data = JSON.parse(String(form.get('data')) || '{}');
			} catch {
				throw new Error('The data is not valid JSON.');
			}
			const tamper = form.get('tamper');
			return await send('POST', 'deliver', {
				webhookId: form.get('webhookId'),
				event: form.get('event'),
				data,
				times: Number(form.get('times')),
				delaySeconds: Number(form.get('delaySeconds')),
				...(tamper ? { tamper } : {}),
			});
		}, 'The sample is sent.');
		if (sent) {
			onClose();
		}
	};
	return html`<${Dialog} title="Send a sample" onClose=${onClose}>
		${
			webhooks.length === 0
				? html`<p>There is no webhook to send it to. Publish a workflow with the trigger in n8n first.</p>`
				: html`<form onSubmit=${submit}>
						<${Field} label="Webhook"><select name="webhookId">${webhooks.map(({ id, name }) => html`<option value=${id} selected=${id === chosen.webhookId}>${name}</option>`)}</select></${Field}>
						<${Field} label="Event"><select name="event">${kinds.map((kind) => html`<option value=${kind} selected=${kind === chosen.event}>${kind}</option>`)}</select></${Field}>
						<${Field} label="Data (JSON)" hint="Replaces fields of the sample"><textarea name="data" rows="4">{}</textarea></${Field}>
						<div class="formRow">
							<${Field} label="Copies"><input type="number" name="times" min="1" max="100" value="1" /></${Field}>
							<${Field} label="Delay (seconds)"><input type="number" name="delaySeconds" min="0" value="0" /></${Field}>
							<${Field} label="Tamper with"><select name="tamper"><option value="">Nothing</option><option value="body">The body</option><option value="signature">The signature</option><option value="secret">The secret</option></select></${Field}>
						</div>
						<div class="actions end"><button type="button" onClick=${onClose}>Cancel</button><button class="primary">Send</button></div>
					</form>`
		}
	</${Dialog}>`;
}

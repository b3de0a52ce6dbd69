import { attempt, send, useLoaded } from './api.js';
import { bytes, fullTime, millis, parsed, time, words } from './format.js';
import { html, useState } from './lib.js';
import { ListAndOne, Row } from './list.js';
import {
	ActionButton,
	Code,
	DeliveryBadge,
	Dialog,
	DialogButtons,
	Empty,
	Facts,
	Field,
	Form,
	HttpStatus,
	Loaded,
	Muted,
	Panel,
	Select,
	Table,
} from './parts.js';
import { linkTo } from './route.js';

const STATUSES = ['pending', 'success', 'retrying', 'failed'];

/** The reason why the trigger would not accept a delivery, by the failed step. */
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

/** The parts of a delivery that can be falsified, each with the texts of its button and message. */
const TAMPER = {
	body: ['Tamper with the body', 'Sent with an altered body.'],
	signature: ['Tamper with the signature', 'Sent with an altered signature.'],
	secret: ['Use a wrong secret', 'Sent with a wrong secret.'],
};

/** Shows the attempts to deliver events, next to the selected attempt. */
export function DeliveriesView({ id, query }) {
	const [sampling, setSampling] = useState(false);
	const webhooks = useLoaded('webhooks', ({ type }) => type === 'object').data ?? [];
	const names = new Map(webhooks.map((webhook) => [webhook.id, webhook.name]));
	const kinds = useLoaded('event-kinds').data;
	const types = kinds ? [...new Set([...kinds.campaign, ...Object.keys(kinds.agent)])] : [];
	const choices = {
		status: ['Status', [['', 'All statuses'], ...STATUSES.map((name) => [name, words(name)])]],
		event: ['Event type', [['', 'All event types'], ...types.map((name) => [name, name])]],
		webhookId: ['Webhook', [['', 'All webhooks'], ...names]],
	};
	const none = html`<${Empty} title="No deliveries yet">
		<p>Events are delivered to webhooks: publish a workflow with the trigger in n8n, then place a call.</p>
		<a class="button" href="#/objects/webhooks">See the webhooks</a>
	</${Empty}>`;
	return html`<${ListAndOne}
			title="Deliveries"
			path="deliveries"
			item="delivery"
			noun="attempt"
			query=${query}
			choices=${choices}
			only=${{ callId: 'Only one call' }}
			placeholder="Search bodies…"
			actions=${html`<button type="button" onClick=${() => setSampling(true)}>Send a sample</button>`}
			selected=${id}
			row=${(delivery) => deliveryRow(delivery, names)}
			empty=${none}
			show=${(made) => html`<${Details} made=${made} name=${names.get(made.webhook_id)} />`}
		/>
		${
			sampling
				? html`<${Sample} names=${names} types=${types} chosen=${query} onClose=${() => setSampling(false)} />`
				: null
		}`;
}

function deliveryRow(delivery, names) {
	const { duration_ms: ms, retry_at: next } = delivery;
	const webhook = names.get(delivery.webhook_id) ?? 'Deleted webhook';
	return html`<${Row}
		title=${delivery.event}
		note=${`Attempt ${delivery.attempt}${delivery.tampered ? ', tampered' : ''}${next ? `, next at ${time(next)}` : ''} · ${webhook}`}
		state=${html`<${DeliveryBadge} made=${delivery} />`}
		end=${`${ms === null ? '' : `${millis(ms)} · `}${time(delivery.at)}`}
	/>`;
}

function Details({ made, name }) {
	const { request, response, call_id: call } = made;
	const webhook = name && html`<a href=${linkTo(['objects', 'webhooks', made.webhook_id])}>${name}</a>`;
	return html`<${Panel} title=${made.event} actions=${html`<${DeliveryBadge} made=${made} />`}>
			<${Facts}
				rows=${[
					['Webhook', webhook ?? 'Deleted'],
					['Call', call && html`<a href=${linkTo(['calls', call])}>${call}</a>`],
					['Attempt', String(made.attempt)],
					['Duration', made.duration_ms === null ? null : millis(made.duration_ms)],
					['Sent', fullTime(made.at)],
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
					<${Message} message=${request} name="request" />
				</${Panel}>`
				: null
		}
		<${Panel} title="Response">
			${
				response
					? html`<p><${HttpStatus} status=${response.status} /></p>
						<${Message} message=${response} name="response" />`
					: html`<${Muted}>${made.status === 'pending' ? 'Not yet.' : `None: ${made.error ?? 'unknown error'}`}</${Muted}>`
			}
		</${Panel}>`;
}

/** Shows the headers and body of a request or a response. */
function Message({ message: { headers, body }, name }) {
	return html`<${Table} rows=${headers} label=${`Headers of the ${name}`} />
		${
			body
				? html`<h3>Body <span class="muted">${bytes(body)}</span></h3>
					<${Code} value=${body} label=${`the ${name} body`} />`
				: html`<${Muted}>The body is empty.</${Muted}>`
		}`;
}

/** Shows whether the trigger would accept a delivery, and why not. */
function Verdict({ id, status }) {
	const verdict = useLoaded(status === 'pending' ? null : `deliveries/${encodeURIComponent(id)}/verify`);
	if (!verdict.data) {
		return verdict.error ? html`<${Loaded} from=${verdict} />` : null;
	}
	const { accepted, failed, steps } = verdict.data;
	return html`<${Panel} title="Would the trigger accept it?">
		<p class=${`banner ${accepted ? 'good' : 'bad'}`}>${accepted ? '✓ Yes.' : `✕ No, ${REASONS[failed]}.`}</p>
		<ol>
			${steps.map(
				({ step, ok, detail }) => html`<li key=${step}>
					<span class=${ok ? 'good' : 'bad'} role="img" aria-label=${ok ? 'Passed' : 'Failed'}>${ok ? '✓' : '✕'}</span>
					${' '}<strong>${words(step)}</strong> <span class="muted">${detail}</span>
				</li>`,
			)}
		</ol>
	</${Panel}>`;
}

/** Sends the same event again, unchanged or falsified. */
function Again({ made }) {
	const [delay, setDelay] = useState('60');
	const seconds = Number(delay) || 0;
	const button = (text, body, done) =>
		html`<${ActionButton}
			key=${text}
			class="small"
			onClick=${() => attempt(() => send('POST', `deliveries/${made.id}/resend`, body), done)}
		>
			${text}
		</${ActionButton}>`;
	return html`<h3>Send it again</h3>
		<div class="line">
			${button('Resend', {}, 'Sent again.')}
			${button('Duplicate', { times: 2 }, 'Sent twice.')}
			${Object.entries(TAMPER).map(([tamper, [text, done]]) => button(text, { tamper }, done))}
			<span class="line">
				${button('Delay by', { delaySeconds: seconds }, `It will be sent in ${seconds} s.`)}
				<input
					type="number"
					class="small"
					min="0"
					aria-label="Delay in seconds"
					value=${delay}
					onInput=${({ currentTarget }) => setDelay(currentTarget.value)}
				/>
				s
			</span>
		</div>`;
}

/** Sends a sample of any event to a webhook. The list's filters are preselected. */
function Sample({ names, types, chosen, onClose }) {
	const sample = ({ data, times, delaySeconds, tamper, ...fields }) =>
		send('POST', 'deliver', {
			...fields,
			data: parsed(data, 'data'),
			times: Number(times),
			delaySeconds: Number(delaySeconds),
			...(tamper && { tamper }),
		});
	const tampers = Object.entries({ '': 'Nothing', body: 'The body', signature: 'The signature', secret: 'The secret' });
	return html`<${Dialog} title="Send a sample" onClose=${onClose}>
		${
			names.size === 0
				? html`<p>There is no webhook to send it to. Publish a workflow with the trigger in n8n first.</p>`
				: html`<${Form} onSend=${sample} done="The sample is sent." onDone=${onClose}>
					<${Field} label="Webhook" wide>
						<${Select} name="webhookId" value=${chosen.webhookId} options=${[...names]} />
					</${Field}>
					<${Field} label="Event type" wide>
						<${Select} name="event" value=${chosen.event} options=${types.map((type) => [type, type])} />
					</${Field}>
					<${Field} label="Data (JSON)" hint="Replaces fields of the sample" wide>
						<textarea name="data" rows="4">{}</textarea>
					</${Field}>
					<${Field} label="Copies"><input type="number" name="times" min="1" max="100" value="1" /></${Field}>
					<${Field} label="Delay (seconds)"><input type="number" name="delaySeconds" min="0" value="0" /></${Field}>
					<${Field} label="Tamper with"><${Select} name="tamper" options=${tampers} /></${Field}>
					<${DialogButtons} onClose=${onClose}><button class="primary">Send</button></${DialogButtons}>
				</${Form}>`
		}
	</${Dialog}>`;
}

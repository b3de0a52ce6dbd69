import { attempt, send, useLoaded } from './api.js';
import { duration, fullTime, millis, plural, time, words } from './format.js';
import { html, useState } from './lib.js';
import { ActionButton, Badge, Code, Facts, Field, Headers, HttpStatus, Loaded, Panel, Select } from './parts.js';
import { CallActs } from './phones.js';
import { linkTo } from './route.js';

/** What the course of a call does next, in words. */
const NEXT = {
	start: 'it is dialed',
	ring: 'it rings',
	answer: 'it is answered',
	voicemail: 'voicemail answers',
	decline: 'it is declined',
	busy: 'the line is busy',
	noAnswer: 'it ends without an answer',
	fail: 'it fails',
	hangUp: 'somebody hangs up',
	say: 'somebody speaks',
	press: 'keys are pressed',
	useAction: 'the agent uses an action',
};

/** All that is known about one call, and what can be done with it. */
export function CallDetail({ id }) {
	const call = useLoaded(`calls/${encodeURIComponent(id)}`, (change) => concerns(change, id, call.data));
	return html`<div class="page">
		<p class="crumbs"><a href="#/calls">← All calls</a></p>
		<${Loaded} from=${call} back="#/calls">${(data) => html`<${Call} call=${data} />`}</${Loaded}>
	</div>`;
}

function concerns(change, id, call) {
	const ids = [id, call?.id, call?.campaign_call?.id];
	return ids.includes(change.id) || (change.call_id !== undefined && ids.includes(change.call_id));
}

function Call({ call }) {
	const inbound = call.direction === 'inbound';
	const { campaign_call: queued, first_message: first } = call;
	const open = call.can.length > 0;
	return html`<div class="titleRow">
			<div>
				<h2 class="title">${inbound ? call.from_formatted : call.to_formatted}</h2>
				<p class="muted">${inbound ? 'Inbound call to' : 'Outbound call by'}${' '}<a href=${linkTo(['objects', 'agents', call.agent.id])}>${call.agent.name}</a></p>
			</div>
			<${Badge} status=${call.status} />
		</div>
		${
			open
				? html`<section class="panel callNow" aria-label="What you can do">
						<${CallActs} call=${call} />
						${call.course.next ? html`<p class="muted">If you do nothing: ${NEXT[call.course.next.do] ?? call.course.next.do} at ${time(call.course.next.at)}.</p>` : html`<p class="muted">Nothing happens until you act, or the longest call is over.</p>`}
						${call.can.includes('say') ? html`<${Talk} call=${call} />` : null}
						${call.status === 'answered' ? html`<${AgentAction} call=${call} />` : null}
					</section>`
				: null
		}
		<div class="columns">
			<${Panel} title="Timeline"><${Timeline} call=${call} /></${Panel}>
			<div>
				<${Panel} title="Details">
					<${Facts}
						rows=${[
							['To', call.to],
							['From', call.from],
							['Duration', call.duration > 0 ? duration(call.duration) : null],
							['Answered by', call.answered_by && words(call.answered_by)],
							[
								'Ended by',
								call.ended_by && { person: 'The person', agent: 'The agent', api: 'A request' }[call.ended_by],
							],
							['Course', words(call.course.kind)],
							['Test call', call.is_testing ? 'Yes' : null],
							[
								'Campaign',
								queued &&
									html`<a href=${linkTo(['objects', 'campaigns', queued.campaign_id])}>${queued.campaign_name ?? queued.campaign_id}</a>`,
							],
							[
								'Queued call',
								queued &&
									html`${words(queued.status)}, ${plural(queued.retries, 'retry', 'retries')}<br /><code>${queued.id}</code>`,
							],
							['Call ID', html`<code>${call.id}</code>`],
							['SID', html`<code>${call.sid}</code>`],
							[
								'Deliveries',
								html`<a href=${linkTo(['deliveries'], { callId: queued?.id ?? call.id })}>${plural(call.deliveries.length, 'attempt')}</a>`,
							],
						]}
					/>
				</${Panel}>
				${
					first?.text
						? html`<${Panel} title="First message">
								<blockquote>${first.text}</blockquote>
								${first.template !== first.text ? html`<p class="muted">Template: ${first.template}</p>` : null}
								${first.unfilled.length > 0 ? html`<p class="warnText"><span aria-hidden="true">!</span> Without a value in the payload: ${first.unfilled.join(', ')}</p>` : null}
							</${Panel}>`
						: null
				}
				${
					call.report || call.recording_url
						? html`<${Panel} title="Report">
								${call.report ? html`<p>${call.report.summary} <${Badge} status=${call.report.outcome} tone="plain" /></p>` : null}
								${call.recording_url ? html`<audio controls preload="none" src=${new URL(call.recording_url).pathname} aria-label="Recording of the call"></audio>` : null}
							</${Panel}>`
						: null
				}
				${
					call.attempts.length > 1
						? html`<${Panel} title="Attempts">
								<ol class="plainList">
									${call.attempts.map((other, index) => html`<li key=${other.id}><a href=${linkTo(['calls', other.id])} aria-current=${other.id === call.id ? 'true' : undefined}>Attempt ${index + 1}</a> <${Badge} status=${other.status} /> <span class="muted">${time(other.created_at)}</span></li>`)}
								</ol>
							</${Panel}>`
						: null
				}
				<${Panel} title="Payload"><${Code} value=${call.payload} label="the payload" /></${Panel}>
				<${Panel} title="Metadata"><${Code} value=${call.context} label="the metadata" /></${Panel}>
			</div>
		</div>`;
}

/** Everything that happened, in its order. */
function Timeline({ call }) {
	const entries = [
		...call.statuses.map(({ status, at }) => ({
			at,
			sign: '●',
			kind: 'status',
			text: html`<${Badge} status=${status} />`,
		})),
		...call.events.map(({ event, at }) => ({ at, sign: '◆', kind: 'event', text: html`Event <code>${event}</code>` })),
		...call.deliveries.map((made) => ({
			at: made.at,
			sign: '→',
			kind: 'delivery',
			text: html`<a href=${linkTo(['deliveries', made.id])}>Delivery of ${made.event}, attempt ${made.attempt}</a> <${Badge} status=${made.status} text=${made.http_status ? `${words(made.status)} (${made.http_status})` : words(made.status)} />`,
		})),
		...call.transcript.map(({ role, content, at }) => ({
			at,
			sign: '“',
			kind: 'speech',
			text: html`<strong>${words(role)}</strong><br />${content}`,
		})),
		...call.actions.map((use) => ({ at: use.at, sign: '⚙', kind: 'action', text: html`<${ActionUse} use=${use} />` })),
	].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
	return html`<ol class="timeline">
		${entries.map(
			({ at, sign, kind, text }, index) => html`<li key=${`${kind}${index}`} class=${kind}>
				<span class="sign" aria-hidden="true">${sign}</span>
				<div>${text}</div>
				<time datetime=${at} title=${fullTime(at)}>${time(at)}</time>
			</li>`,
		)}
	</ol>`;
}

function ActionUse({ use }) {
	return html`<details>
		<summary>Action ${use.name ?? use.action_id} <${Badge} status=${use.status} />${use.duration_ms === null || use.duration_ms === undefined ? null : html` <span class="muted">${millis(use.duration_ms)}</span>`}</summary>
		<${Facts}
			rows=${[
				['Error', use.error],
				['Request', use.request && html`<code>${use.request.method} ${use.request.url}</code>`],
				['Response', use.response && html`<${HttpStatus} status=${use.response.status} />`],
			]}
		/>
		<h4>Arguments</h4>
		<${Code} value=${use.arguments} label="the arguments" />
		${
			use.request &&
			html`<${Headers} headers=${use.request.headers} label="Headers of the action" />
				<h4>Request body</h4>
				<${Code} value=${use.request.body} label="the request body" />`
		}
		${use.response?.body ? html`<h4>Response body</h4><${Code} value=${use.response.body} label="the response body" />` : null}
	</details>`;
}

function Talk({ call }) {
	const [by, setBy] = useState('person');
	/** Acts with what was typed, and empties the form. */
	const act = (action, more) => async (event) => {
		event.preventDefault();
		const form = event.currentTarget;
		const body = { action, ...more, ...Object.fromEntries(new FormData(form)) };
		if (await attempt(() => send('POST', `calls/${call.id}/act`, body))) {
			form.reset();
		}
	};
	return html`<form class="talk" onSubmit=${act('say', { by })}>
			<${Field} label="Who speaks"><${Select} value=${by} onChange=${setBy} options=${[['person', 'The person'], ['agent', 'The agent']]} /></${Field}>
			<${Field} label="Says" wide><input name="text" required maxlength="2000" autocomplete="off" /></${Field}>
			<button>Say</button>
		</form>
		<form class="talk" onSubmit=${act('press')}>
			<${Field} label="Keys" wide><input name="keys" required pattern="[0-9*#A-D]{1,32}" title="0 to 9, *, #, A to D" autocomplete="off" /></${Field}>
			<button>Press</button>
		</form>`;
}

/** A first value for an argument, by its type. */
const SAMPLES = { integer: 1, number: 1, boolean: true, array: [], object: {} };

/** What the description of an argument ends with, such as "The day, such as 2030-01-15"; else an empty text. */
const exampleIn = (description) => /such as (\S+)$/i.exec(description)?.[1] ?? '';

/** Lets the agent use one of its actions during the call. */
function AgentAction({ call }) {
	const agent = useLoaded(`agents/${call.agent.id}`, ({ type, id }) => type === 'object' && id === call.agent.id);
	const actions = (agent.data?.actions ?? []).filter(({ current_status }) => current_status === 'active');
	const [chosen, setChosen] = useState('');
	const action = actions.find(({ id }) => id === chosen) ?? actions[0];
	const [text, setText] = useState(null);
	if (!action) {
		return null;
	}
	const asked = action.input_schema.filter(({ value }) => value === undefined);
	const sample = JSON.stringify(
		Object.fromEntries(asked.map(({ name, type, description }) => [name, SAMPLES[type] ?? exampleIn(description)])),
	);
	const use = () =>
		attempt(async () => {
			const { use: made } = await send('POST', `calls/${call.id}/action`, {
				action: action.id,
				arguments: parsed(text ?? sample),
			});
			if (made.status !== 'succeeded') {
				throw new Error(`The action failed: ${made.error ?? 'see the timeline'}.`);
			}
		}, 'The action succeeded.');
	return html`<div class="talk">
		<${Field} label="Agent’s action"><${Select} value=${action.id} onChange=${(id) => {
			setChosen(id);
			setText(null);
		}} options=${actions.map(({ id, name }) => [id, name])} /></${Field}>
		<${Field} label="Arguments (JSON)" wide><input value=${text ?? sample} onInput=${({ currentTarget }) => setText(currentTarget.value)} /></${Field}>
		<${ActionButton} onClick=${use}>Use it</${ActionButton}>
	</div>`;
}

function parsed(text) {
	try {
		return JSON.parse(text || '{}');
	} catch {
		throw new Error('The arguments are not valid JSON.');
	}
}

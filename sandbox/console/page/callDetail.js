import { send, useLoaded } from './api.js';
import { duration, fullTime, millis, parsed, plural, time, words } from './format.js';
import { html, useState } from './lib.js';
import {
	Badge,
	CallBadge,
	Code,
	DeliveryBadge,
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
import { CallActs } from './phones.js';
import { linkTo } from './route.js';

const ANSWERED_BY = { person: 'The person', machine: 'Voicemail' };
const ENDED_BY = { person: 'The person', agent: 'The agent', api: 'A request' };

/** Shows all data of a call, and its possible actions. */
export function CallDetail({ id }) {
	const call = useLoaded(`calls/${encodeURIComponent(id)}`, (change) => concerns(change, id, call.data));
	return html`<div class="stack">
		<p><a href="#/calls">← All calls</a></p>
		<${Loaded} from=${call} back="#/calls">${(data) => html`<${Call} call=${data} />`}</${Loaded}>
	</div>`;
}

function concerns(change, id, call) {
	const ids = [id, call?.id, call?.campaign_call?.id];
	return ids.includes(change.id) || (change.call_id !== undefined && ids.includes(change.call_id));
}

function Call({ call }) {
	const inbound = call.direction === 'inbound';
	const agent = html`<a href=${linkTo(['objects', 'agents', call.agent.id])}>${call.agent.name}</a>`;
	return html`<div class="line">
			<h2 class="title">${inbound ? call.from_formatted : call.to_formatted}</h2>
			<${CallBadge} call=${call} />
			<span class="muted">
				${inbound ? 'Inbound call to' : 'Outbound call by'} ${agent}, ${fullTime(call.created_at)}
			</span>
		</div>
		${call.can.length > 0 ? html`<${Acts} call=${call} />` : null}
		<div class="columns">
			<div class="stack">
				<${Panel} title="Details"><${Facts} rows=${factsOf(call)} /></${Panel}>
				<${Panel} title="Payload"><${Code} value=${call.payload} label="the payload" /></${Panel}>
				<${Panel} title="Metadata"><${Code} value=${call.context} label="the metadata" /></${Panel}>
			</div>
			<${Panel} title="Timeline"><${Timeline} call=${call} /></${Panel}>
		</div>`;
}

/** Shows the possible actions in a call in progress. */
function Acts({ call }) {
	const { next } = call.course;
	const otherwise = next
		? `If you do nothing: “${words(next.do)}” at ${time(next.at)}.`
		: 'Nothing happens until you act, or the longest call is over.';
	return html`<section class="panel stack" aria-label="What you can do">
		<${CallActs} call=${call} />
		<${Muted}>${otherwise}</${Muted}>
		${call.can.includes('say') ? html`<${Talk} call=${call} />` : null}
		${call.status === 'answered' ? html`<${AgentAction} call=${call} />` : null}
	</section>`;
}

/** @returns {Array<[string, unknown]>} */
function factsOf(call) {
	const { campaign_call: queued } = call;
	const { text, template, unfilled = [] } = call.first_message ?? {};
	const { report, recording_url: recording } = call;
	const deliveries = linkTo(['deliveries'], { callId: queued?.id ?? call.id });
	const campaign = queued && linkTo(['objects', 'campaigns', queued.campaign_id]);
	return [
		['To', call.to],
		['From', call.from],
		['Duration', call.duration > 0 ? duration(call.duration) : null],
		['Answered by', ANSWERED_BY[call.answered_by]],
		['Ended by', ENDED_BY[call.ended_by]],
		['First message', text],
		['Message template', template !== text && template],
		['Missing variables', unfilled.length > 0 && html`<${Badge} tone="warn" text="No value" /> ${unfilled.join(', ')}`],
		['Report', report && html`${report.summary} <${Badge} status=${report.outcome} tone="plain" />`],
		['Recording', recording && html`<${Recording} url=${recording} />`],
		['Mode', words(call.course.kind)],
		['Test call', call.is_testing ? 'Yes' : null],
		['Campaign', queued && html`<a href=${campaign}>${queued.campaign_name ?? queued.campaign_id}</a>`],
		['Queued call', queued && `${words(queued.status)}, ${plural(queued.retries, 'retry', 'retries')}`],
		['Queued call ID', queued && html`<code>${queued.id}</code>`],
		['Attempts', call.attempts.length > 1 && call.attempts.map(attemptOf)],
		['Call ID', html`<code>${call.id}</code>`],
		['SID', html`<code>${call.sid}</code>`],
		[
			'Deliveries',
			call.deliveries.length > 0
				? html`<a href=${deliveries}>${plural(call.deliveries.length, 'attempt')}</a>`
				: 'None',
		],
	];
}

function Recording({ url }) {
	return html`<audio controls preload="none" src=${new URL(url).pathname} aria-label="Recording of the call"></audio>`;
}

function attemptOf({ id, status, created_at: at }, index) {
	return html`<div key=${id}>
		<a href=${linkTo(['calls', id])}>Attempt ${index + 1}</a> <${Badge} status=${status} /> ${time(at)}
	</div>`;
}

/** Shows everything that happened, in order. */
function Timeline({ call }) {
	const entries = [
		...call.statuses.map(({ status, at }) => ({ at, sign: '●', text: html`<${Badge} status=${status} />` })),
		...call.events.map(({ event, at }) => ({ at, sign: '◆', text: html`<code>${event}</code>` })),
		...call.deliveries.map((made) => ({ at: made.at, sign: '→', text: html`<${Sent} made=${made} />` })),
		...call.transcript.map(({ role, content, at }) => ({
			at,
			sign: '“',
			text: html`<strong>${words(role)}</strong><br />${content}`,
		})),
		...call.actions.map((use) => ({ at: use.at, sign: '⚙', text: html`<${ActionUse} use=${use} />` })),
	].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
	return html`<ol class="timeline">
		${entries.map(
			({ at, sign, text }, index) => html`<li key=${`${sign}${index}`}>
				<span class="muted" aria-hidden="true">${sign}</span>
				<div>${text}</div>
				<time class="muted" datetime=${at} title=${fullTime(at)}>${time(at, call.created_at)}</time>
			</li>`,
		)}
	</ol>`;
}

function Sent({ made }) {
	return html`<a href=${linkTo(['deliveries', made.id])}>Delivery of ${made.event}, attempt ${made.attempt}</a>
		${' '}<${DeliveryBadge} made=${made} />`;
}

function ActionUse({ use }) {
	const { request, response, duration_ms: ms } = use;
	const time = Number.isFinite(ms) ? html` <span class="muted">${millis(ms)}</span>` : null;
	return html`<details>
		<summary>Action ${use.name ?? use.action_id} <${Badge} status=${use.status} />${time}</summary>
		<${Facts}
			rows=${[
				['Error', use.error],
				['Request', request && html`<code>${request.method} ${request.url}</code>`],
				['Response', response && html`<${HttpStatus} status=${response.status} />`],
			]}
		/>
		<h3>Arguments</h3>
		<${Code} value=${use.arguments} label="the arguments" />
		${
			request &&
			html`<${Table} rows=${request.headers} label="Headers of the action" />
				<h3>Request body</h3>
				<${Code} value=${request.body} label="the request body" />`
		}
		${response?.body ? html`<h3>Response body</h3><${Code} value=${response.body} label="the response body" />` : null}
	</details>`;
}

function Talk({ call }) {
	const act = (action) => (fields) => send('POST', `calls/${call.id}/act`, { action, ...fields });
	const empty = (form) => {
		form.querySelector('input').value = '';
	};
	const sides = Object.entries({ person: 'The person', agent: 'The agent' });
	return html`<${Form} onSend=${act('say')} onDone=${empty}>
			<${Field} label="Who speaks"><${Select} name="by" options=${sides} /></${Field}>
			<${Field} label="Says" wide><input name="text" required maxlength="2000" autocomplete="off" /></${Field}>
			<button>Say</button>
		</${Form}>
		<${Form} onSend=${act('press')} onDone=${empty}>
			<${Field} label="Keys" wide>
				<input name="keys" required pattern="[0-9*#A-D]{1,32}" title="0 to 9, *, #, A to D" autocomplete="off" />
			</${Field}>
			<button>Press</button>
		</${Form}>`;
}

/** Returns an initial value for an argument, by its type. */
const SAMPLES = { integer: 1, number: 1, boolean: true, array: [], object: {} };

/** Returns the example in a description such as "The day, such as 2030-01-15"; otherwise an empty text. */
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
	const use = async () => {
		const { use: made } = await send('POST', `calls/${call.id}/action`, {
			action: action.id,
			arguments: parsed(text ?? sample, 'arguments'),
		});
		if (made.status !== 'succeeded') {
			throw new Error(`The action failed: ${made.error ?? 'see the timeline'}.`);
		}
		return made;
	};
	const choose = (id) => {
		setChosen(id);
		setText(null);
	};
	const options = actions.map(({ id, name }) => [id, name]);
	return html`<${Form} onSend=${use} done="The action succeeded.">
		<${Field} label="Agent’s action">
			<${Select} value=${action.id} onChange=${choose} options=${options} />
		</${Field}>
		<${Field} label="Arguments (JSON)" wide>
			<textarea rows="3" value=${text ?? sample} onInput=${({ currentTarget }) => setText(currentTarget.value)} />
		</${Field}>
		<button>Use it</button>
	</${Form}>`;
}

import { attempt, notify, send, useLoaded } from './api.js';
import { count, FAULTS, fullTime, plural, speedText, time } from './format.js';
import { html, useEffect, useState } from './lib.js';
import { useNow } from './now.js';
import { ActionButton, Badge, Confirm, Facts, Field, Form, Loaded, Muted, Panel, Select } from './parts.js';

const SPEEDS = [0, 1, 10, 20, 60, 600, 3600];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The steps by which the clock can be advanced, by the text of the button. */
const STEPS = {
	'1 minute': { seconds: 60 },
	'1 hour': { seconds: 3600 },
	'1 day': { seconds: 86_400 },
};

/** Shows the sandbox as a whole: its clock, faults, limits and data. */
export function ClockView({ status }) {
	return html`<div class="stack"><${Loaded} from=${status}>${(data) => html`
		<div class="columns">
			<${Clock} status=${data} />
			<${Limits} status=${data} reload=${status.reload} />
		</div>
		<${Faults} />
		<${Data} status=${data} />
	`}</${Loaded}></div>`;
}

function Clock({ status }) {
	const now = useNow(status);
	const advance = (body) =>
		attempt(async () => {
			const result = await send('POST', 'advance', body);
			notify(
				result.advanced === false
					? 'Nothing is due: the clock was not advanced.'
					: `It is ${fullTime(result.now)} now.`,
			);
		});
	const setSpeed = (speed) => attempt(() => send('POST', 'clock', { speed }));
	const speeds = [...new Set([...SPEEDS, status.start_speed, status.speed])].sort((one, other) => one - other);
	const next = status.next_event_at;
	return html`<${Panel} title="Clock">
		<p class="title">${time(now)}</p>
		<${Muted}>The sandbox’s time: ${fullTime(now)}. Your time: ${time(Date.now())}.</${Muted}>
		<${Muted}>Next event: ${next ? time(next, now) : 'none is planned'}</${Muted}>
		<h3>Advance</h3>
		<div class="line">
			<${ActionButton} onClick=${() => advance({ to: 'nextEvent' })} class="primary">To the next event</${ActionButton}>
			${Object.entries(STEPS).map(
				([text, step]) => html`<${ActionButton} key=${text} onClick=${() => advance(step)}>${text}</${ActionButton}>`,
			)}
		</div>
		<h3 id="speed">Speed</h3>
		<div class="line" role="group" aria-labelledby="speed">
			${speeds.map(
				(speed) => html`<button
					key=${speed}
					type="button"
					class="small"
					aria-pressed=${status.speed === speed}
					onClick=${() => setSpeed(speed)}
				>
					${speed === 0 ? 'Stop' : speedText(speed)}
				</button>`,
			)}
		</div>
	</${Panel}>`;
}

function Limits({ status, reload }) {
	const { rate_limit: rate, credits, load } = status;
	// Requests of other programs do not announce a change of the status.
	useEffect(() => {
		const timer = setInterval(reload, 2000);
		return () => clearInterval(timer);
	}, []);
	const set = ({ credits: text }) => send('POST', 'credits', { credits: text === '' ? null : Number(text) });
	return html`<${Panel} title="Limits">
		<h3 id="rate">Rate limit</h3>
		<meter aria-labelledby="rate" min="0" max=${rate.limit} high=${rate.limit * 0.8} value=${rate.used}></meter>
		<p>
			${count(rate.used)} of ${plural(rate.limit, 'request')} in ${plural(rate.window_seconds, 'second')}
			${rate.resets_at ? html` <span class="muted">until ${time(rate.resets_at)}, your time</span>` : null}
		</p>
		<${Muted}>
			${plural(load.inFlight, 'request')} in progress now, ${count(load.highest)} at most so far.
		</${Muted}>
		<h3>Credits</h3>
		<p>${credits === null ? 'Unlimited' : `Enough for ${plural(credits, 'call')}`}</p>
		<${Form} onSend=${set} done="The credits are set.">
			<${Field} label="New credits">
				<input
					key=${credits}
					type="number"
					name="credits"
					min="0"
					placeholder="Unlimited"
					defaultValue=${credits ?? ''}
				/>
			</${Field}>
			<button>Set</button>
		</${Form}>
	</${Panel}>`;
}

function Faults() {
	const faults = useLoaded('faults', ({ type }) => type === 'faults' || type === 'request');
	const [kind, setKind] = useState('status');
	const add = ({ method, path, times, status, ms }) =>
		send('POST', 'faults', {
			kind,
			match: { ...(method && { method }), ...(path.trim() && { path: path.trim() }) },
			times: Number(times),
			...(status && { status: Number(status) }),
			...(ms && { ms: Number(ms) }),
		});
	const clear = () => attempt(() => send('DELETE', 'faults'), 'All faults are removed.');
	const removeAll = html`<${ActionButton} class="small" onClick=${clear}>Remove all</${ActionButton}>`;
	const item = (fault) => html`<span>
			<${Badge} tone="warn" text=${FAULTS[fault.kind]} /> ${fault.status}
			${fault.kind === 'latency' ? `${count(fault.ms)} ms` : ''}
			${' '}<code>${fault.match.method ?? 'Any method'} ${fault.match.path ?? 'any path'}</code>
			${' '}<span class="muted">${plural(fault.times, 'time')} left</span>
		</span>
		<${ActionButton}
			class="small"
			aria-label=${`Remove the fault, ${FAULTS[fault.kind]}`}
			onClick=${() => attempt(() => send('DELETE', `faults/${fault.id}`))}
		>
			Remove
		</${ActionButton}>`;
	const number = (label, name, min, value) => html`<${Field} label=${label}>
		<input type="number" name=${name} min=${min} defaultValue=${value} required />
	</${Field}>`;
	return html`<${Panel} title="Faults" actions=${faults.data?.length > 0 ? removeAll : null}>
		<${Form} onSend=${add} done="The fault waits for the next request.">
			<${Field} label="What happens">
				<${Select} value=${kind} onChange=${setKind} options=${Object.entries(FAULTS)} />
			</${Field}>
			${kind === 'status' ? number('Status', 'status', 200, 503) : null}
			${kind === 'latency' ? number('Milliseconds', 'ms', 0, 5000) : null}
			<${Field} label="Method">
				<${Select} name="method" options=${[['', 'Any'], ...METHODS.map((name) => [name, name])]} />
			</${Field}>
			<${Field} label="Path"><input name="path" placeholder="/api/v1/calls*" autocomplete="off" /></${Field}>
			${number('Times', 'times', 1, 1)}
			<button class="primary">Add</button>
		</${Form}>
		<${Loaded} from=${faults}>
			${(list) =>
				list.length === 0
					? html`<${Muted}>No faults: every request is handled as usual.</${Muted}>`
					: html`<ul>${list.map((fault) => html`<li class="spread">${item(fault)}</li>`)}</ul>`}
		</${Loaded}>
	</${Panel}>`;
}

function Data({ status }) {
	const [asking, setAsking] = useState(false);
	const { counts, dropped, signature, state_file: file } = status;
	const amount = (name) =>
		`${count(counts[name])}${dropped[name] > 0 ? ` (${count(dropped[name])} older dropped)` : ''}`;
	const confirm = html`<${Confirm}
		title="Reset everything?"
		text="All calls, deliveries, requests and changed objects are deleted. Everything is as after the start."
		action="Reset"
		onConfirm=${() => attempt(() => send('POST', 'reset'), 'Everything is as after the start.')}
		onClose=${() => setAsking(false)}
	/>`;
	return html`<${Panel} title="Data">
		<${Facts}
			rows=${[
				['Calls', amount('calls')],
				['Deliveries', amount('deliveries')],
				['Requests', amount('requests')],
				['Signature', html`<code>${signature.header}</code>, ${signature.format}`],
				['Seed', status.seed === null ? null : String(status.seed)],
				['State file', file ? html`<code>${file}</code>` : 'None: everything is deleted when the sandbox stops'],
			]}
		/>
		<div class="line">
			<button type="button" class="danger" onClick=${() => setAsking(true)}>Reset everything</button>
		</div>
		${asking ? confirm : null}
	</${Panel}>`;
}

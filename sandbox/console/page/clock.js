import { attempt, eventNames, notify, send, useLoaded } from './api.js';
import { count, fullTime, plural, speedText, time } from './format.js';
import { html, useEffect, useState } from './lib.js';
import { useNow } from './now.js';
import { ActionButton, Badge, Confirm, Facts, Field, Loaded, Panel } from './parts.js';
import { Variants } from './variants.js';

const SPEEDS = [0, 1, 10, 20, 60, 600, 3600];

const FAULTS = {
	status: 'Answer with a status',
	latency: 'Answer late',
	'drop-before': 'Drop the connection before it is handled',
	'drop-after': 'Drop the connection after it is handled',
	malformed: 'Answer with broken JSON',
};

/** The sandbox as a whole: its clock, faults, limits and data. */
export function ClockView({ status }) {
	return html`<div class="page"><${Loaded} from=${status}>${(data) => html`
		<div class="columns even">
			<${Clock} status=${data} />
			<${Limits} status=${data} reload=${status.reload} />
		</div>
		<${Faults} />
		<${Delays} />
		<${Variants} />
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
	return html`<${Panel} title="Clock">
		<p class="bigTime">${time(now)}</p>
		<p class="muted">The sandbox’s time: ${fullTime(now)}. Your time: ${time(Date.now())}.</p>
		<p class="muted">${status.next_event_at ? `Next event: ${time(status.next_event_at, now)}` : 'Nothing is going to happen by itself.'}</p>
		<h3 class="above">Advance</h3>
		<div class="actions">
			<${ActionButton} onClick=${() => advance({ to: 'nextEvent' })} class="primary">To the next event</${ActionButton}>
			<${ActionButton} onClick=${() => advance({ seconds: 60 })}>1 minute</${ActionButton}>
			<${ActionButton} onClick=${() => advance({ seconds: 3600 })}>1 hour</${ActionButton}>
			<${ActionButton} onClick=${() => advance({ seconds: 86400 })}>1 day</${ActionButton}>
		</div>
		<h3 class="above" id="speed">Speed</h3>
		<div class="actions" role="group" aria-labelledby="speed">
			${speeds.map(
				(speed) =>
					html`<button key=${speed} type="button" class="small choice" aria-pressed=${status.speed === speed} onClick=${() => setSpeed(speed)}>${speed === 0 ? 'Stop' : speedText(speed)}</button>`,
			)}
		</div>
	</${Panel}>`;
}

function Limits({ status, reload }) {
	const { rate_limit: rate, credits, load } = status;
	// The requests of others are not announced with the status.
	useEffect(() => {
		const timer = setInterval(reload, 2000);
		return () => clearInterval(timer);
	}, []);
	const submit = (event) => {
		event.preventDefault();
		const text = new FormData(event.currentTarget).get('credits');
		return attempt(
			() => send('POST', 'credits', { credits: text === '' ? null : Number(text) }),
			'The credits are set.',
		);
	};
	return html`<${Panel} title="Limits">
		<h3 id="rate">Rate limit</h3>
		<meter aria-labelledby="rate" min="0" max=${rate.limit} high=${rate.limit * 0.8} value=${rate.used}></meter>
		<p>${count(rate.used)} of ${plural(rate.limit, 'request')} in ${plural(rate.window_seconds, 'second')}${rate.resets_at ? html` <span class="muted">until ${time(rate.resets_at)}, your time</span>` : null}</p>
		<p class="muted">${plural(load.inFlight, 'request')} in progress now, ${count(load.highest)} at most so far.</p>
		<h3 class="above">Credits</h3>
		<p>${credits === null ? 'Unlimited' : `${plural(credits, 'call')} can still be paid for`}</p>
		<form class="formRow above" onSubmit=${submit}>
			<${Field} label="New credits"><input key=${credits} class="amountField" type="number" name="credits" min="0" placeholder="Unlimited" defaultValue=${credits ?? ''} /></${Field}>
			<button>Set</button>
		</form>
	</${Panel}>`;
}

function Faults() {
	const faults = useLoaded('faults', ({ type }) => type === 'faults' || type === 'request');
	const [kind, setKind] = useState('status');
	const submit = async (event) => {
		event.preventDefault();
		const form = new FormData(event.currentTarget);
		const match = Object.fromEntries(
			[
				['method', form.get('method')],
				['path', String(form.get('path')).trim()],
			].filter(([, value]) => value),
		);
		await attempt(
			() =>
				send('POST', 'faults', {
					kind,
					match,
					times: Number(form.get('times')),
					...(kind === 'status' ? { status: Number(form.get('status')) } : {}),
					...(kind === 'latency' ? { ms: Number(form.get('ms')) } : {}),
				}),
			'The fault waits for the next request.',
		);
	};
	const clear = () => attempt(() => send('DELETE', 'faults'), 'All faults are removed.');
	return html`<${Panel} title="Faults" actions=${faults.data?.length > 0 ? html`<${ActionButton} class="small" onClick=${clear}>Remove all</${ActionButton}>` : null}>
		<form class="formRow" onSubmit=${submit}>
			<${Field} label="What happens"><select value=${kind} onChange=${({ currentTarget }) => setKind(currentTarget.value)}>${Object.entries(FAULTS).map(([key, text]) => html`<option key=${key} value=${key}>${text}</option>`)}</select></${Field}>
			${kind === 'status' ? html`<${Field} label="Status"><input type="number" name="status" min="200" max="599" value="503" required /></${Field}>` : null}
			${kind === 'latency' ? html`<${Field} label="Milliseconds"><input type="number" name="ms" min="0" value="5000" required /></${Field}>` : null}
			<${Field} label="Method"><select name="method"><option value="">Any</option>${['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select></${Field}>
			<${Field} label="Path"><input name="path" placeholder="/api/v1/calls*" autocomplete="off" /></${Field}>
			<${Field} label="Times"><input type="number" name="times" min="1" value="1" required /></${Field}>
			<button class="primary">Add</button>
		</form>
		<${Loaded} from=${faults}>${(list) =>
			list.length === 0
				? html`<p class="muted above">No faults: every request is answered as usual.</p>`
				: html`<ul class="plainList above">${list.map(
						(fault) => html`<li key=${fault.id} class="spread">
						<span><${Badge} tone="warn" text=${FAULTS[fault.kind]} /> ${fault.status ?? ''}${fault.kind === 'latency' ? `${count(fault.ms)} ms` : ''} <code>${fault.match.method ?? 'Any method'} ${fault.match.path ?? 'any path'}</code> <span class="muted">${plural(fault.times, 'time')} left</span></span>
						<${ActionButton} class="small" aria-label=${`Remove the fault: ${FAULTS[fault.kind]}`} onClick=${() => attempt(() => send('DELETE', `faults/${fault.id}`))}>Remove</${ActionButton}>
					</li>`,
					)}</ul>`}
		</${Loaded}>
	</${Panel}>`;
}

function Delays() {
	const kinds = useLoaded('event-kinds');
	const names = eventNames(kinds.data);
	const delays = useLoaded('delays', ({ type }) => type === 'delays');
	const atOnce = (event) => attempt(() => send('POST', 'delays', { event, seconds: 0 }));
	const submit = (event) => {
		event.preventDefault();
		const form = new FormData(event.currentTarget);
		const never = form.get('never') === 'on';
		const seconds = Number(form.get('seconds'));
		return attempt(
			() => send('POST', 'delays', { event: form.get('event'), seconds: never ? null : seconds }),
			never
				? 'These events are no longer sent.'
				: seconds === 0
					? 'These events are sent at once.'
					: `These events are sent ${plural(seconds, 'second')} later.`,
		);
	};
	return html`<${Panel} title="Late events">
		<form class="formRow" onSubmit=${submit}>
			<${Field} label="Event"><select name="event">${names.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select></${Field}>
			<${Field} label="Delay (seconds)"><input type="number" name="seconds" min="0" step="any" required value="60" /></${Field}>
			<label class="inline check"><input type="checkbox" name="never" /> Never send it</label>
			<button>Set</button>
		</form>
		<${Loaded} from=${delays}>${(list) =>
			list.length === 0
				? html`<p class="muted above">No event is late: all are sent at once.</p>`
				: html`<ul class="plainList above">${list.map(
						({ event, seconds }) => html`<li key=${event} class="spread">
						<span><code>${event}</code> <${Badge} tone="warn" text=${seconds === null ? 'Never sent' : `${plural(seconds, 'second')} late`} /></span>
						<${ActionButton} class="small" aria-label=${`Send at once: ${event}`} onClick=${() => atOnce(event)}>Send at once</${ActionButton}>
					</li>`,
					)}</ul>`}
		</${Loaded}>
	</${Panel}>`;
}

function Data({ status }) {
	const [asking, setAsking] = useState(null);
	const { counts, dropped, signature } = status;
	const amount = (name, lost) => `${count(counts[name])}${lost > 0 ? ` (${count(lost)} older dropped)` : ''}`;
	const load = async ({ currentTarget }) => {
		const [file] = currentTarget.files;
		currentTarget.value = '';
		if (file) {
			setAsking({ file });
		}
	};
	return html`<${Panel} title="Data">
		<${Facts}
			rows=${[
				['Calls', amount('calls', dropped.calls)],
				['Deliveries', amount('deliveries', dropped.deliveries)],
				['Requests', amount('requests', dropped.requests)],
				['Scripts', count(counts.scripts)],
				['Signature', html`<code>${signature.header}</code>, ${signature.format}`],
				['Seed', status.seed === null ? null : String(status.seed)],
				[
					'State file',
					status.state_file ? html`<code>${status.state_file}</code>` : 'None: everything is forgotten at the end',
				],
			]}
		/>
		<div class="actions above">
			<a class="button" href="/_sandbox/snapshot" download="sandbox.snapshot">Save a snapshot</a>
			<label class="button fileButton">Load a snapshot<input type="file" accept=".snapshot" class="hidden" onChange=${load} /></label>
			<button type="button" class="danger" onClick=${() => setAsking('reset')}>Reset everything</button>
		</div>
		<p class="muted above">A snapshot has secrets: signing secrets, headers and passwords.</p>
		${
			asking === 'reset'
				? html`<${Confirm} title="Reset everything?" text="All calls, deliveries, requests and changed objects are deleted. Everything is as after the start." action="Reset" onConfirm=${() => attempt(() => send('POST', 'reset'), 'Everything is as after the start.')} onClose=${() => setAsking(null)} />`
				: null
		}
		${
			asking?.file
				? html`<${Confirm} title="Load the snapshot?" text=${`${asking.file.name} replaces everything that the sandbox has.`} action="Load" onConfirm=${() => attempt(async () => send('POST', 'snapshot', asking.file), 'The snapshot is loaded.')} onClose=${() => setAsking(null)} />`
				: null
		}
	</${Panel}>`;
}

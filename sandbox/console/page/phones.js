import { attempt, isReload, send, useLoaded, withQuery } from './api.js';
import { count, duration, plural, words } from './format.js';
import { html, useEffect, useLayoutEffect, useRef, useState } from './lib.js';
import { useNow } from './now.js';
import { ActionButton, Badge, Muted } from './parts.js';
import { linkTo } from './route.js';
import { listen } from './stream.js';

/** The most phones on the board. */
const BOARD = 24;

/** How long a finished call stays on the board, in milliseconds of real time. */
const STAYS_MS = 3000;

/** The activity of a call, by its status. */
const TITLES = { initiated: 'Dialing', ringing: 'Ringing', answered: 'In conversation' };

/** The result of a call, by its last status. */
const RESULTS = {
	completed: 'The call has ended.',
	busy: 'The line was busy, or the call was declined.',
	'no-answer': 'Nobody answered.',
	failed: 'The call failed.',
};

/**
 * Returns the calls on the board, oldest first: calls in progress and, for a moment, calls that have just ended.
 * @param {any[] | undefined} loaded the calls in progress, newest first
 * @returns {any[]} a finished call has a status of `RESULTS`
 */
function usePhones(loaded) {
	const [ended, setEnded] = useState([]);
	const shown = useRef(new Map());
	const gone = useRef(new Set());
	useEffect(() => {
		const timers = new Set();
		const end = (call) => {
			gone.current.add(call.id);
			setEnded((old) => [...old, call]);
			const timer = setTimeout(() => {
				timers.delete(timer);
				setEnded((old) => old.filter(({ id }) => id !== call.id));
			}, STAYS_MS);
			timers.add(timer);
		};
		const stop = listen((changes) => {
			for (const change of changes) {
				const call = shown.current.get(change.id);
				if (isReload(change)) {
					setEnded([]);
				} else if (change.type === 'call' && RESULTS[change.status] && call && !gone.current.has(call.id)) {
					end({ ...call, status: change.status, can: [] });
				}
			}
		});
		return () => {
			stop();
			timers.forEach(clearTimeout);
		};
	}, []);
	useEffect(() => {
		// A list that was loaded before a call ended may still contain it for a while.
		const ids = new Set((loaded ?? []).map(({ id }) => id));
		gone.current.forEach((id) => !ids.has(id) && gone.current.delete(id));
	}, [loaded]);
	const live = (loaded ?? []).filter(({ id }) => !gone.current.has(id));
	shown.current = new Map(live.map((call) => [call.id, call]));
	const order = ({ created_at: at, id }) => `${at} ${id}`;
	return [...ended, ...live].sort((one, other) => (order(one) < order(other) ? -1 : 1));
}

/** Shows the phones that ring or talk now, and the mode of calls. @param {{status: any, onInbound: () => void}} props */
export function Board({ status, onInbound }) {
	const live = useLoaded(withQuery('calls', { active: 'true', limit: BOARD }), ({ type }) => type === 'call');
	const calls = usePhones(live.data?.items);
	const older = (live.data?.total ?? 0) - (live.data?.items.length ?? 0);
	const heading = useRef(null);
	const { ringing_calls: ringing = 0, active_calls: active = 0 } = status?.counts ?? {};
	const focusHeading = () => heading.current?.focus();
	const all = async (before, action) => {
		await actInAll(before, action);
		focusHeading();
	};
	const answerAll = html`<${ActionButton} class="answer" onClick=${() => all('ringing', 'answer')}>
		Answer all ${count(ringing)}
	</${ActionButton}>`;
	const hangUpAll = html`<${ActionButton} class="danger" onClick=${() => all('answered', 'hangUp')}>
		Hang up all
	</${ActionButton}>`;
	return html`<section class="panel" aria-labelledby="board">
		<header class="spread">
			<h2 id="board" ref=${heading} tabindex="-1">Phones</h2>
			<${Mode} status=${status} />
			<div class="line end">
				${ringing > 1 ? answerAll : null}
				${active - ringing > 1 ? hangUpAll : null}
				<button type="button" onClick=${onInbound}>Call an agent</button>
			</div>
		</header>
		<p class="hidden" role="status">${ringingText(ringing, calls)}</p>
		${
			calls.length > 0
				? html`<ul class="cards">
					${calls.map((call) => html`<${Phone} key=${call.id} call=${call} status=${status} onLeave=${focusHeading} />`)}
				</ul>`
				: html`<p class="empty muted">${live.data ? `No phone is ringing. ${nextCall(status)}` : 'Loading…'}</p>`
		}
		${
			calls.length > 0 && older > 0
				? html`<${Muted}>And ${plural(older, 'older call')} in progress: see the list, with the status “In progress”.</${Muted}>`
				: null
		}
	</section>`;
}

/** Describes what the next call does. */
function nextCall(status) {
	return status?.mode.calls === 'manual'
		? `The next call rings here for ${plural(status.mode.ringSeconds, 'second')}${yourTime(status)}, until you answer it.`
		: 'Calls are answered automatically: numbers that end in 0002 are busy, 0003 does not answer, 0004 fails, 0005 has voicemail. Choose Manual to answer calls yourself.';
}

/** @param {number} ringing the number of ringing phones @param {any[]} calls the calls on the board */
function ringingText(ringing, calls) {
	const [call] = calls.filter(({ status }) => status === 'ringing');
	return ringing > 1 ? `${count(ringing)} phones are ringing.` : call ? `${call.to_formatted} is ringing.` : '';
}

/** Performs an action in all calls with a status, 500 at once. Calls that have ended in the meantime are ignored. */
function actInAll(status, action) {
	return attempt(async () => {
		const { items } = await send('GET', withQuery('calls', { status, limit: 500 }));
		await Promise.allSettled(items.map(({ id }) => send('POST', `calls/${id}/act`, { action })));
	});
}

/** Describes how long a phone rings in real time, if the sandbox's clock is faster. */
function yourTime({ speed, ring_seconds }) {
	return speed > 1 ? ` (${count(Math.round(ring_seconds / speed))} s of your time)` : '';
}

/** Selects who answers: the sandbox or the user of the page. */
function Mode({ status }) {
	if (!status) {
		return null;
	}
	const { mode } = status;
	const set = (body) => attempt(() => send('POST', 'mode', { calls: mode.calls, ...body }));
	const choice = (value) => html`<label class="line">
		<input
			type="radio"
			name="mode"
			value=${value}
			checked=${mode.calls === value}
			onChange=${() => set({ calls: value })}
		/>
		${words(value)}
	</label>`;
	const ringFor = html`<label class="line muted">
		Ring for
		<input
			type="number"
			min="1"
			max="86400"
			key=${mode.ringSeconds}
			defaultValue=${mode.ringSeconds}
			onChange=${({ currentTarget }) => set({ ringSeconds: Number(currentTarget.value) })}
		/>
		s${yourTime(status)}
	</label>`;
	return html`<fieldset class="line">
			<legend class="hidden">Who answers</legend>
			${choice('automatic')}${choice('manual')}
		</fieldset>
		${mode.calls === 'manual' ? ringFor : null}`;
}

/**
 * Shows a phone of the board.
 * @param {{call: any, status: any, onLeave: () => void}} props `onLeave` is called if it has the focus when it is removed
 */
function Phone({ call, status, onLeave }) {
	const now = useNow(status);
	const card = useRef(null);
	const over = RESULTS[call.status];
	const hasFocus = () => card.current?.contains(document.activeElement);
	const hadFocus = hasFocus();
	// The focus must not be lost when the phone is removed.
	useLayoutEffect(() => {
		if (over && hadFocus) {
			card.current.querySelector('a').focus();
		}
	}, [over]);
	useEffect(
		() => () => {
			if (hasFocus()) {
				onLeave();
			}
		},
		[],
	);
	const began = call.status === 'answered' ? call.updated_at : call.created_at;
	const inbound = call.direction === 'inbound';
	const agent = call.agent?.name ?? 'an agent';
	const place = linkTo(['calls', call.id]);
	return html`<li ref=${card} class=${`card phone ${call.status} ${over ? 'over' : ''}`}>
		<div class="spread">
			<${Badge}
				status=${call.status}
				tone=${over ? undefined : 'live'}
				text=${call.answered_by === 'machine' && !over ? 'Voicemail' : (TITLES[call.status] ?? words(call.status))}
			/>
			<span class="muted">${now === undefined || over ? '' : duration((now - Date.parse(began)) / 1000)}</span>
		</div>
		<a class="title" href=${place}>
			${inbound ? (call.from_formatted ?? call.from) : (call.to_formatted ?? call.to)}${nameIn(call)}
		</a>
		<${Muted}>${inbound ? `calls ${agent} at ${call.to}` : `is called by ${agent} from ${call.from}`}</${Muted}>
		${over ? html`<p><strong>${over}</strong></p>` : html`<${CallActs} call=${call} />`}
		${call.status === 'answered' ? html`<a class="button" href=${place}>Talk, or use an action</a>` : null}
	</li>`;
}

/** Returns the name in the metadata of a call, to append to its number. @param {{name: string | null}} call */
export function nameIn({ name }) {
	return name === null ? '' : ` · ${name}`;
}

/** Shows buttons for the possible actions in a call. The most important buttons are large. */
export function CallActs({ call }) {
	const act = (action) => attempt(() => send('POST', `calls/${call.id}/act`, { action }));
	const button = (action, kind) =>
		call.can.includes(action)
			? html`<${ActionButton} key=${action} class=${kind} onClick=${() => act(action)}>${words(action)}</${ActionButton}>`
			: null;
	const ringing = call.can.includes('answer');
	const small = ['voicemail', 'busy', 'noAnswer', 'fail', 'hangUp'].map((action) => button(action, 'small'));
	return ringing
		? html`<div class="acts">
			<div class="line">${button('answer', 'answer')}${button('decline', 'danger')}</div>
			<div class="line">${small}</div>
		</div>`
		: html`<div class="acts"><div class="line">${button('hangUp', 'danger')}</div></div>`;
}

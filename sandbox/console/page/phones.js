import { attempt, isReload, send, useLoaded, withQuery } from './api.js';
import { count, duration, plural, words } from './format.js';
import { html, useEffect, useLayoutEffect, useRef, useState } from './lib.js';
import { useNow } from './now.js';
import { ActionButton, Badge } from './parts.js';
import { linkTo } from './route.js';
import { listen } from './stream.js';

/** How many phones the board shows. */
const BOARD = 24;

/** How long a call that is over stays on the board, in milliseconds of real time. */
const STAYS_MS = 3000;

/** What can be done with a call, as the buttons name it. */
const ACTS = {
	answer: 'Answer',
	decline: 'Decline',
	busy: 'Busy',
	noAnswer: 'No answer',
	voicemail: 'Voicemail',
	fail: 'Fail',
	hangUp: 'Hang up',
};

/** What became of a call, by its last status. */
const RESULTS = {
	completed: 'The call is over.',
	busy: 'The line was busy, or the call was declined.',
	'no-answer': 'Nobody answered.',
	failed: 'The call failed.',
};

/**
 * The calls on the board, oldest first: those in progress, and for a moment those that have just ended.
 * @param {any[] | undefined} loaded those in progress, newest first
 * @returns {any[]} one that has ended has a status of `RESULTS`
 */
function usePhones(loaded) {
	const [ended, setEnded] = useState([]);
	const shown = useRef(new Map());
	const gone = useRef(new Set());
	const { current: places } = useRef(new Map());
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
		// What was loaded before a call ended may still have it, but not for ever.
		const ids = new Set((loaded ?? []).map(({ id }) => id));
		gone.current.forEach((id) => !ids.has(id) && gone.current.delete(id));
	}, [loaded]);
	const live = (loaded ?? []).filter(({ id }) => !gone.current.has(id)).reverse();
	shown.current = new Map(live.map((call) => [call.id, call]));
	const all = [...ended, ...live];
	for (const { id } of all) {
		if (!places.has(id)) {
			places.set(id, places.size);
		}
	}
	return all.sort((one, other) => places.get(one.id) - places.get(other.id));
}

/** The phones that ring or talk now, and how calls go. */
export function Board({ status, onInbound, onScript }) {
	const live = useLoaded(withQuery('calls', { active: 'true', limit: BOARD }), ({ type }) => type === 'call');
	const calls = usePhones(live.data?.items);
	const older = (live.data?.total ?? 0) - (live.data?.items.length ?? 0);
	const heading = useRef(null);
	const { ringing_calls: ringing = 0, active_calls: active = 0 } = status?.counts ?? {};
	const all = async (before, action) => {
		await actInAll(before, action);
		heading.current?.focus();
	};
	return html`<section class="board" aria-labelledby="board">
		<header>
			<h2 id="board" ref=${heading} tabindex="-1">Phones</h2>
			<${Mode} status=${status} />
			<div class="actions">
				${ringing > 1 ? html`<${ActionButton} class="answer" onClick=${() => all('ringing', 'answer')}>Answer all ${count(ringing)}</${ActionButton}>` : null}
				${active - ringing > 1 ? html`<${ActionButton} class="decline" onClick=${() => all('answered', 'hangUp')}>Hang up all</${ActionButton}>` : null}
				<button type="button" onClick=${onScript}>Script a call</button>
				<button type="button" onClick=${onInbound}>Call an agent</button>
			</div>
		</header>
		<p class="hidden" role="status">${ringingText(ringing, calls)}</p>
		${
			calls.length > 0
				? html`<ul class="phones">
						${calls.map((call) => html`<${Phone} key=${call.id} call=${call} status=${status} onLeave=${() => heading.current?.focus()} />`)}
					</ul>
					${older > 0 ? html`<p class="muted above">And ${plural(older, 'older call')} in progress: see the list, with the status “In progress”.</p>` : null}`
				: html`<p class="quietBoard">
						<span class="bell" aria-hidden="true">☎</span>
						<span>No phone is ringing.${' '}${
							status?.mode.calls === 'manual'
								? `The next call rings here for ${plural(status.mode.ringSeconds, 'second')}${yourTime(status)}, until you answer it.`
								: 'Calls are answered automatically. Choose Manual to answer them yourself.'
						}</span>
					</p>`
		}
	</section>`;
}

/** @param {number} ringing how many phones ring @param {any[]} calls those on the board */
function ringingText(ringing, calls) {
	const [call] = calls.filter(({ status }) => status === 'ringing');
	return ringing > 1 ? `${count(ringing)} phones are ringing.` : call ? `${call.to_formatted} is ringing.` : '';
}

/** Does the same in all calls with a status, 500 at once; one that is over in the meantime needs no message. */
function actInAll(status, action) {
	return attempt(async () => {
		const { items } = await send('GET', withQuery('calls', { status, limit: 500 }));
		await Promise.allSettled(items.map(({ id }) => send('POST', `calls/${id}/act`, { action })));
	});
}

/** How much of a person's time a phone rings, where the sandbox is faster. */
function yourTime({ speed, ring_seconds }) {
	return speed > 1 ? ` (${count(Math.round(ring_seconds / speed))} s of your time)` : '';
}

/** Who answers: the sandbox or the person at the page. */
function Mode({ status }) {
	// What is typed stays when the page is drawn again in the meantime.
	const [typed, setTyped] = useState(undefined);
	if (!status) {
		return null;
	}
	const { mode } = status;
	const set = (body) => attempt(() => send('POST', 'mode', { calls: mode.calls, ...body }));
	const setSeconds = async () => {
		if (typed) {
			await set({ ringSeconds: Number(typed) });
		}
		setTyped(undefined);
	};
	const choice = (value, text, hint) => html`<label title=${hint}>
		<input type="radio" name="mode" value=${value} checked=${mode.calls === value} onChange=${() => set({ calls: value })} />
		<span>${text}</span>
	</label>`;
	return html`<fieldset class="mode">
			<legend class="hidden">Who answers</legend>
			${choice('automatic', 'Automatic', 'The sandbox answers, by the number that is called')}
			${choice('manual', 'Manual', 'You answer')}
		</fieldset>
		${
			mode.calls === 'manual'
				? html`<label class="inline"
						>Ring for
						<input
							type="number"
							min="1"
							max="86400"
							value=${typed ?? mode.ringSeconds}
							onInput=${({ currentTarget }) => setTyped(currentTarget.value)}
							onChange=${setSeconds}
						/>
						s${yourTime(status)}</label
					>`
				: null
		}`;
}

/** One phone of the board. @param {{call: any, status: any, onLeave: () => void}} props `onLeave` is called if it takes the focus with it */
function Phone({ call, status, onLeave }) {
	const now = useNow(status);
	const card = useRef(null);
	const over = RESULTS[call.status];
	const hasFocus = () => card.current?.contains(document.activeElement);
	const hadFocus = hasFocus();
	// What is removed must not take the focus with it.
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
	const title =
		{ initiated: 'Dialing', ringing: 'Ringing', answered: 'In conversation' }[call.status] ?? words(call.status);
	const inbound = call.direction === 'inbound';
	const [number, other] = inbound ? [call.from, call.to] : [call.to, call.from];
	return html`<li ref=${card} class=${`phone ${call.status} ${over ? 'over' : ''}`}>
		<div class="phoneTop">
			<${Badge} status=${call.status} tone=${over ? undefined : 'live'} text=${title} />
			<span class="muted">${now === undefined || over ? '' : duration((now - Date.parse(began)) / 1000)}</span>
		</div>
		<a class="number" href=${linkTo(['calls', call.id])}>${(inbound ? call.from_formatted : call.to_formatted) ?? number}</a>
		<p class="muted">${inbound ? `calls ${call.agent?.name ?? 'an agent'} at ${other}` : `is called by ${call.agent?.name ?? 'an agent'} from ${other}`}</p>
		${over ? html`<p class="result">${over}</p>` : html`<${CallActs} call=${call} />`}
		${call.status === 'answered' ? html`<a class="button" href=${linkTo(['calls', call.id])}>Talk, or use an action</a>` : null}
	</li>`;
}

/** Buttons for what can be done with a call now: the most important ones are large. */
export function CallActs({ call }) {
	const can = (action) => call.can?.includes(action);
	const act = (action) => attempt(() => send('POST', `calls/${call.id}/act`, { action }));
	const button = (action, kind) =>
		can(action)
			? html`<${ActionButton} key=${action} class=${kind} onClick=${() => act(action)}>${ACTS[action]}</${ActionButton}>`
			: null;
	const ringing = can('answer');
	return html`<div class="acts">
		${ringing ? html`<div class="big">${button('answer', 'answer')}${button('decline', 'decline')}</div>` : null}
		<div class="little">
			${ringing ? ['voicemail', 'busy', 'noAnswer', 'fail'].map((action) => button(action, 'small')) : null}
			${button('hangUp', ringing ? 'small' : 'decline')}
		</div>
	</div>`;
}

import { useLoaded, withQuery } from './api.js';
import { plural, words } from './format.js';
import { html, useState } from './lib.js';
import { Badge, Code, Facts, Loaded, Panel } from './parts.js';

const DAY_MS = 86_400_000;
const DAYS = 7;

/** A calendar as a week: events, and the free time between them, in the calendar's own timezone. */
export function CalendarDetail({ id, now }) {
	const [week, setWeek] = useState(0);
	const begin = useLoaded('calendars');
	const timezone = begin.data?.find((calendar) => calendar.id === id)?.timezone;
	const first = now && timezone ? addDays(dayOf(now, timezone), week * DAYS) : null;
	// Midnight of a timezone is at most 14 hours away from that of UTC: a day more on both sides is enough.
	const range = first && {
		from: new Date(Date.parse(`${first}T00:00:00Z`) - DAY_MS).toISOString(),
		to: new Date(Date.parse(`${first}T00:00:00Z`) + (DAYS + 1) * DAY_MS).toISOString(),
	};
	const unknown = begin.data && !timezone;
	const path = unknown
		? `calendars/${encodeURIComponent(id)}`
		: range && withQuery(`calendars/${encodeURIComponent(id)}`, range);
	const calendar = useLoaded(path, ({ type }) => type === 'object');
	const back = '#/objects/calendars';
	return html`<p class="crumbs"><a href=${back}>← All calendars</a></p>
		<${Loaded} from=${calendar} back=${back}>${(data) => html`
			<div class="titleRow">
				<h2 class="title">${data.name}</h2><span class="muted">${data.timezone}</span>
			</div>
			<${Panel}
				title=${`${dayName(first)} to ${dayName(addDays(first, DAYS - 1))}`}
				actions=${html`<button type="button" class="small" onClick=${() => setWeek(week - 1)}>← Week before</button>
					<button type="button" class="small" disabled=${week === 0} onClick=${() => setWeek(0)}>Today</button>
					<button type="button" class="small" onClick=${() => setWeek(week + 1)}>Week after →</button>`}
			>
				<p class="legend muted"><span class="key free"></span> Free <span class="key booked"></span> Event</p>
				<${Week} calendar=${data} first=${first} />
			</${Panel}>
			<div class="columns even">
				<${Panel} title="Rules">${
					data.rules.length === 0
						? html`<p class="muted">It has none: it is always closed.</p>`
						: html`<ul class="plainList">${data.rules.map((rule) => html`<li key=${rule.id}>${ruleText(rule)}</li>`)}</ul>`
				}</${Panel}>
				<${Panel} title="Details">
					<${Facts} rows=${[['Members', data.members.map(({ user_id, role }) => html`<div key=${user_id}>${words(role)}: <code>${user_id}</code></div>`)], ['Calendar ID', html`<code>${data.id}</code>`]]} />
					<h3 class="above">Metadata</h3>
					<${Code} value=${data.metadata} label="the metadata" />
				</${Panel}>
			</div>
		`}</${Loaded}>`;
}

/** The day of a moment in a timezone, YYYY-MM-DD. */
function dayOf(moment, timezone) {
	return new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(new Date(moment));
}

function addDays(day, days) {
	return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

function dayName(day) {
	return new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric' }).format(
		new Date(`${day}T00:00:00Z`),
	);
}

/** Where a moment is on the wall: its day, and the minutes since midnight. */
function wall(moment, timezone) {
	const parts = Object.fromEntries(
		new Intl.DateTimeFormat('en-CA', {
			timeZone: timezone,
			hourCycle: 'h23',
			year: 'numeric',
			month: '2-digit',
			day: '2-digit',
			hour: '2-digit',
			minute: '2-digit',
		})
			.formatToParts(new Date(moment))
			.map(({ type, value }) => [type, value]),
	);
	return { day: `${parts.year}-${parts.month}-${parts.day}`, minutes: Number(parts.hour) * 60 + Number(parts.minute) };
}

/** The parts of a span of time on a day: none, or the minutes from and to. */
function onDay({ start_at: start, end_at: end }, day, timezone) {
	const [from, to] = [wall(start, timezone), wall(end, timezone)];
	if (to.day < day || from.day > day || (to.day === day && to.minutes === 0)) {
		return [];
	}
	return [[from.day < day ? 0 : from.minutes, to.day > day ? 1440 : to.minutes]];
}

/** Free times that follow one another, as one. */
function joined(spans) {
	const result = [];
	for (const span of spans) {
		const last = result.at(-1);
		if (last && last.end_at >= span.start_at) {
			last.end_at = span.end_at > last.end_at ? span.end_at : last.end_at;
		} else {
			result.push({ ...span });
		}
	}
	return result;
}

function Week({ calendar, first }) {
	const { timezone } = calendar;
	const free = joined(calendar.free);
	const days = Array.from({ length: DAYS }, (_, index) => addDays(first, index));
	const parts = days.map((day) => ({
		day,
		free: free.flatMap((span) => onDay(span, day, timezone)),
		events: calendar.events.flatMap((event) => onDay(event, day, timezone).map(([from, to]) => ({ event, from, to }))),
	}));
	const all = parts.flatMap((part) => [...part.free, ...part.events.map(({ from, to }) => [from, to])]);
	const shown = new Set(parts.flatMap(({ events }) => events.map(({ event }) => event.id)));
	const begin = Math.floor(Math.min(480, ...all.map(([from]) => from)) / 60);
	const end = Math.ceil(Math.max(1080, ...all.map(([, to]) => to)) / 60);
	const hours = Array.from({ length: end - begin }, (_, index) => begin + index);
	const place = (from, to) => ({
		top: `${((from / 60 - begin) / (end - begin)) * 100}%`,
		height: `${(Math.max(to - from, 15) / 60 / (end - begin)) * 100}%`,
	});
	return html`<div class="weekScroll" tabindex="0" role="region" aria-label="Week"><div class="week" style=${{ '--hours': hours.length }}>
		<div class="hours" aria-hidden="true">${hours.map((hour) => html`<span key=${hour}>${String(hour).padStart(2, '0')}:00</span>`)}</div>
		${parts.map(
			(part) => html`<section key=${part.day} class="day" aria-label=${dayName(part.day)}>
				<h3>${dayName(part.day)}</h3>
				<div class="slots">
					${part.free.map(([from, to]) => html`<div key=${from} class="free" style=${place(from, to)}><span class="hidden">Free from ${clockText(from)} to ${clockText(to)}</span></div>`)}
					${part.events.map(
						({
							event,
							from,
							to,
						}) => html`<div key=${event.id} class=${`booked ${event.status}`} style=${place(from, to)} title=${`${event.title}, ${clockText(from)} to ${clockText(to)}, ${event.status}`}>
							<strong>${event.title}</strong> ${clockText(from)} to ${clockText(to)}${event.status === 'confirmed' ? '' : `, ${event.status}`}
						</div>`,
					)}
				</div>
			</section>`,
		)}
	</div></div>
	<p class="muted">${plural(shown.size, 'event')} in this week.</p>`;
}

function clockText(minutes) {
	return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function ruleText(rule) {
	if (rule.type === 'recurring') {
		return `${rule.days_of_week.map((day) => WEEKDAYS[day - 1]).join(', ')}: ${rule.start_time} to ${rule.end_time}, ${rule.timezone}`;
	}
	return html`${rule.date}: <${Badge} tone=${rule.available ? 'good' : 'warn'} text=${rule.available ? 'Open all day' : 'Closed'} />`;
}

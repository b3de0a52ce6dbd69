const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', second: '2-digit' });
const dated = new Intl.DateTimeFormat('en-US', {
	month: 'short',
	day: 'numeric',
	hour: 'numeric',
	minute: '2-digit',
	second: '2-digit',
});
const full = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long' });
const numbers = new Intl.NumberFormat('en-US');

export function count(value) {
	return numbers.format(value);
}

/** "1 call", "2 calls". */
export function plural(value, one, many = `${one}s`) {
	return `${count(value)} ${value === 1 ? one : many}`;
}

/** Formats the speed of the sandbox's clock. */
export function speedText(speed) {
	return speed === 0 ? 'stopped' : `× ${count(speed)}`;
}

/** Formats a moment with its date, in a time zone. */
export function timeIn(iso, timeZone) {
	return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(iso));
}

/** Formats the time of day, with the date unless it is the date of `now`. */
export function time(iso, now = Date.now()) {
	const date = new Date(iso);
	return date.toDateString() === new Date(now).toDateString() ? clock.format(date) : dated.format(date);
}

export function fullTime(iso) {
	return full.format(new Date(iso));
}

/** Formats seconds as "0:07", "12:30" or "1:02:05". */
export function duration(seconds) {
	const whole = Math.max(0, Math.floor(seconds));
	const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
	const two = (value) => String(value).padStart(2, '0');
	return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Formats milliseconds as "12 ms" or "1.25 s". */
export function millis(value) {
	return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(2)} s`;
}

/** Formats bytes as "120 B" or "1.2 KB". */
export function bytes(text) {
	const size = new TextEncoder().encode(text).length;
	return size < 1000 ? `${size} B` : `${(size / 1000).toFixed(1)} KB`;
}

/** Indents JSON. Other text is returned unchanged. */
export function pretty(value) {
	if (typeof value !== 'string') {
		return JSON.stringify(value, null, 2);
	}
	try {
		return JSON.stringify(JSON.parse(value), null, 2);
	} catch {
		return value;
	}
}

/** Parses JSON that a person has typed. @param {string} what names the text @throws if it is not JSON */
export function parsed(text, what) {
	try {
		return JSON.parse(text || '{}');
	} catch {
		throw new Error(`The ${what} are not valid JSON.`);
	}
}

/** Formats "no-answer", "no_answer" and "noAnswer" as "No answer". */
export function words(name) {
	const text = String(name)
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.replace(/[-_]/g, ' ')
		.toLowerCase();
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a fault does with a request, by its kind. */
export const FAULTS = {
	status: 'Respond with a status',
	latency: 'Respond late',
	'drop-before': 'Drop the connection before the request is handled',
	'drop-after': 'Drop the connection after the request is handled',
	malformed: 'Respond with invalid JSON',
};

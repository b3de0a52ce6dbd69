import type { Variant } from '../world/variant.mts';
import {
	about,
	body,
	type Change,
	everywhere,
	fieldsOf,
	inObjects,
	inResponses,
	isTo,
	refusedField,
	renamed,
	request,
	sent,
} from './shapes.mts';

/** Changes the marks around variables in the texts of agents. @param read matches a variable with the new marks */
function marks(open: string, close: string, read: RegExp): Change {
	const rewritten = (value: unknown, from: RegExp, to: string): unknown =>
		value === undefined ? value : JSON.parse(JSON.stringify(value).replace(from, to));
	return {
		does: `names a variable of an agent as \`${open}name${close}\``,
		response(made, { route = '' }) {
			if (/\/agents(?!.*\/webhooks)/.test(route)) {
				made.body = rewritten(made.body, /\{\{([\w.]+)\}\}/g, `${open}$1${close}`);
			}
		},
		request(made) {
			if (/\/agents(?!.*\/(webhooks|call))/.test(made.route ?? '')) {
				made.body = rewritten(made.body, read, '{{$1}}');
			}
		},
	};
}

const agents = [
	...about('How does an agent name a variable, and where?', {
		'agent-variables-single-braces': marks('{', '}', /(?<!\{)\{([A-Za-z_][\w.]*)\}(?!\})/g),
		'agent-variables-square-brackets': marks('[[', ']]', /\[\[([A-Za-z_][\w.]*)\]\]/g),
	}),
	...about('What is the published state called?', {
		'agent-status-active': {
			...inResponses('calls a published agent `active`', (name, value) =>
				name === 'current_status' && value === 'published' ? 'active' : value,
			),
			request(made) {
				if (isTo(made, 'GET', '/agents') && made.query.status === 'active') {
					made.query.status = 'published';
				}
			},
		},
	}),
	...about('`phone_number_ids` left out of the calling settings', {
		'agent-numbers-removed': sent(
			'removes all numbers if `phone_number_ids` is left out',
			'PUT',
			'/calling',
			(settings) => ({ phone_number_ids: [], ...settings }),
		),
	}),
	...about('Limits of `similarity` and `stability`', {
		'agent-stability-percent': inResponses('shows stability and similarity as percentages', (name, value) =>
			['stability', 'similarity_boost'].includes(name) && typeof value === 'number' ? value * 100 : value,
		),
	}),
	...about('What identifies an action?', {
		'agent-action-by-name': sent(
			'identifies an action by its name: the same `node_id` with another name is another action',
			'POST',
			'/actions',
			({ node_id: key, ...action }) =>
				key === undefined ? action : { ...action, node_id: `${String(key)} ${String(action.name)}` },
		),
	}),
];

const PLACING = /^POST .*\/(agents\/:agent_id\/call|v1\/calls)$/;
const E164 = /^\+[1-9]\d{6,14}$/;

const calls = [
	...about('Form of identifiers', {
		'call-id-as-call-id': body('calls the ID of a placed call `call_id`', (whole, { method, route }) =>
			PLACING.test(`${method} ${route}`) ? { ...whole, data: renamed(fieldsOf(whole.data), { id: 'call_id' }) } : whole,
		),
	}),
	...about('Status during `delay_seconds`', {
		'call-first-status-queued': everywhere('calls the first status of a call `queued`', (name, value) =>
			name === 'status' && value === 'initiated' ? 'queued' : value,
		),
	}),
	...about('What is the international format?', {
		'call-number-without-plus': everywhere('shows phone numbers without the plus', (name, value) =>
			['to', 'from', 'number'].includes(name) && E164.test(String(value)) ? String(value).slice(1) : value,
		),
	}),
];

const hhmm = (time: unknown) => String(time).slice(0, 5);

const campaigns = [
	...about('What is around the data of a response?', {
		'campaign-call-without-campaign': body('returns only the call after queueing it', (whole, { route = '' }) =>
			route.endsWith('/campaigns/:campaign_id/call') ? whole.campaign_call : whole,
		),
	}),
	...about('Time ranges or earliest and latest time?', {
		'campaign-time-ranges': inObjects(
			'shows a campaign with `call_time_ranges` in place of earliest and latest time',
			({ earliest_call_time: start, latest_call_time: end, ...rest }) =>
				start === undefined ? rest : { ...rest, call_time_ranges: [{ start: hhmm(start), end: hhmm(end) }] },
		),
	}),
	...about('Which fields has a response?', {
		'campaign-latest-calls': inResponses('shows only the latest two calls of a campaign', (name, value, of) =>
			name === 'calls' && 'campaign_type' in of && Array.isArray(value) ? value.slice(-2) : value,
		),
	}),
];

const calendars = about('How does a calendar change its owner?', {
	'calendar-owner-refused': request('refuses to give a calendar another owner by a role', (made) =>
		made.method !== 'GET' && made.route?.includes('/members') && fieldsOf(made.body).role === 'owner'
			? refusedField('role', 'The selected role is invalid.')
			: undefined,
	),
});

/** Agents, calls, campaigns and calendars. */
export const objects: Variant[] = [...agents, ...calls, ...campaigns, ...calendars];

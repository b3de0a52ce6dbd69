import type { Entry } from './entry.mts';
import {
	eachField,
	eachItem,
	failedWith422,
	fieldsOf,
	inAnswers,
	isFields,
	isTo,
	onSuccess,
	refused,
	refusedField,
	renamed,
	status,
} from './shapes.mts';

const RULE = '/availability-rules/:rule_id';

/** Custom SIP trunks. */
export const trunks: Entry[] = [
	{
		name: 'trunk-plan-404',
		question: 'A plan without the flag',
		does: 'has a plan without custom SIP trunks, and no such routes: 404',
		options: { customSipTrunks: false },
		answer(answer, { route = '' }) {
			if (route.includes('/sip-trunks') && answer.status === 403) {
				Object.assign(answer, refused(404, 'The requested resource was not found.'));
			}
		},
	},
	{
		name: 'trunk-plan-402',
		question: 'A plan without the flag',
		does: 'has a plan without custom SIP trunks, and answers 402 without a code',
		options: { customSipTrunks: false },
		answer(answer, { route = '' }) {
			if (route.includes('/sip-trunks') && answer.status === 403) {
				Object.assign(answer, refused(402, 'Upgrade your plan.'));
			}
		},
	},
	{
		name: 'trunk-without-port',
		question: 'Does the port follow the transport?',
		does: 'shows null as port until one is set',
		...inAnswers((name, value, of) =>
			name === 'port' && 'provider_name' in of && [5060, 5061].includes(Number(value)) ? null : value,
		),
	},
	{
		name: 'trunk-activate-unverified-409',
		question: '`is_active: true` on an unverified trunk',
		does: 'answers 409 where a trunk is to be activated that is not verified',
		answer(answer, request) {
			if (isTo(request, 'POST|PUT', '') && 'is_active' in fieldsOf(fieldsOf(answer.body).errors)) {
				Object.assign(answer, refused(409, 'The SIP trunk is not verified.'));
			}
		},
	},
	{
		name: 'trunk-verify-422',
		question: 'HTTP status of a failed verification',
		does: 'answers 422 where the verification of a trunk fails',
		...failedWith422('/verify'),
	},
	{
		name: 'trunk-health-unknown',
		question: '`health_status` and `last_health_check_at` before the first check',
		does: 'says `unknown` as health of a trunk before the first check',
		...inAnswers((name, value) => (name === 'health_status' ? (value ?? 'unknown') : value)),
	},
	{
		name: 'trunk-no-response-time',
		question: '`response_time_ms` of a host that does not answer',
		does: 'has null as response time of a host that does not answer',
		...inAnswers((name, value, of) => (name === 'response_time_ms' && of.is_healthy === false ? null : value)),
	},
	{
		name: 'trunk-did-country-lower-case',
		question: 'Country code of a DID',
		does: 'refuses a country code in capital letters',
		request: (request) =>
			isTo(request, 'POST', '/dids') && /^[A-Z]{2}$/.test(String(fieldsOf(request.body).country_code))
				? refusedField('country_code', 'The country_code must be in lower case.')
				: undefined,
	},
	{
		name: 'trunk-did-exists-422',
		question: 'When does a DID exist already?',
		does: 'answers 422 where a DID exists already or is in use',
		...status(409, 422, 'POST|DELETE', ''),
	},
	{
		name: 'trunk-delete-422',
		question: 'Deleting a trunk with calls under way',
		does: 'answers 422 without a code where a trunk cannot be deleted',
		answer(answer, request) {
			if (isTo(request, 'DELETE', '/sip-trunks/:trunk_id') && answer.status === 409) {
				Object.assign(answer, refused(422, String(fieldsOf(answer.body).message)));
			}
		},
	},
];

const SLOTS = { start_at: 'start', end_at: 'end' };

/** Calendars: members, events, rules and free slots. */
export const calendars: Entry[] = [
	{
		name: 'calendar-zone-of-environment',
		question: 'Time zone of the environment',
		does: 'creates a calendar without a time zone in `America/New_York`',
		request(request) {
			if (isTo(request, 'POST', '/v1/calendars') && isFields(request.body)) {
				request.body = { timezone: 'America/New_York', ...request.body };
			}
			return undefined;
		},
	},
	{
		name: 'calendar-offset-needed',
		question: 'Which moments are accepted?',
		does: 'refuses moments without `Z` or an offset',
		request(request) {
			const values = { ...request.query, ...fieldsOf(request.body) };
			const names = ['from', 'to', 'start_at', 'end_at'];
			const wrong = names.find((name) => name in values && !/(Z|[+-]\d{2}:?\d{2})$/.test(String(values[name])));
			return wrong && (request.route ?? '').includes('/calendars')
				? refusedField(wrong, `The ${wrong} field must have an offset.`)
				: undefined;
		},
	},
	{
		name: 'calendar-metadata-kept',
		question: '`metadata` in an update',
		does: 'leaves `metadata` as it is where it is sent with an update',
		request(request) {
			if (isTo(request, 'PUT', '/calendars/:calendar_id')) {
				const { metadata: _metadata, ...rest } = fieldsOf(request.body);
				request.body = rest;
			}
			return undefined;
		},
	},
	{
		name: 'calendar-user-unknown-422',
		question: 'Whom may `user_id`, `owner_id` and `created_by` name?',
		does: 'answers 422 where a member is no user of the account',
		request: (request) =>
			isTo(request, 'POST', '/members') ? refusedField('user_id', 'The selected user_id is invalid.') : undefined,
	},
	{
		name: 'calendar-owner-refused',
		question: 'How does a calendar change its owner?',
		does: 'refuses to give a calendar another owner by a role',
		request: (request) =>
			isTo(request, 'POST|PUT', '') &&
			(request.route ?? '').includes('/members') &&
			fieldsOf(request.body).role === 'owner'
				? refusedField('role', 'The selected role is invalid.')
				: undefined,
	},
	{
		name: 'calendar-owner-removed-403',
		question: 'Removing the owner',
		does: 'answers 403 where the owner of a calendar is to be removed',
		...status(409, 403, 'DELETE', '/members/:member_id'),
	},
	{
		name: 'calendar-member-twice-422',
		question: 'Adding a member twice',
		does: 'answers 422 where somebody is a member already',
		...status(409, 422, 'POST', '/members'),
	},
	{
		name: 'calendar-attendees-absent',
		question: '`attendees` in an update',
		does: 'shows an event without its attendees',
		...inAnswers((name, value) => (name === 'attendees' ? undefined : value)),
	},
	{
		name: 'calendar-meeting-200',
		question: 'Asking for a meeting link again',
		does: 'answers 200 to the creation of a meeting link, with `url`',
		...onSuccess('POST', '/meeting', (answer, data) => {
			Object.assign(answer, { status: 200, body: { success: true, data: renamed(data, { meeting_url: 'url' }) } });
		}),
	},
	{
		name: 'calendar-no-provider-409',
		question: 'When has a calendar a provider for meetings?',
		does: 'has no provider for meetings: 409',
		request: (request) =>
			isTo(request, 'POST', '/meeting') ? refused(409, 'No meeting provider is connected.') : undefined,
	},
	{
		name: 'calendar-rule-midnight',
		question: 'May a rule end at midnight?',
		does: 'shows the end of a rule at midnight as `24:00`',
		...inAnswers((name, value, of) =>
			name === 'end_time' && 'id' in of && ['23:59', '00:00'].includes(String(value)) ? '24:00' : value,
		),
	},
	{
		name: 'calendar-rule-times-with-seconds',
		question: "Answer to a rule's update",
		does: 'shows the times of a rule as `HH:MM:SS`, also after an update',
		...inAnswers((name, value) =>
			['start_time', 'end_time'].includes(name) && /^\d{2}:\d{2}$/.test(String(value)) ? `${String(value)}:00` : value,
		),
	},
	{
		name: 'calendar-rule-update-id-only',
		question: "Answer to a rule's update",
		does: 'answers the update of a rule with its ID alone',
		...onSuccess('PUT', RULE, (answer, { id }) => {
			answer.body = { success: true, data: { id } };
		}),
	},
	{
		name: 'calendar-slots-start-end',
		question: 'Where do slots begin?',
		does: 'calls the ends of a free slot `start` and `end`',
		...eachItem('/availability', (slot) => renamed(slot, SLOTS)),
	},
	{
		name: 'calendar-slots-available',
		question: 'Slots in the past',
		does: 'says of each slot that it is `available`',
		...eachItem('/availability', (slot) => ({ ...slot, available: true })),
	},
	{
		name: 'calendar-slots-by-day',
		question: 'Rules that overlap or touch',
		does: 'lists free slots by day',
		...onSuccess('GET', '/availability', (answer) => {
			const { data } = fieldsOf(answer.body);
			const days: Record<string, unknown[]> = {};
			for (const slot of data as Array<Record<string, unknown>>) {
				const day = String(slot.start_at).slice(0, 10);
				days[day] = [...(days[day] ?? []), slot];
			}
			answer.body = { success: true, data: days };
		}),
	},
	{
		name: 'calendar-range-short',
		question: 'Longest range for slots',
		does: 'refuses a range of more than a day for slots',
		request({ route = '', query }) {
			const days = (Date.parse(String(query.to)) - Date.parse(String(query.from))) / 86_400_000;
			return route.endsWith('/availability') && days > 1
				? refusedField('to', 'The range must not be longer than a day.')
				: undefined;
		},
	},
	{
		name: 'calendar-times-local',
		question: 'Which moments are accepted?',
		does: 'shows the moments of events and slots with the offset of the calendar',
		answer(answer, { route = '' }) {
			if (route.includes('/calendars')) {
				answer.body = eachField(answer.body, (name, value) =>
					['start_at', 'end_at'].includes(name) && String(value).endsWith('Z')
						? String(value).replace(/Z$/, '+00:00')
						: value,
				);
			}
		},
	},
];

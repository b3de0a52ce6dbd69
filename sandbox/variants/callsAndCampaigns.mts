import type { WireFields } from '../world/variant.mts';
import type { Entry } from './entry.mts';
import {
	eachField,
	everywhere,
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

const E164 = /^\+[1-9]\d{6,14}$/;
const PLACING = ['/agents/:agent_id/call', '/api/v1/calls'];
const isPlaced = (route = '', method = '') => method === 'POST' && PLACING.some((end) => route.endsWith(end));
const isOfCampaign = (fields: WireFields) => 'campaign_type' in fields;

/** Calls and their statuses. */
export const calls: Entry[] = [
	{
		name: 'call-below-call',
		question: 'What is around the data of an answer?',
		does: 'answers the placing of a call with `data.call`',
		answer(answer, { route, method }) {
			if (isPlaced(route, method) && answer.status === 200) {
				answer.body = { success: true, data: { call: fieldsOf(answer.body).data } };
			}
		},
	},
	{
		name: 'call-id-as-call-id',
		question: 'Form of identifiers',
		does: 'calls the ID of a placed call `call_id`',
		answer(answer, { route, method }) {
			if (isPlaced(route, method) && answer.status === 200) {
				answer.body = { success: true, data: renamed(fieldsOf(fieldsOf(answer.body).data), { id: 'call_id' }) };
			}
		},
	},
	{
		name: 'call-first-status-queued',
		question: 'Status during `delay_seconds`',
		does: 'calls the first status of a call `queued`',
		...everywhere((name, value) => (name === 'status' && value === 'initiated' ? 'queued' : value)),
	},
	{
		name: 'call-number-without-plus',
		question: 'What is the international format?',
		does: 'shows phone numbers without the plus',
		...everywhere((name, value) =>
			['to', 'from', 'number'].includes(name) && E164.test(String(value)) ? String(value).slice(1) : value,
		),
	},
	{
		name: 'call-number-with-spaces',
		question: 'What is the international format?',
		does: 'shows phone numbers with spaces',
		...everywhere((name, value) =>
			['to', 'from', 'number'].includes(name) && E164.test(String(value))
				? String(value).replace(/^(\+\d)(\d{3})(\d{3})/, '$1 $2 $3 ')
				: value,
		),
	},
	{
		name: 'call-wrong-fields-400',
		question: 'Other wrong fields of an agent call',
		does: 'answers 400 where a field of a call is wrong',
		...status(422, 400, 'POST', '/call'),
	},
	{
		name: 'call-inactive-409',
		question: 'A published agent that is inbound or has no active number',
		does: 'answers 409 where the agent cannot place calls',
		answer(answer) {
			if (fieldsOf(fieldsOf(answer.body).error).code === 'AGENT_INACTIVE') {
				answer.status = 409;
			}
		},
	},
	{
		name: 'call-by-body-404',
		question: '`POST /calls`, which is only named',
		does: 'does not place calls with `POST /calls`: 404',
		request: (request) => (isTo(request, 'POST', '/v1/calls') ? refused(404, 'Not found.') : undefined),
	},
	{
		name: 'call-active-one',
		question: 'Which call does `active-call` find by a number?',
		does: 'answers `active-call` with one call, not with a list',
		...onSuccess('GET', '/active-call/:phone', (answer) => {
			const { data, ...rest } = fieldsOf(answer.body);
			answer.body = { ...rest, data: Array.isArray(data) ? data[0] : data };
		}),
	},
	{
		name: 'call-active-none-200',
		question: 'Which call does `active-call` find by a number?',
		does: 'answers `active-call` with an empty list where no call is active',
		answer(answer, request) {
			if (isTo(request, 'GET', '/active-call/:phone') && answer.status === 404) {
				Object.assign(answer, { status: 200, body: { success: true, data: [] } });
			}
		},
	},
	{
		name: 'call-end-202',
		question: 'What ends a call by `end-call`?',
		does: 'answers `end-call` with 202 and the status that the call has before its end',
		...onSuccess('POST', '/end-call', (answer, data) => {
			const { ended_at: _at, ended_reason: _reason, ...call } = data;
			Object.assign(answer, { status: 202, body: { success: true, data: { ...call, status: 'answered' } } });
		}),
	},
	{
		name: 'call-end-over-404',
		question: 'What ends a call by `end-call`?',
		does: 'answers 404 where the call to be ended is over',
		...status(409, 404, 'POST', '/end-call'),
	},
	{
		name: 'call-active-seconds-since-answer',
		question: '`started_at` and `duration_seconds` of an active call',
		does: 'has null as `started_at` and 0 as `duration_seconds` until a call is answered',
		...onSuccess('GET', '/active-call/:phone', (answer) => {
			answer.body = eachField(answer.body, (name, value, of) =>
				of.status === 'answered' || !['started_at', 'duration_seconds'].includes(name)
					? value
					: name === 'started_at'
						? null
						: 0,
			);
		}),
	},
	{
		name: 'call-error-codes',
		question: 'The error of a failed call',
		does: 'names the error of a failed call by a number of SIP, such as 503',
		event: (body) => ('error' in body ? { ...body, error: 503 } : body),
	},
	{
		name: 'call-declined',
		question: 'What is declining?',
		does: 'has the status `declined` in place of `busy`',
		...everywhere((name, value) => (name === 'status' && value === 'busy' ? 'declined' : value)),
	},
];

const TIMES = ['earliest_call_time', 'latest_call_time'];
const DO_NOT_CALL = ['+12025550198', '+12025550199'];

/** Campaigns and their calls. */
export const campaigns: Entry[] = [
	{
		name: 'campaign-time-ranges',
		question: 'Time ranges or earliest and latest time?',
		does: 'shows a campaign with `call_time_ranges` in place of earliest and latest time',
		answer(answer) {
			answer.body = eachCampaign(answer.body, ({ earliest_call_time: start, latest_call_time: end, ...rest }) => ({
				...rest,
				...(start === undefined ? {} : { call_time_ranges: [{ start: hhmm(start), end: hhmm(end) }] }),
			}));
		},
	},
	{
		name: 'campaign-times-without-seconds',
		question: 'Time ranges or earliest and latest time?',
		does: 'shows earliest and latest time as `HH:MM`',
		...inAnswers((name, value) => (TIMES.includes(name) ? hhmm(value) : value)),
	},
	{
		name: 'campaign-midnight-refused',
		question: 'May a range end at midnight?',
		does: 'refuses a time range that ends at `24:00`',
		request: (request) =>
			(request.route ?? '').includes('/campaigns') && JSON.stringify(request.body ?? null).includes('"24:00"')
				? refusedField('call_time_ranges.0.end', 'The call_time_ranges.0.end field format is invalid.')
				: undefined,
	},
	{
		name: 'campaign-days-names',
		question: 'Which fields has an answer?',
		does: 'shows days of the week as names, such as `monday`',
		...inAnswers((name, value, of) =>
			name === 'days_of_week' && isOfCampaign(of) && Array.isArray(value)
				? value.map((day: number) => ['', ...DAYS][day])
				: value,
		),
	},
	{
		name: 'campaign-without-calls',
		question: 'Which fields has an answer?',
		does: 'shows a campaign without its calls and files',
		...inAnswers((name, value, of) => (['calls', 'files'].includes(name) && isOfCampaign(of) ? undefined : value)),
	},
	{
		name: 'campaign-latest-calls',
		question: 'Which fields has an answer?',
		does: 'shows only the latest two calls of a campaign',
		...inAnswers((name, value, of) =>
			name === 'calls' && isOfCampaign(of) && Array.isArray(value) ? value.slice(-2) : value,
		),
	},
	{
		name: 'campaign-agent-id-only',
		question: 'Campaigns of a deleted agent',
		does: 'shows of the agent of a campaign only `agent_id`',
		...inAnswers((name, value, of) => (name === 'agent' && isOfCampaign(of) ? undefined : value)),
	},
	{
		name: 'campaign-success-rate-fraction',
		question: 'Stats',
		does: 'shows the success rate as a number from 0 to 1',
		...inAnswers((name, value) => (name === 'success_rate' ? Number(value) / 100 : value)),
	},
	{
		name: 'campaign-without-stats',
		question: 'Stats',
		does: 'has null as stats of a campaign',
		...inAnswers((name, value) => (name === 'stats' ? null : value)),
	},
	{
		name: 'campaign-do-not-call-refused',
		question: 'A number on the list',
		does: 'refuses to queue a call to a number on a do-not-call list with 422',
		request: (request) =>
			isTo(request, 'POST', '/campaigns/:campaign_id/call') && DO_NOT_CALL.includes(String(fieldsOf(request.body).to))
				? refusedField('to', 'The number is on a do-not-call list.')
				: undefined,
	},
	{
		name: 'campaign-call-without-campaign',
		question: 'What is around the data of an answer?',
		does: 'answers the queueing of a call with the call alone',
		answer(answer, request) {
			const { campaign_call: call } = fieldsOf(answer.body);
			if (isTo(request, 'POST', '/campaigns/:campaign_id/call') && isFields(call)) {
				answer.body = call;
			}
		},
	},
	{
		name: 'campaign-call-pending',
		question: 'Status of a campaign call',
		does: 'calls a queued call of a campaign `pending`',
		...everywhere((name, value, of) => (name === 'status' && value === 'queued' && 'to' in of ? 'pending' : value)),
	},
	{
		name: 'campaign-call-without-plan',
		question: 'The schedule leaves no time any more',
		does: 'leaves out `scheduled_at` of a queued call',
		...everywhere((name, value) => (name === 'scheduled_at' ? undefined : value)),
	},
	{
		name: 'campaign-retry-status',
		question: 'Outcomes that are tried again',
		does: 'calls a call that waits for another attempt `retry_scheduled`',
		...everywhere((name, value, of) =>
			name === 'status' && value === 'scheduled' && Number(of.retries) >= 0 && 'to' in of ? 'retry_scheduled' : value,
		),
	},
	{
		name: 'campaign-schedule-changed-422',
		question: 'Changing the schedule with calls queued',
		does: 'answers 422 where calls are queued and the schedule is to be changed',
		...status(409, 422, 'PUT', '/campaigns/:campaign_id'),
	},
	{
		name: 'campaign-offset-zone',
		question: 'A fixed offset such as `+02:00` as time zone',
		does: 'shows time zones as offsets, such as `+00:00` for UTC',
		...inAnswers((name, value, of) => (name === 'timezone' && isOfCampaign(of) && value === 'UTC' ? '+00:00' : value)),
	},
	{
		name: 'campaign-limit-402',
		question: 'How many campaigns does the plan allow?',
		does: 'allows no more campaigns than it has at the start, then 402',
		options: { maxCampaigns: 45 },
		...status(403, 402, 'POST', '/campaigns'),
	},
	{
		name: 'campaign-slow',
		question: 'How fast does a campaign call?',
		does: 'places 60 calls of a campaign per hour',
		options: { callsPerHour: 60 },
	},
	{
		name: 'campaign-cooldown-default',
		question: 'Default of the success and voicemail cooldowns',
		does: 'has 72 hours as the default of the success cooldown',
		request(request) {
			if (isTo(request, 'POST', '/v1/campaigns')) {
				request.body = isFields(request.body) ? { success_cooldown_hours: 72, ...request.body } : request.body;
			}
			return undefined;
		},
	},
	{
		name: 'campaign-null-keeps',
		question: 'Which fields can be cleared by null?',
		does: 'leaves a field of a campaign as it is where null is sent',
		request(request) {
			if (isTo(request, 'PUT', '/campaigns/:campaign_id') && isFields(request.body)) {
				request.body = Object.fromEntries(Object.entries(request.body).filter(([, value]) => value !== null));
			}
			return undefined;
		},
	},
];

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const hhmm = (time: unknown) => String(time).slice(0, 5);

/** Changes each campaign in an answer. */
function eachCampaign(body: unknown, change: (campaign: WireFields) => WireFields): unknown {
	if (Array.isArray(body)) {
		return body.map((item) => eachCampaign(item, change));
	}
	if (!isFields(body)) {
		return body;
	}
	const inner = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, eachCampaign(value, change)]));
	return isOfCampaign(body) ? change(inner) : inner;
}

/** Files of contacts, and the SFTP server that they come from. */
export const files: Entry[] = [
	{
		name: 'file-none-200',
		question: 'No configuration',
		does: 'answers 200 with null where a campaign has no SFTP configuration',
		answer(answer, request) {
			if (isTo(request, 'GET', '/sftp') && answer.status === 404) {
				Object.assign(answer, { status: 200, body: { success: true, data: null } });
			}
		},
	},
	{
		name: 'file-second-422',
		question: 'A second creation',
		does: 'answers 422 where a campaign has an SFTP configuration already',
		...status(409, 422, 'POST', '/sftp'),
	},
	{
		name: 'file-enabled-at-creation-refused',
		question: '`is_enabled` at creation',
		does: 'refuses `is_enabled` at the creation of an SFTP configuration',
		request: (request) =>
			isTo(request, 'POST', '/sftp') && 'is_enabled' in fieldsOf(request.body)
				? refusedField('is_enabled', 'The is_enabled field is unknown.')
				: undefined,
	},
	{
		name: 'file-test-422',
		question: 'HTTP status of a test that fails',
		does: 'answers 422 where the test of an SFTP connection fails',
		...failedWith422('/test-connection'),
	},
	{
		name: 'file-test-folders-absent',
		question: 'A folder that is missing',
		does: 'says nothing about the folders after a test of an SFTP connection',
		...inAnswers((name, value) => (name.endsWith('_path_accessible') ? undefined : value)),
	},
	{
		name: 'file-import-disabled-409',
		question: 'Import or export while disabled',
		does: 'answers 409 to an import or export while SFTP is disabled',
		answer(answer, { route = '' }) {
			if (/\/trigger-(import|export)$/.test(route) && answer.status === 422) {
				answer.status = 409;
			}
		},
	},
	{
		name: 'file-job-202',
		question: '`job_id`',
		does: 'answers 202 to an import or export, with `id` in place of `job_id`',
		...onSuccess('POST', '', (answer, data, { route = '' }) => {
			if (/\/trigger-(import|export)$/.test(route)) {
				answer.status = 202;
				answer.body = { ...fieldsOf(answer.body), data: renamed(data, { job_id: 'id' }) };
			}
		}),
	},
	{
		name: 'file-log-other-words',
		question: 'Course of an import',
		does: 'says `completed` of an import or export that `succeeded`',
		...inAnswers((name, value) => (name === 'status' && value === 'succeeded' ? 'completed' : value)),
	},
	{
		name: 'file-log-oldest-first',
		question: 'Logs',
		does: 'lists the imports and exports oldest first',
		...onSuccess('GET', '/sftp/logs', (answer) => {
			const { data } = fieldsOf(answer.body);
			answer.body = { ...fieldsOf(answer.body), data: (data as unknown[]).toReversed() };
		}),
	},
	{
		name: 'file-paths-default',
		question: 'No path',
		does: 'shows `/` where no path is set',
		...inAnswers((name, value) => (['import_path', 'export_path'].includes(name) ? (value ?? '/') : value)),
	},
];

import type { WireFields } from '../world/variant.mts';
import type { Entry } from './entry.mts';
import {
	eachField,
	eachItem,
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

const AGENT = '/agents/:agent_id';
const isNumber = (value: unknown) => typeof value === 'number';

/** Other words for the states of an agent. */
const LIVE: Record<string, string> = { published: 'live', draft: 'inactive' };

/** Whether an object is an agent. */
const isAgent = (fields: WireFields) => 'is_ready_to_publish' in fields;

/** Refuses a body whose field is of a kind. */
function refusing(methods: string, end: string, field: string, message: string, when: (value: unknown) => boolean) {
	return {
		request: (request) =>
			isTo(request, methods, end) && when(fieldsOf(request.body)[field]) ? refusedField(field, message) : undefined,
	} satisfies Pick<Entry, 'request'>;
}

/** Other marks around the names of variables in texts. @param read finds the marks, but not the usual ones */
function marks(open: string, close: string, read: RegExp): Pick<Entry, 'answer' | 'request'> {
	const shown = (value: unknown): unknown =>
		eachText(value, (text) => text.replace(/\{\{([\w.]+)\}\}/g, (_all, name: string) => `${open}${name}${close}`));
	return {
		answer(answer, { route = '', method }) {
			if (
				route.includes('/agents') &&
				!route.includes('/webhooks') &&
				answer.type === undefined &&
				method !== 'DELETE'
			) {
				answer.body = shown(answer.body);
			}
		},
		request(request) {
			const { route = '' } = request;
			if (route.includes('/agents') && !/\/(webhooks|call)/.test(route)) {
				request.body = eachText(request.body, (text) => text.replace(read, (_all, name: string) => `{{${name}}}`));
			}
			return undefined;
		},
	};
}

/** A copy of a value in which each text is changed. */
function eachText(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === 'string') {
		return change(value);
	}
	if (Array.isArray(value)) {
		return value.map((item) => eachText(item, change));
	}
	return isFields(value)
		? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, eachText(inner, change)]))
		: value;
}

/** Agents, their flow, voice and prices. */
export const agents: Entry[] = [
	{
		name: 'agent-variables-single-braces',
		question: 'How does an agent name a variable, and where?',
		does: 'names a variable of an agent as `{name}`',
		...marks('{', '}', /(?<!\{)\{([\w.]+)\}(?!\})/g),
	},
	{
		name: 'agent-variables-square-brackets',
		question: 'How does an agent name a variable, and where?',
		does: 'names a variable of an agent as `[[name]]`',
		...marks('[[', ']]', /\[\[([\w.]+)\]\]/g),
	},
	{
		name: 'agent-status-active',
		question: 'What is the published state called?',
		does: 'calls a published agent `active`',
		...inAnswers((name, value) => (name === 'current_status' && value === 'published' ? 'active' : value)),
		request(request) {
			if (isTo(request, 'GET', '/agents') && request.query.status === 'active') {
				request.query.status = 'published';
			}
			return undefined;
		},
	},
	{
		name: 'agent-status-live',
		question: 'What is the published state called?',
		does: 'calls a published agent `live`, and one in draft `inactive`',
		...inAnswers((name, value, of) =>
			name === 'current_status' && isAgent(of) ? (LIVE[String(value)] ?? value) : value,
		),
		request(request) {
			if (isTo(request, 'GET', '/agents')) {
				const former = Object.keys(LIVE).find((name) => LIVE[name] === request.query.status);
				request.query.status = former ?? request.query.status ?? '';
			}
			return undefined;
		},
	},
	{
		name: 'agent-publish-400',
		question: 'When is an agent ready to publish?',
		does: 'answers 400 where an agent lacks something to be published',
		...status(422, 400, 'POST', '/publish'),
	},
	{
		name: 'agent-publish-short',
		question: 'What does the answer to publishing have?',
		does: 'answers the publishing of an agent without the agent',
		...onSuccess('POST', '/publish', (answer) => {
			answer.body = { success: true, message: 'Publishing has begun.' };
		}),
	},
	{
		name: 'agent-ready-when-published',
		question: 'What does `is_ready_to_publish` show?',
		does: 'shows in `is_ready_to_publish` whether an agent is published: false in each draft',
		...inAnswers((name, value, of) => (name === 'is_ready_to_publish' ? of.current_status === 'published' : value)),
	},
	{
		name: 'agent-numbers-removed',
		question: '`phone_number_ids` left out of the calling settings',
		does: 'takes all numbers away where `phone_number_ids` is left out',
		request(request) {
			if (isTo(request, 'PUT', '/calling')) {
				request.body = { phone_number_ids: [], ...fieldsOf(request.body) };
			}
			return undefined;
		},
	},
	{
		name: 'agent-description-required',
		question: "Limits of `description` and `initial_message` at an agent's creation",
		does: 'needs a description at the creation of an agent',
		...refusing('POST', '/v1/agents', 'description', 'The description field is required.', (value) => !value),
	},
	{
		name: 'agent-language-short',
		question: 'Languages of an agent',
		does: 'shows languages without the country, such as `en`',
		...inAnswers((name, value) => (name === 'language' ? String(value).split('-', 1)[0] : value)),
	},
	{
		name: 'agent-idle-time-narrow',
		question: 'Limit of `idle_time_seconds`',
		does: 'takes `idle_time_seconds` from 10 to 60',
		...refusing(
			'POST|PUT',
			'',
			'idle_time_seconds',
			'The idle_time_seconds field must be between 10 and 60.',
			(value) => isNumber(value) && (Number(value) < 10 || Number(value) > 60),
		),
	},
	{
		name: 'agent-speed-narrow',
		question: 'Limit of `conversation_speed`',
		does: 'takes a `conversation_speed` of more than 1 and less than 2',
		...refusing(
			'POST|PUT',
			'',
			'conversation_speed',
			'The conversation_speed field must be greater than 1 and less than 2.',
			(value) => isNumber(value) && (Number(value) <= 1 || Number(value) >= 2),
		),
	},
	{
		name: 'agent-temperature-hidden',
		question: 'Settings that no response shows (idle times, recording, `ambient_volume`…)',
		does: 'does not show `llm_temperature`',
		...inAnswers((name, value) => (name === 'llm_temperature' ? undefined : value)),
	},
	{
		name: 'agent-delete-422',
		question: 'A published agent with active calls is to be deleted',
		does: 'answers 422 where an agent cannot be deleted',
		...status(409, 422, 'DELETE', AGENT),
	},
	{
		name: 'agent-voice-id-only',
		question: '`name` and `label` of a voice',
		does: 'shows of a voice only `id` and `name`',
		...inAnswers((name, value) => (name === 'voice' && isFields(value) ? { id: value.id, name: value.name } : value)),
	},
	{
		name: 'agent-stability-percent',
		question: 'Limits of `similarity` and `stability`',
		does: 'shows stability and similarity as percentages',
		...inAnswers((name, value) =>
			['stability', 'similarity_boost'].includes(name) && isNumber(value) ? Number(value) * 100 : value,
		),
	},
	{
		name: 'agent-prices-text',
		question: 'Prices of an agent',
		does: 'writes prices as text with four decimals',
		...onSuccess('GET', '', (answer, _data, { route = '' }) => {
			if (route.includes('/pricing')) {
				answer.body = eachField(answer.body, (_name, value) => (isNumber(value) ? Number(value).toFixed(4) : value));
			}
		}),
	},
	{
		name: 'agent-action-by-name',
		question: 'What identifies an action?',
		does: 'identifies an action by its name: the same `node_id` with another name is another action',
		request(request) {
			if (isTo(request, 'POST', '/actions')) {
				const { node_id: key, name, ...rest } = fieldsOf(request.body);
				request.body = { ...rest, name, ...(key === undefined ? {} : { node_id: `${String(key)} ${String(name)}` }) };
			}
			return undefined;
		},
	},
	{
		name: 'agent-action-inputs-as-sent',
		question: 'Fields of an input of an action',
		does: 'shows of an input of an action only `name` and `type`, and more only where it is set',
		...inAnswers((name, value) =>
			name === 'input_schema' && Array.isArray(value)
				? value.map((input: WireFields) =>
						Object.fromEntries(Object.entries(input).filter(([key, set]) => ['name', 'type'].includes(key) || set)),
					)
				: value,
		),
	},
	{
		name: 'agent-action-201',
		question: 'What identifies an action for an update?',
		does: 'answers 201 to each action and training that is written',
		answer(answer, request) {
			if (answer.status === 200 && (isTo(request, 'POST', '/actions') || isTo(request, 'POST', '/trainings'))) {
				answer.status = 201;
			}
		},
	},
	{
		name: 'agent-action-url-required',
		question: 'A transfer without `transfer_to`, a hold without `hold_duration`, a webhook without `url`',
		does: 'refuses a webhook action without `url`',
		request: (request) =>
			isTo(request, 'POST', '/actions') && fieldsOf(request.body).type === 'webhook' && !fieldsOf(request.body).url
				? refusedField('url', 'The url field is required.')
				: undefined,
	},
	{
		name: 'agent-integration-id',
		question: '`integration.id`',
		does: 'names integrations of the catalog by `id` instead of `identifier`',
		...eachItem('/action-integrations', (item) => renamed(item, { identifier: 'id' })),
	},
	{
		name: 'agent-flow-invalid-422',
		question: 'HTTP status of an invalid flow',
		does: 'answers 422 where a flow is invalid that was to be validated',
		...failedWith422('/flow/validate'),
	},
	{
		name: 'agent-flow-errors-objects',
		question: 'HTTP status of an invalid flow',
		does: 'lists the mistakes of a flow as objects with `node_id` and `message`',
		answer(answer, request) {
			const fields = fieldsOf(answer.body);
			if ((request.route ?? '').includes('/flow') && Array.isArray(fields.errors)) {
				answer.body = { ...fields, errors: fields.errors.map((message: unknown) => ({ node_id: null, message })) };
			}
		},
	},
	{
		name: 'agent-flow-versions-list',
		question: "`version` of a flow's version",
		does: 'lists the versions of a flow directly in `data`, oldest first',
		...onSuccess('GET', '/flow/versions', (answer, { versions }) => {
			answer.body = { success: true, data: Array.isArray(versions) ? versions.toReversed() : versions };
		}),
	},
	{
		name: 'agent-flow-end-next-refused',
		question: '`next` of an `end` node',
		does: 'refuses a flow in which an `end` node has `next`',
		request(request) {
			const { nodes } = fieldsOf(fieldsOf(request.body).flow_config);
			const wrong = Array.isArray(nodes) && nodes.some(({ type, next }) => type === 'end' && next !== undefined);
			return wrong && (request.route ?? '').includes('/flow')
				? refused(422, 'The flow is invalid.', { flow_config: ['An end node has no next.'] })
				: undefined;
		},
	},
];

/** What an event says about the use of an action. */
function used(change: (body: WireFields) => WireFields): Pick<Entry, 'event'> {
	return { event: (body) => ('action_name' in body ? change(body) : body) };
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Actions during a call. */
export const actions: Entry[] = [
	{
		name: 'action-event-object',
		question: 'Events',
		does: 'puts the action of an event into an object `action` with `name`, `arguments` and `response`',
		...used(({ action_name: name, input, result, ...body }) => ({
			...body,
			action: { name, arguments: input, response: result ?? null },
		})),
	},
	{
		name: 'action-event-result-text',
		question: 'Events',
		does: 'sends the result of an action as text',
		...used(({ result, ...body }) => ({
			...body,
			...(result === undefined ? {} : { result: JSON.stringify(result) }),
		})),
	},
	{
		name: 'action-request-get',
		question: 'The request of a webhook action',
		does: 'requests the URL of a webhook action with GET, with the inputs in the query',
		action(request) {
			const url = new URL(request.url);
			for (const [name, value] of Object.entries(JSON.parse(request.body) as WireFields)) {
				url.searchParams.set(name, asText(value));
			}
			Object.assign(request, { method: 'GET', url: url.href, body: '' });
		},
	},
	{
		name: 'action-request-wrapped',
		question: 'The request of a webhook action',
		does: 'puts the inputs of a webhook action below `arguments`, beside `tool` and `call_id`',
		action(request) {
			const { name: tool, callId } = request;
			request.body = JSON.stringify({ tool, call_id: callId, arguments: JSON.parse(request.body) as unknown });
		},
	},
	{
		name: 'action-request-form',
		question: 'The request of a webhook action',
		does: 'sends the inputs of a webhook action as a form',
		action(request) {
			const form = new URLSearchParams();
			for (const [name, value] of Object.entries(JSON.parse(request.body) as WireFields)) {
				form.set(name, asText(value));
			}
			request.body = form.toString();
			request.headers['Content-Type'] = 'application/x-www-form-urlencoded';
		},
	},
];

/** Voices and their templates. */
export const voices: Entry[] = [
	{
		name: 'voice-language-prefix',
		question: 'How does `language` match?',
		does: 'finds voice templates by the beginning of a language: `en` finds `en-US`',
		async answer(answer, request) {
			const { language } = request.query;
			if (!isTo(request, 'GET', '/voice-templates') || answer.status !== 200 || typeof language !== 'string') {
				return;
			}
			const { language: _language, ...query } = request.query;
			const { data } = fieldsOf((await request.repeat(query)).body);
			const groups = (Array.isArray(data) ? data : []).map((group: WireFields) => ({
				...group,
				voices: (group.voices as WireFields[]).filter((voice) =>
					String(voice.language).toLowerCase().startsWith(language.toLowerCase()),
				),
			}));
			answer.body = { success: true, data: groups.filter((group) => group.voices.length > 0) };
		},
	},
	{
		name: 'voice-language-unknown-422',
		question: 'How does `language` match?',
		does: 'answers 422 where no voice template has the language',
		answer(answer, request) {
			const { data } = fieldsOf(answer.body);
			if (
				isTo(request, 'GET', '/voice-templates') &&
				request.query.language &&
				Array.isArray(data) &&
				data.length === 0
			) {
				Object.assign(answer, refusedField('language', 'The selected language is invalid.'));
			}
		},
	},
	{
		name: 'voice-list-flat',
		question: 'A group of which only some tiers match',
		does: 'lists voice templates one by one, without groups',
		...onSuccess('GET', '/voice-templates', (answer) => {
			const { data } = fieldsOf(answer.body);
			answer.body = { success: true, data: (data as WireFields[]).flatMap(({ voices }) => voices) };
		}),
	},
	{
		name: 'voice-cost-number',
		question: 'Form of numbers and of yes and no',
		does: 'writes the cost of a voice template as a number',
		...inAnswers((name, value) => (name === 'cost' && typeof value === 'string' ? Number(value) : value)),
	},
	{
		name: 'voice-demo-below-data',
		question: "The demo's address",
		does: 'answers with the address of a demo as `data.url`',
		...onSuccess('GET', '/demo', (answer) => {
			answer.body = { success: true, data: { url: fieldsOf(answer.body).mp3_url } };
		}),
	},
	{
		name: 'voice-demo-redirect',
		question: "The demo's address",
		does: 'redirects to the demo with 302',
		...onSuccess('GET', '/demo', (answer) => {
			answer.headers.location = String(fieldsOf(answer.body).mp3_url);
			Object.assign(answer, { status: 302, body: undefined });
		}),
	},
];

/** Phone numbers. */
export const numbers: Entry[] = [
	{
		name: 'number-messages-too',
		question: 'What can a number do?',
		does: 'has numbers that take SMS as well',
		...inAnswers((name, value) => (name === 'has_sms' ? true : value)),
	},
	{
		name: 'number-inbound-only',
		question: '`direction` in the list of phone numbers',
		does: 'finds no number for `direction` outbound',
		...onSuccess('GET', '/phone-numbers', (answer, _data, { query }) => {
			if (query.direction === 'outbound') {
				answer.body = { success: true, data: [] };
			}
		}),
	},
	{
		name: 'number-prices-absent',
		question: 'Prices and renewals',
		does: 'shows no prices and renewals of a number',
		...inAnswers((name, value, of) => ('has_voice' in of && /price|renewal|currency/.test(name) ? undefined : value)),
	},
	{
		name: 'number-status-in-use',
		question: 'Which statuses has a phone number?',
		does: 'calls a number that can be used `in_use`',
		...everywhere((name, value, of) =>
			name === 'current_status' && 'formatted_number' in of && value === 'active' ? 'in_use' : value,
		),
	},
];

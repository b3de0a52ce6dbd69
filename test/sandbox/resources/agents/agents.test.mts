import { uuidOf } from '../../../../sandbox/world/ids.mts';
import { asList, asText } from '../../client.mts';
import { type Step, useStories, webhook } from '../../story.mts';

const required = {
	name: 'Zelda',
	label: 'Night shift',
	language: 'pt-BR',
	interrupt_sensitivity: 'low',
	endpointing_sensitivity: 'auto',
	ivr_navigation_mode: 'off',
	conversation_speed: 1.2,
	initial_message_delay: 2,
	ask_if_human_present_on_idle: true,
	idle_time_seconds: 30,
	llm_temperature: 0.5,
	enable_recording: true,
	direction: 'outbound',
	who_speaks_first: 'user',
};
const knowledge = {
	description: 'Answers questions about opening hours',
	interrupt_sensitivity: 'high',
	ask_if_human_present_on_idle: false,
	llm_temperature: 0.2,
	initial_message_delay: 3,
};
const voice = { voice_id: '{voice}', conversation_speed: 1, who_speaks_first: 'agent' };
const to = '+12025550001';
/** An inactive number. */
const INACTIVE = uuidOf('phone number +4930901820');
const numbers = (...phone_number_ids: string[]) => ({ direction: 'outbound', phone_number_ids });
const publish = (agent: string): Step => [`POST /agents/{${agent}}/publish 200`];
const unpublish = (agent: string): Step => [`POST /agents/{${agent}}/unpublish 200`];
const call = (agent: string): Step => [`POST /agents/{${agent}}/call 200 > call`, { to }];

const { service, play, stories } = useStories();

describe('agents', () => {
	stories({
		'are found by status, direction and a part of the name or label': [
			['GET /agents?status=draft 200', { meta: { total: 10 } }],
			['GET /agents?status=published&direction=inbound 200', { meta: { total: 6 } }],
			['GET /agents?search=INVOICE 200', { meta: { total: 1 } }],
			['GET /agents?per_page=10 200', { meta: { total: expect.any(Number), last_page: 4 } }],
		],
		'need an active number to be published, and place calls from it': [
			['PUT /agents/{draftAgent}/calling 200', numbers()],
			['POST /agents/{draftAgent}/publish 422', 'phone_number_ids'],
			['PUT /agents/{draftAgent}/calling 200', numbers(INACTIVE)],
			['POST /agents/{draftAgent}/publish 422', 'phone_number_ids'],
			['PUT /agents/{draftAgent}/calling 200', numbers(INACTIVE, '{number}')],
			publish('draftAgent'),
			call('draftAgent'),
			['GET /_sandbox/calls/{call} 200', { from: '+12025550123' }],
		],
		'become drafts when they change or are unpublished, and keep the settings that are not sent': [
			['PUT /agents/{agent}/knowledge 200', knowledge, { data: { ...knowledge, current_status: 'draft' } }],
			['POST /agents/{agent}/call 400', { to }, 'AGENT_INACTIVE'],
			publish('agent'),
			call('agent'),
			['PUT /agents/{agent}/calling 200', { direction: 'outbound' }, { data: { current_status: 'draft' } }],
			publish('agent'),
			call('agent'),
			['GET /agents/{agent} 200', { data: { phone_numbers: [{ id: '{number}' }] } }],
			[
				'POST /agents/{agent}/unpublish 200',
				undefined,
				{ data: { current_status: 'draft', is_ready_to_publish: true } },
			],
		],
		'that were deleted have no calls and webhooks, and the calls of their campaigns fail': [
			['DELETE /agents/{agent} 409', 'published'],
			call('agent'),
			unpublish('agent'),
			['DELETE /agents/{agent} 409', 'active calls'],
			['wait 60'],
			webhook('own', 'agents/{agent}'),
			webhook('other', 'campaigns/{campaign}', { enabled: false }),
			['DELETE /agents/{agent} 200'],
			['GET /agents/{agent} 404'],
			['GET /calls 200', { pagination: { total: 20 } }],
			['POST /_sandbox/deliver 404', { webhookId: '{own}', event: 'event_recording' }, 'Webhook not found.'],
			['POST /_sandbox/deliver 200', { webhookId: '{other}', event: 'event_recording' }],
			['POST /campaigns/{campaign}/call 201', { to }],
			['wait 86400'],
			['GET /campaigns/{campaign} 200', { data: { agent: null, calls: [{ status: 'failed' }] } }],
		],
	});

	it.each([true, false])('record their calls if enable_recording is %s', async (enable_recording) => {
		const { call } = await play([
			[
				'POST /agents 201 > new',
				{ ...required, description: 'Answers', phone_number_ids: ['{number}'], enable_recording },
			],
			['POST /agents/{new}/publish 422', 'voice'],
			['PUT /agents/{new}/voice 200', voice],
			publish('new'),
			['POST /agents/{new}/call 200 > call', { to }],
			['wait 60'],
		]);
		const { recording_url, events } = await service.control(`calls/${String(call)}`);
		const types = asList(events).map(({ event }) => asText(event));
		expect([types.includes('event_recording'), recording_url !== null]).toEqual([enable_recording, enable_recording]);
	});
});

/** Keeps the ids of Iris and of two possible sources. */
const callback: Step[] = [
	['GET /agents?search=Iris 200 > iris=data.0.id'],
	['GET /callback-agents/source-agents 200 > first=data.0.id'],
	['GET /callback-agents/source-agents 200 > second=data.1.id'],
];
const sources = (...source_agent_ids: string[]) => ({ source_agent_ids });

describe('callback agents', () => {
	stories({
		'are inbound agents with the sources that were set last, which lose a deleted one': [
			...callback,
			['GET /callback-agents 200', { data: [] }],
			['PUT /agents/{iris}/callback 404', sources('{first}')],
			['POST /agents/{iris}/callback 200', sources('{first}'), { data: { callback_config: sources('{first}') } }],
			['PUT /agents/{iris}/callback 200', sources('{second}', '{second}')],
			['GET /callback-agents 200', { data: [{ id: '{iris}', callback_config: sources('{second}') }] }],
			['PUT /agents/{iris}/callback 200', sources('{first}', '{second}')],
			unpublish('second'),
			['DELETE /agents/{second} 200'],
			['GET /callback-agents 200', { data: [{ callback_config: sources('{first}') }] }],
		],
		'have as sources the published agents that call': [
			...callback,
			['POST /agents/{first}/callback 422', sources('{second}'), 'INVALID_AGENT_DIRECTION'],
			['POST /agents/{iris}/callback 422', sources('{first}', '{draftAgent}'), 'source_agent_ids'],
			unpublish('first'),
			['GET /callback-agents/source-agents 200 > other=data.0.id'],
			['POST /agents/{iris}/callback 200', sources('{second}', '{other}')],
		],
	});
});

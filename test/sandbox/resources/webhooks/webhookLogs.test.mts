import { type Step, useStories, webhook } from '../../story.mts';

const DAY = 86_400;
const { stories } = useStories();
const HOOK = '/campaigns/{campaign}/webhooks/{hook}';

/** A webhook whose first delivery has failed, and its log entry. */
const failed: Step[] = [
	webhook('hook', 'campaigns/{campaign}', { events: ['campaign_call.queued'], max_retries: 0 }),
	['receiver 500'],
	['POST /campaigns/{campaign}/call 201', { to: '+12025550002' }],
	['wait 0'],
	['events campaign_call.queued'],
	[`GET ${HOOK}/logs 200 > entry=data.0.id`],
];
const change = (settings: object): Step => [`PUT ${HOOK} 200`, settings];
const logIs = (...entries: object[]): Step => [`GET ${HOOK}/logs 200`, { data: entries }];
const retried = (entry = 'entry'): Step[] => [
	[`POST ${HOOK}/logs/{${entry}}/retry 200`, undefined, { data: { original_log_id: `{${entry}}` } }],
	['wait 0'],
	['events campaign_call.queued'],
];
const notRetried = (entry = 'entry'): Step[] => [
	[`POST ${HOOK}/logs/{${entry}}/retry 422`, undefined, 'LOG_NOT_RETRIABLE'],
	['wait 0'],
	['events'],
];

describe('the log of a webhook', () => {
	stories({
		'is not found below another owner, nor is the webhook': [
			...failed,
			['GET /campaigns/{draft}/webhooks/{hook} 404', 'Webhook not found.'],
			['GET /campaigns/{draft}/webhooks/{hook}/logs 404', 'Webhook not found.'],
			webhook('other', 'campaigns/{campaign}', { enabled: false }),
			['POST /campaigns/{campaign}/webhooks/{other}/logs/{entry}/retry 404', undefined, 'Webhook log not found.'],
		],
		'lists 30 days, and older entries cannot be redelivered': [
			...failed,
			[`wait ${30 * DAY - 60}`],
			logIs({ attempt: 1 }),
			...retried(),
			['wait 120'],
			logIs({ attempt: 2 }),
			...notRetried(),
		],
		'redelivers the same entry once per request while it fails, but no success and to no disabled webhook': [
			...failed,
			change({ max_retries: 10 }),
			...retried(),
			change({ enabled: false }),
			...notRetried(),
			change({ enabled: true }),
			['receiver 200'],
			...retried(),
			[`wait ${DAY}`],
			['events'],
			logIs({ attempt: 3, status: 'success' }, { attempt: 2, status: 'failed' }, { attempt: 1, status: 'failed' }),
			[`GET ${HOOK}/logs 200 > success=data.0.id`],
			...notRetried('success'),
		],
	});
});

import { DEFAULT_TIME_LIMITS_MS } from '../../nodes/VoiceAgentCalling/fields/timeLimit.ts';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';
import { read } from './sources.mts';

const { properties } = new VoiceAgentCalling().description;
const defaultOf = (name: string) => properties.find((property) => property.name === name)?.default;
const minute = 60_000;

describe('what the guides say is so', () => {
	it.each<[page: string, says: RegExp, is: unknown, value: unknown]>([
		[
			'get-the-results.md',
			/60 minutes for Place and Wait, seven days for Queue Call and Wait/,
			DEFAULT_TIME_LIMITS_MS,
			{ agentId: 60 * minute, campaignId: 7 * 24 * 60 * minute },
		],
		[
			'call-a-list.md',
			/begins with Monday to Friday, .* with 09:00 to 17:00.*\n4\. Choose the \*\*Time Zone\*\*/,
			['daysOfWeek', 'callTimeRanges', 'timezone'].map(defaultOf),
			[[1, 2, 3, 4, 5], { values: [{ start: '09:00', end: '17:00' }] }, ''],
		],
		['costs-and-limits.md', /1 in a run, 10 in an hour/, ['maxCalls', 'maxCallsPerHour'].map(defaultOf), [1, 10]],
		[
			'get-the-results.md',
			/Its default events are enough/,
			new VoiceAgentCallingTrigger().description.properties
				.filter(({ name }) => name === 'events')
				.map((one) => (one.default as string[]).toSorted()),
			[
				['campaign_call.completed', 'campaign_call.failed'],
				[
					'event_phone_call_did_not_connect',
					'event_phone_call_ended',
					'event_phone_call_error',
					'event_voicemail_detected',
				],
			],
		],
	])('%s: %s', (page, says, is, value) => {
		expect(read(`docs/${page}`)).toMatch(says);
		expect(is).toEqual(value);
	});
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DEFAULT_TIME_LIMITS_MS } from '../../nodes/VoiceAgentCalling/fields/timeLimit.ts';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';
import { root } from '../../scripts/lib/places.mts';

const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const guides = ['README.md', 'SECURITY.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter(
	(name) => name.endsWith('.md'),
);
const { properties } = new VoiceAgentCalling().description;

/** What a field has before somebody changes it. */
const defaultOf = (name: string) => properties.find((property) => property.name === name)?.default;

describe('what the guides say is so', () => {
	it('the video has three minutes', () => {
		// The element Duration of the file, in milliseconds.
		const video = readFileSync(join(root, 'docs', 'images', 'tour.webm'));
		const at = video.indexOf(Buffer.from([0x44, 0x89, 0x88]));
		expect(video.readDoubleBE(at + 3) / 60_000).toBeCloseTo(3, 0);
		expect(read('docs/README.md')).toContain('a video of three minutes');
		expect(guides.filter((name) => /five.minute tour/i.test(read(name)))).toEqual([]);
	});

	it('a wait for a call ends after 60 minutes, and one for a call of a campaign after seven days', () => {
		const minute = 60_000;
		expect(DEFAULT_TIME_LIMITS_MS).toEqual({ agentId: 60 * minute, campaignId: 7 * 24 * 60 * minute });
		expect(read('docs/get-the-results.md')).toContain(
			'60 minutes for Place and Wait, seven days for Queue Call and Wait',
		);
	});

	it("the trigger's default events end every wait for a call", () => {
		const events = new VoiceAgentCallingTrigger().description.properties.filter(({ name }) => name === 'events');
		expect(events.map((one) => (one.default as string[]).toSorted())).toEqual([
			['campaign_call.completed', 'campaign_call.failed'],
			['event_phone_call_did_not_connect', 'event_phone_call_ended', 'event_phone_call_error'],
		]);
		expect(read('docs/get-the-results.md')).toContain('Its default events are enough');
	});

	it('a new campaign has days and hours, and no time zone until somebody chooses one', () => {
		expect(defaultOf('daysOfWeek')).toEqual([1, 2, 3, 4, 5]);
		expect(defaultOf('callTimeRanges')).toEqual({ values: [{ start: '09:00', end: '17:00' }] });
		expect(defaultOf('timezone')).toBe('');
		expect(read('docs/call-a-list.md')).toMatch(
			/begins with Monday to Friday, .* with 09:00 to 17:00.*\n4\. Choose the \*\*Time Zone\*\*/,
		);
	});

	it('an AI agent may place one call in a run and ten in an hour', () => {
		expect([defaultOf('maxCalls'), defaultOf('maxCallsPerHour')]).toEqual([1, 10]);
		expect(read('docs/costs-and-limits.md')).toContain('1 in a run, 10 in an hour');
	});

	it('the public address of n8n has one name up to 2.20 and another from 2.41 on', () => {
		for (const name of guides) {
			const text = read(name);
			const named = text.includes('WEBHOOK_URL');
			expect({ name, both: !named || /`N8N_WEBHOOK_URL`[ (;]+n8n 2\.20 and older: `WEBHOOK_URL`/.test(text) }).toEqual({
				name,
				both: true,
			});
			expect({ name, isWrong: /before n8n 3:? `?WEBHOOK_URL/.test(text) }).toEqual({ name, isWrong: false });
		}
	});

	it('no operation deletes a call or takes back a queued one', () => {
		const operations = properties
			.filter(({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.resource?.includes('call'))
			.flatMap(({ options = [] }) => options.map((option) => Object(option).value));
		expect(operations.length).toBeGreaterThan(3);
		expect(operations.filter((value) => /delete|cancel/i.test(String(value)))).toEqual([]);
		expect(Object.keys((JSON.parse(read('docs/openapi.json')) as { paths: object }).paths)).not.toContain(
			'/api/v1/calls/{call_id}',
		);
	});
});

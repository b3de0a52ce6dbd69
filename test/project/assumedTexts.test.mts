import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';

/** All descriptions that the editor shows, and those of the lists of events. */
const texts: string[] = [];
const lists: string[] = [];
JSON.stringify([new VoiceAgentCalling().description, new VoiceAgentCallingTrigger().description], (key, value) => {
	if (key === 'description' && typeof value === 'string') {
		texts.push(value);
	}
	if (Object(value).name === 'events') {
		lists.push(Object(value).description);
	}
	return value as unknown;
});

test('each list of events says that their meanings are not known for sure, and none of its entries again', () => {
	expect(lists.filter((text) => !text.includes('probably'))).toEqual([]);
	const entries = texts.filter((text) => /^'[\w.]+': /.test(text));
	expect([entries.length > 30, entries.filter((text) => /presum|probabl/.test(text))]).toEqual([true, []]);
});

/** What the service does not document, and people decide something on. */
test.each([
	['the notation of variables', /\{\{name\}\}/],
	['what happens to the owner of a calendar', /replaces the current owner/],
])('texts about %s say that it is not known for sure', (_what, about) => {
	const found = [...new Set(texts)].filter((text) => about.test(text));
	expect(found.length).toBeGreaterThan(0);
	expect(found.filter((text) => !/presumably|probably/.test(text))).toEqual([]);
});

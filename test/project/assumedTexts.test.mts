import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';

/** All descriptions that the editor shows. */
const texts: string[] = [];
JSON.stringify([new VoiceAgentCalling().description, new VoiceAgentCallingTrigger().description], (key, value) => {
	if (key === 'description' && typeof value === 'string') {
		texts.push(value);
	}
	return value as unknown;
});

/** What the service does not document, and people decide something on. */
test.each([
	['the notation of variables', /\{\{name\}\}/],
	['when an event is sent', /^'[\w.]+': .*(was (not )?answered|answered it|reached nobody|further attempt|technical)/],
	['what happens to the owner of a calendar', /replaces the current owner/],
])('texts about %s say that it is not known for sure', (_what, about) => {
	const found = [...new Set(texts)].filter((text) => about.test(text));
	expect(found.length).toBeGreaterThan(0);
	expect(found.filter((text) => !/presumably|probably/.test(text))).toEqual([]);
});

import { suggester } from '../../../../nodes/shared/lib/text.ts';

test.each([
	['idle_time_second', 'idle_time_seconds'],
	['speak_on_sned', 'speak_on_send'],
	['Name', 'name'],
	['nothing like it', undefined],
])('%s probably means %s', (given, meant) => {
	expect(suggester(['name', 'idle_time_seconds', 'speak_on_send'])(given)).toBe(meant);
});

import { lostVariable } from '../../../../nodes/shared/lib/expressions.ts';

test.each<[unknown, string | undefined]>([
	['=Greet {{first_name}} and ask.', '{{first_name}}'],
	['={{ name }}', '{{ name }}'],
	['={{ $json.a }} for {{company}}', '{{company}}'],
	['=a\n{{\n name\n}}', '{{\n name\n}}'],
	...['Greet {{first_name}}', '=Greet {{ $json.first_name }}', "={{ '{{a}}' }}", '={{ undefined }}', '={{ 5 }}'].map(
		(text): [unknown, undefined] => [text, undefined],
	),
	...['={{ a.b }}', '=', '', null, 5].map((text): [unknown, undefined] => [text, undefined]),
])('%j loses %s, because n8n looks for a JavaScript name', (text, variable) => {
	expect(lostVariable(text)).toBe(variable);
	expect(lostVariable({ value: [{ text }] })).toBe(variable);
});

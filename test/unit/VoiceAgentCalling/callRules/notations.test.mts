import { noteOn, otherNotationsIn } from '../../../../nodes/VoiceAgentCalling/callRules/notations.ts';
import { timeInCopies } from '../../../processorTime.mts';

const textsIn = (text: unknown) => otherNotationsIn(text).map((notation) => notation.text);

describe('is probably meant as a variable', () => {
	test.each<[said: string, found: string, ...name: string[]]>([
		['Hello {name}!', '{name}', 'name'],
		['Hello { first.name }!', '{ first.name }', 'first.name'],
		['Hallo {Vorname}, hier ist Anna.', '{Vorname}', 'Vorname'],
		['Bonjour {prénom} !', '{prénom}', 'prénom'],
		['Здравствуйте, {имя}!', '{имя}', 'имя'],
		['您好{姓名}，这里是诊所。', '{姓名}', '姓名'],
		['{名前}様、こんにちは。', '{名前}', '名前'],
		['Hello Mr.{name}', '{name}', 'name'],
		['Hello {user-name}', '{user-name}', 'user-name'],
		['Hello {$name}', '{$name}', 'name'],
		['Hello {!Contact.Name}', '{!Contact.Name}', 'Contact.Name'],
		['Hello ${name}', '${name}', 'name'],
		['Hello #{name}', '#{name}', 'name'],
		['Hello {{name}', '{{name}', 'name'],
		['Hello {name}}', '{name}}', 'name'],
		['Hello {{{name}}}', '{{{name}}}', 'name'],
		['Hello {{name', '{{name'],
		['Hello {{name | default}}', '{{name | default}}', 'name'],
		['Hello {{name|default:"friend"}}', '{{name|default:"friend"}}', 'name'],
		['Hello {{ name|upper }}', '{{ name|upper }}', 'name'],
		['Hello {{name or "you"}}', '{{name or "you"}}'],
		['Hello {{name:upper}}', '{{name:upper}}'],
		['Hello {{ .Name }}', '{{ .Name }}'],
		['Hello {{ $json.name }}', '{{ $json.name }}'],
		["Hello {{ $('Get Rows').item.json.name }}", "{{ $('Get Rows').item.json.name }}"],
		['{{#if name}}Hello', '{{#if name}}'],
		['{% if name %}Hello', '{% if name %}'],
		['Hello [[name]]', '[[name]]', 'name'],
		['Hello [[ first name ]]', '[[ first name ]]', 'first name'],
		['Hello <name>, this is Ada.', '<name>', 'name'],
		['Hello <first_name>!', '<first_name>', 'first_name'],
		['Hola <nombre>, soy Ada.', '<nombre>', 'nombre'],
		['Hello <<company>>!', '<<company>>', 'company'],
		['Hello %name%!', '%name%', 'name'],
		['Hello %FIRST_NAME%!', '%FIRST_NAME%', 'FIRST_NAME'],
		['｛｛name｝｝様', '｛｛name｝｝', 'name'],
		['Return {"name": {name}}', '{name}}', 'name'],
	])('%s', (said, text, ...[name]) => {
		expect(otherNotationsIn(said)).toEqual([{ text, name }]);
	});
});

/** Texts as agents have them. Nothing in them is a variable in another notation. */
const PROMPTS: Record<string, string> = {
	English: `# Role
You are **Ada**, the assistant of {{company}}. Today is {{ date }}; office hours are 9:00–17:30 (Mon-Fri), [09:00, 17:00].

## Rules
- Prices: $50 for < 10 people, $45 if 10 <= n > 5; 10% off, or 20% today. 100% free: 5% + 5%.
- [ ] Ask for the name; [x] ask for the day [see the list](https://example.com/{{path}}).
- Say [pause] or (laughs) as it fits, "Hi, this is [Agent Name]". Then use [end_call] or [transfer_call].
- Email: <ada@example.com>, page: <https://example.com/a?b=%7Bname%7D&c=20%25>.
- Contact {see below}, {yes, no}, {"yes" | "no"}, {1}, {}, {...} and {10:30}. Braces like } and { are fine; so are a < b > c.
- Repeat "A-Z{2}\\d{3}", and \\text{name} is text.`,
	'XML and SSML': `<instructions>
Speak slowly. <break time="500ms"/> <emphasis level="strong">Now</emphasis> <laugh> <sigh> <br>
<customer_name>Ada</customer_name>
<name>
</instructions>
<example><name>Bob</name></example>
Array<string>, Map<string, number>, List<firstname>`,
	JSON: `Return {"name": "{{name}}", "age": {{age}}, "slots": {"day": "{{day}}", "n": {{n}}}}
{"a":{"b":{"c":{}}}} [[1, 2], [3, 4]] [["a"]] {"open": true, "hours": ["09:00-12:00"]}
{{"intent": "booking", "slots": {{"date": "2027-01-02"}}}}
{
  "name": "Ada",
  "tags": ["a", "b"],
  "nested": {
    "x": null
  }
}`,
	'Markdown with code': `Use this function:

\`\`\`js
const hello = ({ name }) => \`Hello \${name}\`;
import {name} from 'x';
\`\`\`

~~~json
{name}
~~~

| Time | Price |
|---|---|
| 10:00 | 5,50 € |

style={{ color: 'red' }} or GET /orders/{order_id}/items, then f(x){return}`,
	German: `Du bist die Assistentin von {{firma}}. Öffnungszeiten: Mo–Fr 8–18 Uhr, Sa 9–13 Uhr.
Preise: 19,90 € (inkl. 19% MwSt.), ab 10 Stück 10 % Rabatt. „Guten Tag, {{anrede}} {{nachname}}!“ <Pause>`,
	Spanish: `Eres la asistente de {{empresa}}. Di: «¿Hablo con {{nombre}}?» El 50% paga 20€. Horario: [9-14] y [16-19].`,
	French: `Tu es l’assistante de {{société}}. Dis : « Bonjour {{prénom}} ! » Tarif : 49 €/mois < 60 €. 100 %.`,
	Japanese: `あなたは{{会社}}の受付です。営業時間は【9:00～18:00】。「{{名前}}様でしょうか」と聞いてください。料金は5,000円（税10%込み）。`,
	Arabic: `أنت مساعدة {{company}}. قل: «مرحبا {{name}}». السعر 50% أقل من <100>.`,
	Russian: `Вы помощник {{company}}. Скажите: «Здравствуйте, {{имя}}!» Цена: 500 ₽, скидка 10%.`,
	Sentences: 'Use {{...}} for nothing. 5 < 6. a } b. see {this here}. {}',
};

test.each(Object.entries(PROMPTS))('nothing is found in a prompt with %s', (_what, prompt) => {
	expect(textsIn(prompt)).toEqual([]);
});

test.each([undefined, null, 5, {}, '', 'Hello!'])('nothing is found in %j', (given) => {
	expect(textsIn(given)).toEqual([]);
});

test('each text is found once, in the order of the texts', () => {
	expect(textsIn('%b% {a} [[c]] {a} {{d}} %b%')).toEqual(['%b%', '{a}', '[[c]]']);
});

test.each(['{', '{{', '[[', '<', '<<', '%', '｛', '```\n', '{%', '{{a', '{{a|', '<name', ' {'])(
	'a long text of %j takes no longer than 200 copies of it',
	async (sign) => {
		const text = sign.repeat(50_000);
		expect(await timeInCopies(text, () => otherNotationsIn(text))).toBeLessThan(200);
	},
);

describe('the note on an agent', () => {
	test('names the agent, each text with its field, and how to write it', () => {
		const texts = [
			{ field: 'first message', text: 'Hello {name}!' },
			{ field: 'prompt', text: 'You call <name> about {{ day | upper }} and {{topic}}.' },
		];
		expect(noteOn('Ada', texts)).toBe(
			'The agent "Ada" may say as it is written: "{name}" (first message), "<name>" (prompt), "{{ day | upper }}" (prompt). Only {{name}} counts as a variable, with letters, digits, dots, hyphens and underscores. If this is meant as a variable, write {{name}}, {{day}} in the agent, and publish it again.',
		);
		expect(noteOn('Ada', [{ field: 'prompt', text: '{{ $json.x }}' }])).toContain('write it so in the agent');
	});

	test('names five texts at most', () => {
		const text = Array.from({ length: 7 }, (_none, index) => `{v${index}}`).join(' ');
		expect(noteOn('Ada', [{ field: 'prompt', text }])).toMatch(/"\{v4\}" \(prompt\) and 2 more\./);
	});

	test('is absent where nothing is found', () => {
		expect(noteOn('Ada', [{ field: 'prompt', text: 'Hello {{name}}!' }])).toBeUndefined();
	});
});

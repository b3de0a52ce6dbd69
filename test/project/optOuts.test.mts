import { compileFunction } from 'node:vm';

import { readExample } from '../../scripts/lib/examples.mts';

const { nodes } = readExample('keep-a-do-not-call-list.json');
const parametersOf = (node: string) => nodes.find(({ name }) => name === node)!.parameters;
const { conditions } = parametersOf('An Opt-Out?').conditions as { conditions: Array<{ leftValue: string }> };
const [, expression] = /^=\{\{(.+)\}\}$/s.exec(conditions[0]!.leftValue)!;
const isOptOut = compileFunction(`return ${expression}`, ['$json']) as (json: { text: string }) => boolean;
const collecting = compileFunction(String(parametersOf('Said in a Call').jsCode), ['$json']) as (json: object) => {
	text: string;
};
const textOf = (json: { transcript: unknown }) => collecting(json).text;

test.each([
	...[
		'STOP',
		'"STOP"',
		'stop.',
		'STOP ALL',
		'stopall',
		'STOP please',
		'Please stop',
		'Stop, please.',
		'STOP 🙏',
		'End',
	],
	...['Hello?\nStop.\nBye.', 'Please stop calling me, will you?', 'Don’t ever call me', "Don't you call me again"],
	...['Never call again', 'Stop bothering me', 'Stop all calls', 'leave us alone', 'opt out', 'unsubscribe'],
	...["I don't want any more calls", 'I do not want to be called again', 'no more calls', 'no more phone calls'],
	...['REVOKE', 'Revoke please', 'Remove', 'Stop. Thank you', 'Stop stop stop', 'STOP SMS', 'Wrong number, stop'],
	...['Please stop sending these messages', 'Stop with the calls', 'I no longer wish to be called', 'Lose my number'],
	...['Take my name off your list', 'I want to be taken off your list'],
	...['ok stop', 'Ok. Stop.', 'I said stop', 'you must stop', 'will you stop', 'stopp', 'STOP2END'],
	...['no calls please', 'no texts', 'no further contact', 'I would not like to be called', 'don’t wanna be called'],
	...['do not want to hear from you again', 'I never want to hear from you', 'put me on the no-call list'],
	...['remove my name', 'remove number', 'Delete my data', 'I do not consent', 'leave me be', 'cease and desist'],
	...['don t call me', 'un subscribe', 'please do not phone my wife', 'forget my number'],
	...['quit calling me', 'Please quit texting this number', 'END CALLS', 'cancel these messages', 'NO MORE', 'DNC'],
	...['please refrain from calling me', 'I object to these calls', "I'd rather you didn't call", 'remove my cell'],
	...['I want to be removed', 'Please have my number removed', 'Block my number', "I didn't consent to this", 'UNSUB'],
	...['Enough with the calls', 'dont txt me', 'If you call me again I will sue', 'I asked you not to call me'],
	...['Can you please not call me', 'I have asked you before not to call', 'opt me out', 'no thanks stop', 'stop thx'],
	...['Alto STOP', 'hey stop it already', 'Could you stop ringing my house', 'I never agreed to be called', 'I object'],
	...['No further calls please', 'Take me off your list', 'Please take us off your list', 'Take our number off'],
	...['Remove this number', 'remove my phone number 020 7946 0078', 'I withdraw my consent', 'I revoke all consent'],
	...['please remove her number', 'Delete his number', "I'd like my number deleted", 'Please have me removed'],
	...[
		'Get rid of my number',
		'Blacklist my number',
		'My father died, please remove his number',
		'stop plz',
		'stop man',
	],
	...['STOP u idiots', 'Stop ringin me', 'Stop harrassing me', 'I want this to stop', 'tell them to stop'],
	...['The calls need to end', 'Please no more', 'no more robocalls', 'no sales calls please', 'never again'],
	...['We do not accept cold calls', "Don't keep calling me", "Don't dial this number", 'Can u not text me'],
	...['Would you mind not calling me', 'ask them not to call', 'I revoke my permission', 'I invoke my right to object'],
	...['I never signed up for this', 'add me to the suppression list', 'This is spam', "I'm not interested, goodbye"],
	...['Please take this number out of your system', 'Cross me off', 'I want to be left alone', 'No more, thanks'],
	...["Don't try this number again", 'Do not get in touch', 'I never signed up', 'Please do not disturb us'],
	...["I don't want to talk to you again", "Don't call, just text me", 'Take my number off your records'],
])('%j is an opt-out', (text) => {
	expect(isOptOut({ text })).toBe(true);
});

test.each(['Yes, can you stop by on Tuesday?', 'Delete the old date', 'The bus stop', 'I quit my job'])(
	'%j is no opt-out, but has its words: when in doubt, nobody calls',
	(text) => {
		expect(isOptOut({ text })).toBe(true);
	},
);

test.each([
	...['Call me at 5', 'I never got your letter', 'In the end, yes.\nI want the blue one.', 'I take the number 7 bus'],
	...[
		'Please don’t hesitate to call',
		'Do not worry',
		'One more call is fine',
		'No problem. Call me at 5',
		'No, call me tomorrow',
		'Not yet',
	],
	...['I forgot my name tag', 'Any chance you could call me?', 'Is there any number I can call?', 'Not now'],
	...['I will take the day off', 'Can I take my cast off?', 'I need to cancel my appointment', 'Yes, please call me'],
	...["I don't want to miss it, is Tuesday fine?", 'My phone is off at night', 'This is not a good time', 'No'],
])('%j has none of the words', (text) => {
	expect(isOptOut({ text })).toBe(false);
});

test.each([
	[
		'a list of parts',
		[
			{ role: 'agent', content: 'Hello' },
			{ role: 'user', content: 'Stop calling me' },
		],
	],
	['a list of parts with other names', [{ speaker: 'user', words: 'Stop calling me' }]],
	['a list of parts with contents', [{ role: 'user', content: [{ type: 'text', text: 'Stop calling me' }] }]],
	['a list of parts with lines', [null, { role: 'user', message: 'Hello.\nStop calling me', text: '' }]],
	['a JSON text', JSON.stringify([{ role: 'user', text: 'Hello\nDon’t call me' }])],
	['a single word in an object', { segments: [{ text: 'End' }] }],
	['a text with lines', 'Hello, this is Anna.\nStop calling me.\nOkay, bye.'],
	['an object', { text: 'Hello, this is Anna.\nStop calling me.' }],
])('an opt-out is found in a transcript that is %s', (_what, transcript) => {
	expect(isOptOut({ text: textOf({ transcript }) })).toBe(true);
});

test('what the agent says is no opt-out', () => {
	const transcript = ['agent', 'assistant', 'bot'].map((role) => ({ role, content: 'Shall I stop calling you?' }));
	expect(textOf({ transcript: [...transcript, { role: 'user', content: 'I like it' }] })).toBe('I like it');
});

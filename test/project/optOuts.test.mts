import { compileFunction } from 'node:vm';

import { readExample } from '../../scripts/lib/examples.mts';

const condition = readExample('keep-a-do-not-call-list.json').nodes.find(({ name }) => name === 'An Opt-Out?');
const { conditions } = condition?.parameters.conditions as { conditions: Array<{ leftValue: string }> };
const [, expression] = /^=\{\{(.+)\}\}$/s.exec(conditions[0]!.leftValue)!;
const isOptOut = compileFunction(`return ${expression}`, ['$json']) as (json: { text: string }) => boolean;

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
])('%j is an opt-out', (text) => {
	expect(isOptOut({ text })).toBe(true);
});

test.each([
	...['Yes, can you stop by on Tuesday? I take my time.', 'Call me at 5', 'I never got your letter', 'The bus stop'],
	...['In the end, yes.\nI want the blue one.', 'I take the number 7 bus', 'Do not worry', 'One more call is fine'],
	...['I get off at the last stop', 'At the next stop. See you', 'No problem. Call me at 5', 'No, call me tomorrow'],
	...['Not yet', 'I forgot my name tag', 'Delete the old date', 'One stop sign'],
	...["Don't forget to call me", "Please don't hesitate to call", 'Any chance you could call me?', '2 stops away'],
	...['Is there any number I can call?', 'Not today please ring me next week', 'No phone signal here, call after 5'],
	...["It won't stop raining, can I come later?", 'should I stop taking my medication before?', 'No need to call'],
	...['I will take the day off', 'Can I take my cast off?', "you don't need to call me, I confirm"],
	...['I had to stop for gas, 5 min late', 'Where does the bus stop?', 'Can we stop the treatment?'],
	...['You never called me', 'The doctor never called me again', 'Not interested in Tuesday, how about Wed'],
	...['Take my name off the waiting list, I got a slot', 'I want my tooth removed', "Don't call, just text me"],
	...['Stop by at noon', 'Remove the old date, please, and call me at 5'],
])('%j is not an opt-out', (text) => {
	expect(isOptOut({ text })).toBe(false);
});

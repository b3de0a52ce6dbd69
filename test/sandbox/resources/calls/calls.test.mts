import { uuidOf } from '../../../../sandbox/world/ids.mts';
import { type Step, useStories } from '../../story.mts';

const { play, stories } = useStories({ credits: 2 });
const to = '+12025550001';
const call = (status: number, more: object, refusal?: object | string): Step => [
	`POST /agents/{agent}/call ${status}`,
	{ to, ...more },
	refusal,
];

describe('a call through an agent', () => {
	it.each([
		['', 'MISSING_PHONE_NUMBER'],
		['2025550001', 'INVALID_PHONE_NUMBER'],
		['+1 202 555 0001', 'INVALID_PHONE_NUMBER'],
		['+0202555000', 'INVALID_PHONE_NUMBER'],
		[12025550001, 'INVALID_PHONE_NUMBER'],
	])('is refused to the number %j with the code %s', async (number, code) => {
		await play([
			call(400, { to: number }, code),
			['POST /calls 400', { agent_id: '{agent}', to: number }, code],
			['GET /_sandbox/calls 200', { length: 30 }],
		]);
	});

	stories({
		'is refused through an agent that takes calls': [
			[`POST /agents/${uuidOf('agent 5')}/call 400`, { to }, 'AGENT_INACTIVE'],
		],
		'costs a credit unless it is a test, and is refused when none is left': [
			...[true, true, true, false, false].map((is_testing) => call(200, { is_testing })),
			call(402, {}, 'INSUFFICIENT_CREDITS'),
			call(200, { is_testing: true }),
			['POST /calls 402', { agent_id: '{agent}', to }, 'INSUFFICIENT_CREDITS'],
			call(400, { to: '12' }, { error: { details: { field: 'to', value: '12' } } }),
		],
	});
});

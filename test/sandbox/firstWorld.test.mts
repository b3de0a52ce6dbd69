import { type Step, useStories } from './story.mts';

describe('the world at the start', () => {
	/** Returns steps of a call in which the agent books an appointment. */
	const booked = (hour: number): Step[] => {
		const at = (minute: string) => `2030-01-08T${hour}:${minute}:00Z`;
		const given = { title: 'Consultation', start_at: at('00'), end_at: at('30') };
		return [
			['GET /agents?search=Odette 200 > odette=data.0.id'],
			['POST /agents/{odette}/call 200 > call', { to: '+12025550003' }],
			['wait 2'],
			['POST /_sandbox/calls/{call}/act 200', { action: 'answer' }],
			[
				'POST /_sandbox/calls/{call}/action 200',
				{ action: 'book_appointment', arguments: given },
				{ use: { status: 'succeeded', response: { status: 201 } } },
			],
			['GET /_sandbox/calls/{call} 200', { actions: { length: 1 } }],
			['GET /calendars/{calendar}/events 200', { data: expect.arrayContaining([expect.objectContaining(given)]) }],
		];
	};
	useStories({ startTime: Date.UTC(2030, 0, 7, 9) }).stories({
		'has an agent whose action books in the first calendar, also after a reset': [
			...booked(11),
			['POST /_sandbox/reset 200'],
			...booked(15),
		],
	});
});

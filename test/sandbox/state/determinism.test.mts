import { asList, asText } from '../client.mts';
import { campaign, queued, type Step, useStories, webhook } from '../story.mts';

const options = { seed: 7, startTime: Date.UTC(2030, 0, 7, 9) };
type World = ReturnType<typeof useStories>;

/** Creates objects of all types with ids. Deliveries run at the same time as the requests, and must be the same too. */
const STEPS: Step[] = [
	['receiver 500'],
	...campaign('c', { max_retries: 1, retry_cooldown_hours: 1 }),
	...['One', 'Two', 'Three'].map((name) => webhook(name, 'campaigns/{c}', { name, include_call_events: true })),
	['POST /calendars 201', { name: 'Own', owner_id: '{user}' }],
	...['+12025550001', '+12025550002', '+12025550005'].map((to) => queued('c', to)),
	['POST /agents/{agent}/call 200 > call', { to: '+12025550001' }],
	['wait 3'],
	['receiver 200'],
	['wait 8000'],
];

/** Plays the steps. @returns the data of the sandbox and of the receiver, without real times */
async function run({ service, receiver, play }: World): Promise<string> {
	receiver.received.length = 0;
	const names = await play(STEPS);
	const { c, call } = names;
	const paths = [`calls/${String(call)}`, 'calls', 'calls?limit=5', `campaigns/${String(c)}`, 'calendars'];
	const shown = await Promise.all(paths.map((path) => service.control(path)));
	const attempts = asList((await service.control('deliveries?limit=500')).items);
	attempts.sort((one, other) => asText(one.id).localeCompare(asText(other.id)));
	const received = receiver.received.map(({ raw }) => raw).sort();
	const text = JSON.stringify([names, shown, attempts, received]).replace(/"duration_ms":\d+/g, '"duration_ms":0');
	return text.replaceAll(service.url, 'URL').replaceAll(receiver.url, 'RECEIVER');
}

describe('a seed', () => {
	const [first, other, none] = [useStories(options), useStories(options), useStories({ ...options, seed: null })];

	it('makes two runs the same, with the same start time and a clock that stands still, also after a reset', async () => {
		const text = await run(first);
		expect(text.length).toBeGreaterThan(10_000);
		expect((await run(other)) === text).toBe(true);
		await first.service.control('reset', {});
		expect((await run(first)) === text).toBe(true);
		expect((await run(none)) === text).toBe(false);
	});
});

import { DateTime } from 'luxon';

import { jsonIn } from '../docs/copyable.mts';
import { harness } from './harness.mts';
import { goesOn, jsonOf, startService } from './service.mts';
import { BERLIN, goTo } from './VoiceAgentCalling/callRules/ruledCalls.mts';

/** The item of a call with these options. */
async function itemOf(options: object, to: string) {
	const service = await startService();
	const ran = await service.run(service.place(options), [{ to }], { node: goesOn });
	return { item: jsonOf(ran)[0]!, agent: service.seed.agents.published };
}

afterEach(() => harness.restoreTime());

test('sending.md: an item that failed has these fields, in this order', async () => {
	const [sample] = jsonIn('docs/reference/sending.md');
	const { item, agent } = await itemOf({}, '030 1234567');
	expect(Object.entries(item)).toEqual(Object.entries({ ...sample, agent_id: agent }));
});

test('whom-and-when.md: an item outside the hours', async () => {
	goTo(DateTime.fromISO('2026-11-28T21:15:00', { zone: 'Europe/Berlin' }));
	const values = { hours: 'Mon-Fri 9:00-20:00', timeZone: 'fromNumber' };
	const { item } = await itemOf({ callingHours: { values } }, BERLIN);
	expect(item).toMatchObject(jsonIn('docs/whom-and-when.md')[0]!);
});

test('whom-and-when.md: a consent in the context', async () => {
	const context = jsonIn('docs/whom-and-when.md')[1] as { consent: object };
	const { item } = await itemOf({ consent: { values: { validFor: 'unlimited', ...context.consent } } }, BERLIN);
	expect(item).toMatchObject({ result: 'placed', context });
});

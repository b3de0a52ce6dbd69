import { setTimeout as sleep } from 'node:timers/promises';

import { harness } from '../../harness.mts';
import { actionNode, hintsIn, inFastTime, useService } from '../../service.mts';
import { onAgent, triggerNode } from '../../triggers.mts';

const service = useService();

afterEach(() => harness.restoreTime());

/** A phone that nobody answers. */
const NOBODY = '+12025550003';

/** Publishes a workflow that an unanswered call starts and that calls again, calls the phone, and lets time pass. */
async function callsAgain(again: object, { hours, testCall = 'never' }: { hours: number; testCall?: string }) {
	const n8n = await harness.startInstance({ credentials: service.credentials() });
	const deployment = n8n.deploy({
		nodes: [
			triggerNode(service, onAgent(service, ['event_phone_call_did_not_connect'])),
			{ name: 'Again', type: actionNode, parameters: again as never },
		],
		connections: { Trigger: [['Again']] },
	});
	expect((await deployment.publish()).error).toBeUndefined();
	await service.run(service.place({ missingVariables: 'ignore' }, { testCall }), [{ to: NOBODY }], { n8n });
	for (let minute = 0; minute < hours * 60; minute++) {
		await service.advance(60);
		await sleep(5);
		await inFastTime(async () => await n8n.settled());
		harness.skipTime(60_000);
	}
	return await Promise.all(n8n.executions.map(async ({ run }) => await run));
}

const place = (options: object = {}, more: object = {}) =>
	service.place({ missingVariables: 'ignore', ...options }, { phoneNumber: '={{ $json.to }}', ...more });

describe('A workflow that the event of a call starts, and that calls the phone again,', () => {
	test.each<[string, () => object, string]>([
		['places three more calls', place, 'never'],
		['places three more test calls', place, 'always'],
		[
			'also if it polls for their ends, so that their events start it',
			() => place({ pollInterval: 5 }, { operation: 'placeAndWait', waitBy: 'polling' }),
			'never',
		],
	])('%s', async (_what, again, testCall) => {
		const runs = await callsAgain(again(), { hours: 1, testCall });
		expect(await service.dialed()).toEqual([NOBODY, NOBODY, NOBODY, NOBODY]);
		const [last] = runs.slice(-1);
		const [[item]] = last!.nodes.Again![0]!.outputs.map((output) => output.map(({ json }) => json));
		expect(item).toMatchObject({
			result: 'tooOften',
			message: 'Not sent: events of calls to this phone have led to 3 more calls to it within 24 hours.',
			advice: "To allow more, set the option 'Frequency Cap', which then counts.",
		});
		expect(hintsIn(last!, 'Again', 0).join()).toMatch(/called too often/);
	});

	test('calls as often as its Frequency Cap allows', async () => {
		await callsAgain(place({ frequencyCap: { values: { atMost: 6, days: 1 } } }), { hours: 1 });
		expect((await service.dialed()).length).toBe(6);
	});
});

import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { byId, type Service, startService } from '../../service.mts';
import { publishTrigger } from '../../triggers.mts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const ENDS = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];

let service: Service;

/** Of executions that are stored and that n8n has let go: how many are still in memory. */
const kept = { first: NaN, placed: NaN, waitingForCall: NaN, waitingForCampaign: NaN };

beforeAll(async () => {
	service = await startService();
	const { agents, campaigns } = service.seed;
	const agent = byId(agents.published);
	const call = { resource: 'call', agent, phoneNumber: '+12025550111', waitBy: 'event' };
	const place = { ...call, operation: 'place' };
	kept.first = await inMemory([await run(place, 'success')]);
	service.n8nUrl = (await publishTrigger(service, { source: 'agent', agent, events: ENDS })).instance.url;
	const campaign = { resource: 'campaign', campaign: byId(campaigns.active), waitBy: 'event' };
	kept.placed = await countKept(place, 'success');
	kept.waitingForCall = await countKept({ ...call, operation: 'placeAndWait' }, 'waiting');
	kept.waitingForCampaign = await countKept({ ...campaign, operation: 'waitUntilCompleted' }, 'waiting');
});

/** What an execution has in memory, without keeping it there: its data, and an input item. */
type Parts = Array<WeakRef<object>>;

async function run(parameters: object, status: string): Promise<Parts> {
	const { run } = await service.run(parameters as never);
	expect(run.status).toBe(status);
	const { stored, nodes } = run as unknown as {
		stored: { data: object };
		nodes: { Source: Array<{ outputs: object[][] }> };
	};
	return [stored.data, nodes.Source[0].outputs[0][0]].map((part) => new WeakRef(part));
}

/** Collects garbage. @returns how many of the executions are still in memory */
async function inMemory(executions: Parts[]): Promise<number> {
	for (let turn = 0; turn < 5; turn++) {
		// What a reference is asked for stays until the end of a turn of the event loop.
		await sleep(20);
		collectGarbage();
	}
	return executions.filter((parts) => parts.some((part) => part.deref() !== undefined)).length;
}

/** Runs an operation twice. @returns how many of the executions are in memory afterwards */
async function countKept(parameters: object, status: string): Promise<number> {
	// The first one may stay, because of what is loaded with it.
	await run(parameters, status);
	return await inMemory([await run(parameters, status), await run(parameters, status)]);
}

test.each([
	['the first execution after a start of n8n', () => kept.first],
	['an execution that has placed a call', () => kept.placed],
	['an execution that waits for a call', () => kept.waitingForCall],
	['an execution that waits for a campaign', () => kept.waitingForCampaign],
])('the node keeps nothing in memory of %s', (_what, executions) => {
	expect(executions()).toBe(0);
});

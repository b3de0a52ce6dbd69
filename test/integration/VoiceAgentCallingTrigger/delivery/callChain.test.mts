import { setTimeout as sleep } from 'node:timers/promises';

import { harness, type Instance } from '../../harness.mts';
import { actionNode, byId, hintsIn, to, until, useService } from '../../service.mts';
import { onAgent, triggerNode } from '../../triggers.mts';

const service = useService();

afterEach(() => harness.restoreTime());

/** Phones that nobody answers, and then one whose voicemail answers, with other digits for each test. */
let tests = 0;
const phones = (count: number) => Array.from({ length: count }, (_, index) => `+1202${tests + index}0003`);
const voicemail = () => `+1202${tests}0005`;
beforeEach(() => {
	tests = tests === 0 ? 234 : tests + 10;
});

const NOT_REACHED = ['event_phone_call_did_not_connect'];

interface Circle {
	/** The phone that is called first. */
	first: string;
	events?: string[];
	/** The nodes that call when the event of a call arrives. */
	nodes: object[];
	testCall?: string;
}

/** Lets time pass, on the clock of the nodes, until all executions have ended. */
async function settle(n8n: Instance): Promise<void> {
	let isSettled = false;
	void n8n.settled().then(() => (isSettled = true));
	do {
		await sleep(20);
		harness.skipTime(1000);
	} while (!isSettled);
}

/** Publishes a workflow that calls when a call has ended, calls the first phone, and lets three hours pass. */
async function afterThreeHours({ first, events = NOT_REACHED, nodes, testCall = 'never' }: Circle) {
	const n8n = await harness.startInstance({ credentials: service.credentials() });
	const again = nodes.map((parameters, index) => ({
		name: `Again ${index}`,
		type: actionNode,
		parameters: parameters as never,
	}));
	const deployment = n8n.deploy({
		nodes: [triggerNode(service, onAgent(service, events)), ...again],
		connections: { Trigger: [again.map(({ name }) => name)] },
	});
	expect((await deployment.publish()).error).toBeUndefined();
	await service.run(service.place({ missingVariables: 'ignore' }, { testCall }), [{ to: first }], { n8n });
	for (let minute = 0; minute < 180; minute += 5) {
		await service.advance(300);
		await settle(n8n);
		harness.skipTime(300_000);
	}
	return await Promise.all(n8n.executions.map(async ({ run }) => await run));
}

const place = (phoneNumber = '={{ $json.to }}', options: object = {}, more: object = {}) =>
	service.place({ missingVariables: 'ignore', ...options }, { phoneNumber, ...more });

/** How often each phone was called. */
async function dialed(): Promise<Record<string, number>> {
	const counts: Record<string, number> = {};
	for (const phone of await service.dialed()) {
		counts[phone] = (counts[phone] ?? 0) + 1;
	}
	return counts;
}

describe('A workflow that the event of a call starts, and that calls the phone again,', () => {
	test.each(['never', 'always'])('calls three more times (Test Call: %s)', async (testCall) => {
		const [first] = phones(1) as [string];
		const runs = await afterThreeHours({ first, nodes: [place()], testCall });
		expect(await dialed()).toEqual({ [first]: 4 });
		const [last] = runs.slice(-1);
		const [item] = last!.nodes['Again 0']![0]!.outputs.flat().map(({ json }) => json);
		expect(item).toMatchObject({
			result: 'tooOften',
			message: 'Not sent: events of calls have led to several calls to this phone.',
			advice: "To allow more, set the option 'Frequency Cap', which then counts.",
		});
		expect(hintsIn(last!, 'Again 0', 0).join()).toMatch(/called too often/);
	});

	test('also if it polls for their ends, so that their events start it', async () => {
		const [first] = phones(1) as [string];
		const parameters = place(undefined, { pollInterval: 5 }, { operation: 'placeAndWait', waitBy: 'polling' });
		await afterThreeHours({ first, nodes: [parameters] });
		expect(await dialed()).toEqual({ [first]: 4 });
	});

	test('five times at most if each call has two events', async () => {
		const events = ['event_phone_call_ended', 'event_voicemail_detected'];
		await afterThreeHours({ first: voicemail(), events, nodes: [place()] });
		expect(await dialed()).toEqual({ [voicemail()]: 1 + 5 });
	});

	test('also if it calls three phones for each event', async () => {
		const [first, ...others] = phones(3);
		await afterThreeHours({ first: first!, nodes: [first!, ...others].map((phone) => place(phone)) });
		const counts = Object.values(await dialed());
		expect([counts.length, counts.filter((count) => count > 1 + 5)]).toEqual([3, []]);
	});

	test('also if it calls five phones in turn', async () => {
		const all = phones(5);
		const next = Object.fromEntries(all.map((phone, index) => [phone, all[(index + 1) % 5]]));
		await afterThreeHours({ first: all[0]!, nodes: [place(`={{ (${JSON.stringify(next)})[$json.to] }}`)] });
		expect(Object.values(await dialed()).filter((count) => count > 4)).toEqual([]);
	});

	test('also if it calls six phones in turn, for two events of each call', async () => {
		const events = ['event_phone_call_ended', 'event_voicemail_detected'];
		const all = Array.from({ length: 6 }, (_, index) => `+1202${tests + index}0005`);
		const next = Object.fromEntries(all.map((phone, index) => [phone, all[(index + 1) % 6]]));
		const nodes = [place(`={{ (${JSON.stringify(next)})[$json.to] }}`)];
		await afterThreeHours({ first: all[0]!, events, nodes });
		expect(Object.values(await dialed()).filter((count) => count > 1 + 5)).toEqual([]);
	});

	test('calls as often as its Frequency Cap allows', async () => {
		const [first] = phones(1) as [string];
		await afterThreeHours({ first, nodes: [place(undefined, { frequencyCap: { values: { atMost: 6, days: 1 } } })] });
		expect(await dialed()).toEqual({ [first]: 6 });
	});
});

test('A phone that is called for the event of each other call is called each time', async () => {
	const [colleague, ...people] = phones(7) as [string, ...string[]];
	const { body } = await service.api('GET', 'agents?status=published&direction=outbound');
	const { id } = (body.data as Array<{ id: string }>).find((agent) => agent.id !== service.seed.agents.published)!;
	const n8n = await harness.startInstance({ credentials: service.credentials() });
	const deployment = n8n.deploy({
		nodes: [
			triggerNode(service, onAgent(service, NOT_REACHED)),
			{ name: 'Tell', type: actionNode, parameters: place(colleague, {}, { agent: byId(id) }) as never },
		],
		connections: { Trigger: [['Tell']] },
	});
	expect((await deployment.publish()).error).toBeUndefined();
	await service.run(service.place({ missingVariables: 'ignore' }, { testCall: 'never' }), to(...people), { n8n });
	await service.advance(60);
	await until(async () => n8n.executions.length === people.length);
	await n8n.settled();
	expect((await dialed())[colleague]).toBe(people.length);
});

import { loadKeys } from '../../../../nodes/shared/keys.ts';
import { CONTEXT_FIELD, seal } from '../../../../nodes/shared/triggerSecrets/resumeToken.ts';
import { CAMPAIGN_EVENTS } from '../../../../sandbox/engine/deliveries/eventTypes.mts';
import { variants } from '../../../../sandbox/variants/index.mts';
import type { Instance } from '../../harness.mts';
import { inFastTime, until, useService } from '../../service.mts';
import { hmac, onAgent, publishTrigger, send } from '../../triggers.mts';

const service = useService({ rateLimit: 1_000_000 });

afterEach(async () => await service.control('variants', { names: [] }));

/** A published trigger, and what its n8n has started. */
async function published(parameters = {}) {
	const { instance, url, secret, webhookId } = await publishTrigger(service, parameters);
	const signed = (body: object, headers = {}) => {
		const text = JSON.stringify(body);
		return [text, { 'x-signature': hmac(secret, text), ...headers }] as const;
	};
	return {
		instance,
		webhookId,
		deliver: async (body: object, headers = {}) => (await send(url, ...signed(body, headers))).status,
		/** Sends an event, and hangs up before there is a response. */
		async hangUp(body: object) {
			const [text, headers] = signed(body);
			const controller = new AbortController();
			const arrived = instance.arrivals;
			const sent = fetch(url, {
				method: 'POST',
				body: text,
				headers: { 'content-type': 'application/json', ...headers },
				signal: controller.signal,
			});
			await until(async () => instance.arrivals > arrived);
			controller.abort();
			await sent.catch(() => undefined);
		},
		started: () => instance.executions.map(({ items }) => items),
	};
}

const timestamp = '2030-01-01T10:00:00Z';
/** The one form of a body that the service documents. */
const documented = (event: string) => ({
	event,
	campaign_id: service.seed.campaigns.active,
	webhook_id: 'w',
	timestamp,
});

test.each(['campaign.completed', 'campaign.paused', 'campaign.updated'])(
	'%s in the form that the service documents starts one execution, however often it comes',
	async (event) => {
		const { deliver, started } = await published();
		for (let time = 0; time < 3; time += 1) {
			expect(await deliver(documented(event))).toBe(200);
		}
		expect(started()).toHaveLength(1);
	},
);

test.each(['agent', 'webhook', 'environment', 'contact', 'campaign', 'call'])(
	'Two events of a call in the same second start two executions also if both have the ID of the %s as their own',
	async (whose) => {
		const { deliver, started } = await published(whose === 'campaign' ? {} : onAgent(service));
		const owners: Record<string, string> = {
			agent: service.seed.agents.published,
			campaign: service.seed.campaigns.active,
			call: 'call-1',
		};
		const said = { event: 'event_action', id: owners[whose] ?? `${whose}-1`, call_id: 'call-1', timestamp };
		const events = ['look_up', 'book'].map((action) => ({ ...said, action_name: action }));
		for (const event of [...events, ...events]) {
			expect(await deliver(event)).toBe(200);
		}
		expect(started()).toMatchObject(events.map((event) => [event]));
	},
);

const ofEvents = variants.filter(({ section }) => section === 'events').map(({ name }) => name);

test.each(['as documented', ...ofEvents])(
	'Each event of a campaign starts one execution of its three attempts, with the variant: %s',
	async (name) => {
		const { webhookId, started } = await published();
		await service.control('variants', { names: ofEvents.includes(name) ? [name] : [] });
		const events = CAMPAIGN_EVENTS.filter((event) => event !== 'campaign.created');
		for (const event of events) {
			const { attempts } = await service.deliver({ webhookId, event, times: 3 });
			expect(attempts.map(({ status }) => status)).toEqual([200, 200, 200]);
		}
		// With an ID of its own, each attempt says that it is another event.
		const each = name === 'event-id-per-attempt' ? 3 : 1;
		expect(started().flat()).toHaveLength(each * events.length);
	},
);

const call = { event: 'campaign_call.completed', call_id: 'call-1', timestamp };

/** Lets n8n take until the test says so to store an execution. */
function holdStoring(instance: Instance) {
	const held: Array<{ store: () => void; fail: () => void }> = [];
	instance.beforeStoring = async () =>
		await new Promise<void>((store, reject) => {
			held.push({ store, fail: () => reject(new Error('The database is locked')) });
		});
	return {
		begun: async () => await until(async () => held.length > 0),
		store: () => held.shift()?.store(),
		/** Fails, and stores what comes later at once. */
		fail() {
			instance.beforeStoring = async () => undefined;
			held.shift()?.fail();
		},
	};
}

test('An event starts one execution, whether or not its sender waits until n8n has stored it', async () => {
	const { instance, deliver, hangUp, started } = await published();
	const { begun, store } = holdStoring(instance);
	await hangUp(call);
	await begun();
	await hangUp(call);
	const last = deliver(call);
	await until(async () => instance.arrivals === 3);
	expect(started()).toEqual([]);
	store();
	expect(await last).toBe(200);
	expect(await deliver(call)).toBe(200);
	expect(started()).toHaveLength(1);
});

test('An event that n8n could not store starts an execution when it comes again, also if it waits for the first one', async () => {
	const { instance, deliver, hangUp, started } = await published();
	const { begun, fail } = holdStoring(instance);
	await hangUp(call);
	await begun();
	const again = deliver(call);
	await until(async () => instance.arrivals === 2);
	fail();
	expect(await again).toBe(200);
	expect(await deliver(call)).toBe(200);
	expect(started()).toHaveLength(1);
});

test('While n8n takes longer than 25 seconds, an event that comes again gets 503 each time, and starts nothing', async () => {
	const { instance, deliver, hangUp, started } = await published();
	const { begun, store } = holdStoring(instance);
	await hangUp(call);
	await begun();
	await inFastTime(async () => {
		const began = Date.now();
		expect(await Promise.all([deliver(call), deliver(call)])).toEqual([503, 503]);
		// The service waits thirty seconds for a response.
		expect(Date.now() - began).toBeLessThan(30_000);
	});
	store();
	await until(async () => started().length > 0);
	expect(await deliver(call)).toBe(200);
	expect(started()).toHaveLength(1);
});

/** What a call carries whose end an execution awaits, so that the events of the call find it. */
async function contextOf(instance: Instance, execution: number) {
	const { resumeTokens } = await loadKeys({
		getCredentials: async () => ({ environmentToken: service.token }) as never,
	});
	const url = `${instance.url}/webhook-waiting/${execution}/${execution}`;
	const resumeToken = { url, execution: `${execution}`, node: 'n', run: 0, item: 0, eventTypes: [call.event] };
	return { [CONTEXT_FIELD]: seal(resumeTokens, resumeToken) };
}

test("A delivery of twenty-five awaited events is answered within the service's shortest time-out", async () => {
	const { instance, deliver, started } = await published();
	const events = await Promise.all(
		Array.from({ length: 25 }, async (_, at) => ({
			...call,
			call_id: `call-${at}`,
			context: await contextOf(instance, at + 1),
		})),
	);
	// Their executions are still running, so each event is sent to its execution again for almost four seconds.
	const begun = Date.now();
	expect(await deliver(events)).toBe(503);
	// One after the other would take a minute and a half.
	expect(Date.now() - begun).toBeLessThan(10_000);
	expect(started()).toEqual([]);
	// When nobody waits any more, they start the workflow, each once.
	instance.keepsExecutions = false;
	await until(async () => (await deliver(events)) === 200);
	expect(started().flat()).toHaveLength(events.length);
});

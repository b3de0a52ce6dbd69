import { DateTime } from 'luxon';

import { harness, type Instance, type WorkflowRun } from './harness.mts';
import { startReceiver } from './receiver.mts';
import { byId, jsonOf, resultsOf, to, until } from './service.mts';
import { onAgent, publishTrigger } from './triggers.mts';
import { BERLIN, goTo, LONDON, MADRID, ROME, useServiceAt } from './VoiceAgentCalling/callRules/ruledCalls.mts';
import { kinds, Webhooks } from './VoiceAgentCalling/resources/webhookKinds.mts';

const NOON = DateTime.fromISO('2031-01-15T12:00:00Z', { zone: 'UTC' });

const service = useServiceAt(NOON, { variants: ['answer-time-without-zone'] });
const [campaigns, agents] = kinds.map((kind) => new Webhooks(service, kind)) as [Webhooks, Webhooks];
let receiver: string;
beforeAll(async () => void (receiver = await startReceiver()));

/** Lets an agent call a number some hours before noon, without the nodes. */
async function called(number: string, hours: number): Promise<void> {
	goTo(NOON.minus({ hours }));
	const path = `agents/${service.seed.agents.published}/call`;
	expect((await service.api('POST', path, { to: number })).status).toBe(200);
	goTo(NOON);
}

/** Starts n8n again: the node remembers nothing then. */
async function restart(n8n: Instance): Promise<void> {
	jest.resetModules();
	harness.forgetPackage();
	harness.runSources((file) => jest.requireActual(file));
	n8n.restart(await harness.loadPackage());
}

/** The service writes 12:00 as this time, if n8n takes it for one in its own time zone. */
const misread: Array<[zone: string, noon: string]> = [
	['UTC', '2031-01-15T12:00:00.000Z'],
	['Asia/Tokyo', '2031-01-15T03:00:00.000Z'],
	['America/Los_Angeles', '2031-01-15T20:00:00.000Z'],
];

describe.each(misread)(
	'In an n8n in the time zone %s, at a service that writes times without a zone,',
	(zone, noon) => {
		beforeAll(() => {
			harness.setEnvironment({ TZ: zone });
			expect(new Date('2031-01-15 12:00:00').toISOString()).toBe(noon);
		});
		afterAll(() => harness.restoreEnvironment());

		test('Catch Up finds what failed since then, and says when', async () => {
			const id = await campaigns.make(`${receiver}/500`);
			for (const hours of [3, 0, 0]) {
				goTo(NOON.minus({ hours }));
				await service.deliver({ webhookId: id });
			}
			const more = { filters: { since: '2031-01-15T11:00:00Z' }, options: { dryRun: true } };
			const found = { failedAt: expect.stringContaining('2031-01-15T12:00:0') };
			expect(jsonOf(await service.run(campaigns.parameters('catchUp', more), [{ id }]))).toMatchObject([
				{ checked: 2, failed: 2, deliveries: [found, found] },
			]);
		});

		test('Check Registration says when deliveries failed', async () => {
			const url = `${receiver}/500`;
			await service.deliver({ webhookId: await campaigns.make(url) });
			const { source, campaign } = campaigns.parameters('') as Record<string, unknown>;
			const check = {
				resource: 'webhook',
				operation: 'checkRegistration',
				source,
				campaign,
				options: { webhookUrl: url },
			};
			const lastFailureAt = expect.stringContaining('2031-01-15T12:00:0');
			expect(jsonOf(await service.run(check as never))).toMatchObject([{ lastDeliveries: { lastFailureAt } }]);
		});

		test('Check Slot books no slot twice, and the slots around it', async () => {
			const create = {
				resource: 'calendarEvent',
				operation: 'create',
				calendar: byId(service.seed.calendar),
				title: 'Visit',
				start: '={{ $json.start }}',
				end: '={{ $json.end }}',
				options: { checkSlot: true },
			};
			const at = (start: string, end: string) => ({ start: `2031-01-16T${start}:00Z`, end: `2031-01-16T${end}:00Z` });
			const book = async (slot: object) =>
				(await service.run(create, [slot as never], { node: { onError: 'continueRegularOutput' } })).outputs[0]?.[0]
					?.json;
			expect(await book(at('10:00', '10:30'))).toMatchObject({ status: 'confirmed' });
			expect(await book(at('10:00', '10:30'))).toMatchObject({ code: 'SLOT_TAKEN' });
			expect(await book(at('09:30', '10:00'))).toMatchObject({ status: 'confirmed' });
			expect(await book(at('10:30', '11:00'))).toMatchObject({ status: 'confirmed' });
		});

		test('Get Slots adds the times in the chosen time zone', async () => {
			const getSlots = {
				resource: 'availability',
				operation: 'getSlots',
				calendar: byId(service.seed.calendar),
				from: '2031-01-16T10:00:00Z',
				to: '2031-01-16T10:30:00Z',
				options: { localTimezone: 'Europe/Berlin' },
			};
			const local = { start_local: '2031-01-16T11:00:00+01:00', end_local: '2031-01-16T11:30:00+01:00' };
			expect(jsonOf(await service.run(getSlots))).toMatchObject([local]);
		});

		test('Frequency Cap counts the calls of its days, and says when the next one is allowed', async () => {
			await called(BERLIN, 21);
			await called(LONDON, 27);
			const options = { missingVariables: 'ignore', frequencyCap: { values: { atMost: 1, days: 1 } } };
			expect(jsonOf(await service.run(service.place(options), to(BERLIN, LONDON)))).toMatchObject([
				// Up to an hour later: the list does not say when a delayed call began.
				{ result: 'tooOften', nextAllowedAt: expect.stringMatching(/^2031-01-15T1[56]:00:0/) },
				{ result: 'placed' },
			]);
		});

		test('Calls per Day counts the calls of the day in UTC', async () => {
			await called(BERLIN, 15);
			await called(LONDON, 11);
			const options = { credentials: service.credentials({ callsPerDay: 2 }) };
			const place = service.place({ missingVariables: 'ignore' }, { testCall: 'never' });
			expect(resultsOf(await service.run(place, to(MADRID, ROME), options))).toEqual(['placed', 'limitReached']);
		});

		test('a wait finds in the log of the webhook what n8n has not received, also behind a hundred later events', async () => {
			const events = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
			const { instance: n8n, webhookId } = await publishTrigger(
				service,
				onAgent(service, [...events, 'event_recording']),
			);
			service.n8nUrl = n8n.url;
			const wait = service.place(
				{ missingVariables: 'ignore', waitFor: ['recording'], timeLimit: { values: { amount: 1, unit: 'hours' } } },
				{ operation: 'placeAndWait', waitBy: 'event' },
			);
			const { run } = await service.run(wait, to('+12025550001', '+12025550011'), { n8n });
			expect([run.status, run.error?.message]).toEqual(['waiting', undefined]);
			await restart(n8n);
			await agents.update(webhookId, { webhook_url: `${receiver}/200` });
			await service.advance(60);
			await service.deliver({ webhookId, event: 'event_phone_call_ended', times: 100 });
			harness.passTime(3_600_000);
			const { id } = run as unknown as WorkflowRun;
			await until(async () => n8n.waiting.rest(id) !== undefined);
			const completed = { outcome: 'completed', recording: expect.any(String) };
			expect((await n8n.waiting.rest(id))?.nodes.Node?.map(jsonOf)).toMatchObject([[completed, completed]]);
		});
	},
);

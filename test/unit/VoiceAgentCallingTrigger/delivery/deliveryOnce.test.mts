import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { deliveryOnce, identityOf } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/deliveryOnce.ts';

/** Tells two events of a process apart that no other test has sent. */
let workflows = 0;

/** One delivery in n8n, and how its response ends. */
function delivery(workflow: string, mode = 'webhook') {
	const response = Object.assign(new EventEmitter(), { statusCode: 200, writableFinished: false });
	const caller = {
		getWorkflow: () => ({ id: workflow }),
		getNode: () => ({ id: 'node' }),
		getMode: () => mode,
		getResponseObject: () => response,
	} as unknown as IWebhookFunctions;
	const answered = (statusCode: number) => {
		Object.assign(response, { statusCode, writableFinished: true });
		response.emit('finish');
		response.emit('close');
	};
	return { caller, answered, cut: () => response.emit('close') };
}

const bytes = (event: object) => Buffer.from(JSON.stringify(event));
const once = (caller: IWebhookFunctions, event: IDataObject, body = bytes(event)) => deliveryOnce(caller, event, body);

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const named = fc.record({ event: word, id: word.map((id) => `id-${id}`), timestamp: word });
const anyEvent = fc.oneof(
	named,
	fc.record(
		{ event: fc.jsonValue(), id: fc.jsonValue(), timestamp: fc.jsonValue(), call_id: fc.jsonValue() },
		{ requiredKeys: [] },
	),
) as fc.Arbitrary<IDataObject>;

test('an event that comes again after it was acknowledged is known, however often, and any other is new', () => {
	fc.assert(
		fc.property(
			fc.uniqueArray(anyEvent, { minLength: 1, maxLength: 6, selector: (event) => JSON.stringify(event) }),
			(events) => {
				const workflow = `workflow-${(workflows += 1)}`;
				for (const event of events) {
					const { caller, answered } = delivery(workflow);
					expect(once(caller, event)).toBe('new');
					answered(200);
					for (const again of events.slice(0, events.indexOf(event) + 1)) {
						expect(once(delivery(workflow).caller, again)).toBe('seen');
					}
				}
			},
		),
	);
});

test('an event with an ID of its own is the same in other bytes; one without is another', () => {
	fc.assert(
		fc.property(named, word, (event, attempt) => {
			const again = { ...event, attempt: `no-${attempt}` };
			expect(identityOf(again, bytes(again))).toEqual(identityOf(event, bytes(event)));
			for (const lacking of ['event', 'id', 'timestamp']) {
				const [one, other] = [event, again].map((whole) => ({ ...whole, [lacking]: undefined }));
				expect(identityOf(one ?? {}, bytes(one ?? {}))).not.toEqual(identityOf(other ?? {}, bytes(other ?? {})));
			}
		}),
	);
});

test('kind, ID and moment each tell events apart, and none runs into the next', () => {
	fc.assert(
		fc.property(named, named, (one, other) => {
			fc.pre(JSON.stringify(one) !== JSON.stringify(other));
			expect(identityOf(one, bytes(one))).not.toEqual(identityOf(other, bytes(other)));
		}),
	);
});

test('where the ID is the call’s, two events of one kind and moment are two events', () => {
	const [one, other] = ['book', 'cancel'].map((action) => ({
		event: 'event_action',
		id: 'call-1',
		call_id: 'call-1',
		timestamp: '2030-01-01T10:00:00Z',
		action,
	}));
	const workflow = `workflow-${(workflows += 1)}`;
	for (const event of [one, other]) {
		const { caller, answered } = delivery(workflow);
		expect(once(caller, event as IDataObject)).toBe('new');
		answered(200);
	}
});

test.each([
	['n8n could not store', (one: ReturnType<typeof delivery>) => one.answered(500)],
	['was cut off', (one: ReturnType<typeof delivery>) => one.cut()],
])('an event that %s is new when it comes again, and its twin has to wait meanwhile', (_what, end) => {
	const workflow = `workflow-${(workflows += 1)}`;
	const event = { event: 'a', id: '1', timestamp: 'now' };
	const first = delivery(workflow);
	expect(once(first.caller, event)).toBe('new');
	expect(once(delivery(workflow).caller, event)).toBe('in flight');
	end(first);
	expect(once(delivery(workflow).caller, event)).toBe('new');
});

test('each workflow, and a test run beside the published one, gets its own', () => {
	const event = { event: 'a', id: '1', timestamp: 'now' };
	const workflow = `workflow-${(workflows += 1)}`;
	for (const { caller, answered } of [delivery(workflow), delivery(workflow, 'manual'), delivery(`${workflow}b`)]) {
		expect(once(caller, event)).toBe('new');
		answered(200);
	}
});

test('no more than 10,000 are kept in mind, the newest', () => {
	const workflow = `workflow-${(workflows += 1)}`;
	const event = (id: number) => ({ event: 'a', id: `${id}`, timestamp: 'now' });
	for (let id = 0; id < 10_001; id += 1) {
		const { caller, answered } = delivery(workflow);
		once(caller, event(id));
		answered(200);
	}
	expect(once(delivery(workflow).caller, event(1))).toBe('seen');
	expect(once(delivery(workflow).caller, event(10_000))).toBe('seen');
	expect(once(delivery(workflow).caller, event(0))).toBe('new');
});

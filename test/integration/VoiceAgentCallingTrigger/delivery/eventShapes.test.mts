import { useService } from '../../service.mts';
import { hmac, publishTrigger, send } from '../../triggers.mts';

const header = 'x-signature';
const kind = 'campaign_call.completed';

const service = useService();

let count = 0;
/** What an event says that no other test has. */
const said = () => {
	count += 1;
	return { id: `event-${count}`, timestamp: '2030-01-01T10:00:00Z', call_id: `call-${count}` };
};

async function published() {
	const { instance, url, secret } = await publishTrigger(service);
	const deliver = async (body: unknown, headers = {}) => {
		const text = JSON.stringify(body);
		return (await send(url, text, { [header]: hmac(secret, text), ...headers })).status;
	};
	const items = () => instance.executions.map((execution) => execution.items);
	return { instance, deliver, items };
}

/** Ways in which the service may write an event, with the attempt if that changes its bytes. */
const shapes: Record<string, (event: ReturnType<typeof said>, attempt: number) => object> = {
	'the same bytes': (event) => ({ event: kind, ...event }),
	'the attempt in the body': (event, attempt) => ({ event: kind, ...event, attempt }),
	'all below data': (event, attempt) => ({ event: kind, data: { ...event, attempt } }),
	'the call as an object': ({ call_id: id, ...event }, attempt) => ({ event: kind, ...event, call: { id }, attempt }),
	'an unknown kind': (event, attempt) => ({ event: 'call.transferred', ...event, attempt }),
};

test.each(Object.keys(shapes))(
	'An event starts one execution with all that was sent, however often it comes: %s',
	async (shape) => {
		const { deliver, items } = await published();
		const event = said();
		const bodies = [1, 2, 3].map((attempt) => shapes[shape]?.(event, attempt));
		for (const body of bodies) {
			// The bytes can differ, because a header has the ID that is in the body.
			expect(await deliver(body, { 'x-webhook-event': kind, 'x-webhook-delivery': event.id })).toBe(200);
		}
		const webhookOwner = { source: 'campaign', id: service.seed.campaigns.active };
		expect(items()).toEqual([[{ ...bodies[0], isTest: false, webhookOwner }]]);
	},
);

test.each([
	['a list', (events: object[]) => events],
	['a list in an object', (events: object[]) => ({ webhook_id: 'w', events })],
])(
	'Several events in one delivery start one execution with an item for each, and each once: %s',
	async (_what, made) => {
		const { deliver, items } = await published();
		const events = [1, 2, 3].map(() => ({ event: kind, ...said() }));
		expect(await deliver(made(events.slice(0, 2)))).toBe(200);
		expect(await deliver(made(events))).toBe(200);
		expect(await deliver(made(events))).toBe(200);
		const ids = events.map(({ id }) => ({ id }));
		expect(items()).toMatchObject([ids.slice(0, 2), ids.slice(2)]);
	},
);

test('An event from which nothing can be read starts the workflow as it is', async () => {
	const { deliver, items } = await published();
	expect(await deliver({})).toBe(200);
	expect(await deliver({ '': [null, { deep: [1] }] })).toBe(200);
	expect(items()).toMatchObject([[{}], [{ '': [null, { deep: [1] }] }]]);
});

test('A signed event starts the workflow also with a byte order mark before it', async () => {
	const { instance, url, secret } = await publishTrigger(service);
	const event = said();
	const text = `\uFEFF${JSON.stringify(event)}`;
	expect((await send(url, text, { [header]: hmac(secret, text) })).status).toBe(200);
	expect(instance.executions).toMatchObject([{ items: [event] }]);
});

test('A form with files, whose bytes nobody can verify, is refused like everything that is not signed', async () => {
	const { instance, url } = await publishTrigger(service);
	const form = new FormData();
	form.set('event', kind);
	expect((await fetch(url, { method: 'POST', body: form })).status).toBe(401);
	expect(instance.executions).toEqual([]);
});

import { type Service, startService } from '../../service.mts';
import { publishTrigger } from '../../triggers.mts';

interface Verdict {
	accepted: boolean;
	failed: string | null;
}

let service: Service;
beforeAll(async () => {
	service = await startService();
});

async function control(path: string, body?: object): Promise<unknown> {
	const response = await fetch(`${service.url}/_sandbox/${path}`, {
		method: body ? 'POST' : 'GET',
		...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
	});
	return await response.json();
}

/** The verdicts of the sandbox about all attempts so far, oldest first. */
async function verdicts(): Promise<Verdict[]> {
	const { items } = (await control('deliveries?limit=50')) as { items: Array<{ id: string }> };
	return await Promise.all(
		items.reverse().map(async ({ id }) => (await control(`deliveries/${id}/verify`)) as Verdict),
	);
}

test('the sandbox says yes for each delivery that starts an execution, and no for each that starts none', async () => {
	const { instance, webhookId } = await publishTrigger(service);
	const started: boolean[] = [];
	const note = async (work: () => Promise<unknown>) => {
		const before = instance.executions.length;
		await work();
		started.push(instance.executions.length > before);
	};
	const newest = async () => {
		const { items } = (await control('deliveries?limit=1')) as { items: Array<{ id: string }> };
		return items[0]!.id;
	};
	await note(() => service.deliver({ webhookId }));
	const genuine = await newest();
	for (const tamper of ['body', 'signature', 'secret'] as const) {
		await note(() => service.deliver({ webhookId, tamper }));
	}
	await note(() => control(`deliveries/${genuine}/resend`, {}));
	await note(() => control(`deliveries/${genuine}/resend`, { tamper: 'body' }));
	// Without a time, the ID tells; without both, each is a new event.
	for (const data of [{ timestamp: null }, { timestamp: null, id: null }]) {
		await note(() => service.deliver({ webhookId, data }));
		const timeless = await newest();
		await note(() => control(`deliveries/${timeless}/resend`, {}));
	}

	expect(started).toEqual([true, false, false, false, false, false, true, false, true, true]);
	const said = await verdicts();
	expect(said.map(({ accepted }) => accepted)).toEqual(started);
	expect(said.map(({ failed }) => failed)).toEqual([
		...[null, 'signature', 'signature', 'signature'],
		...['duplicate', 'signature', null, 'duplicate', null, null],
	]);
});

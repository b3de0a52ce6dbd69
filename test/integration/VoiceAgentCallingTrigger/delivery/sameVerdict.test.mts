import { useService } from '../../service.mts';
import { publishTrigger } from '../../triggers.mts';

interface Verdict {
	accepted: boolean;
	failed: string | null;
}

const service = useService();

/** The IDs of all attempts so far, newest first. */
const attempts = async () =>
	((await service.control('deliveries?limit=50')) as { items: Array<{ id: string }> }).items.map(({ id }) => id);

test('the sandbox says yes for each delivery that starts an execution, and no for each that starts none', async () => {
	const { instance, webhookId } = await publishTrigger(service);
	const started: boolean[] = [];
	const note = async (work: () => Promise<unknown>) => {
		const before = instance.executions.length;
		await work();
		started.push(instance.executions.length > before);
	};
	const newest = async () => (await attempts())[0];
	await note(() => service.deliver({ webhookId }));
	const genuine = await newest();
	for (const tamper of ['body', 'signature', 'secret'] as const) {
		await note(() => service.deliver({ webhookId, tamper }));
	}
	await note(() => service.control(`deliveries/${genuine}/resend`, {}));
	await note(() => service.control(`deliveries/${genuine}/resend`, { tamper: 'body' }));
	// Without a time, the ID tells that it is the same event.
	await note(() => service.deliver({ webhookId, data: { timestamp: null } }));
	const timeless = await newest();
	await note(() => service.control(`deliveries/${timeless}/resend`, {}));

	expect(started).toEqual([true, false, false, false, false, false, true, false]);
	const verdictOn = async (id: string) => (await service.control(`deliveries/${id}/verify`)) as Verdict;
	const said = await Promise.all((await attempts()).toReversed().map(verdictOn));
	expect(said.map(({ accepted }) => accepted)).toEqual(started);
	expect(said.map(({ failed }) => failed)).toEqual([
		null,
		'signature',
		'signature',
		'signature',
		'duplicate',
		'signature',
		null,
		'duplicate',
	]);
});

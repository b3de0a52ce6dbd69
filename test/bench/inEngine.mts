import type { Measured, Sender, Target } from './job.mts';
import { Service, Worker } from './lab.mts';
import { inTurns } from './rounds.mts';

/**
 * Measures senders in turns in n8n's engine, all in one process, after a tenth of the calls to warm up.
 *
 * @param sendersOf returns the senders by their names
 * @param calls how many calls each queues
 * @param latency of each response, in milliseconds
 * @param seenBy what the service saw of a run
 */
export async function inEngine<Seen extends object>(
	sendersOf: (target: Target) => Record<string, Sender>,
	{ calls, latency, seenBy }: { calls: number; latency: number; seenBy: (service: Service) => Promise<Seen> },
): Promise<Record<string, Array<Measured & Seen>>> {
	const service = await Service.start();
	const worker = await Worker.start();
	const { target } = service;
	const senders = Object.entries(sendersOf(target));
	const send = async (sender: Sender, items: number): Promise<Measured & Seen> => {
		await service.reset(latency);
		const measured = await worker.run({ sender, target, items });
		if (measured.output !== items) {
			throw new Error(`${measured.output} of ${items} calls were queued`);
		}
		return { ...measured, ...(await seenBy(service)) };
	};
	try {
		for (const [, sender] of senders) {
			await send(sender, calls / 10);
		}
		return await inTurns(Object.fromEntries(senders.map(([name, sender]) => [name, () => send(sender, calls)])));
	} finally {
		await worker.stop();
		await service.stop();
	}
}

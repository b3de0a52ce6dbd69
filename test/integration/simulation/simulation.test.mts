import fc from '../../fastCheck.mts';
import { harness } from '../harness.mts';
import { type Service, startService } from '../service.mts';
import { auditCalls, auditEvents, type ServiceCall } from './auditor.mts';
import { histories } from './steps.mts';
import { type Processes, World } from './world.mts';

let service: Service;
let processes: Processes;
beforeAll(async () => {
	service = await startService({ speed: 0, minimumStatusMs: 0, rateLimit: 1_000_000 });
	const start = async () =>
		await harness.startInstance({ credentials: service.credentials(), package: await harness.loadAgain() });
	processes = { own: await start(), other: await start(), worker: await harness.loadAgain() };
});
afterAll(() => harness.restoreTime());

/** How long histories are played; otherwise 30. */
const minutes = Number(process.env.SIMULATION_MINUTES ?? 0);
const seed = Number(process.env.SIMULATION_SEED ?? 1);
const options =
	minutes === 0 ? { seed, numRuns: 30 } : { seed, numRuns: 1_000_000, interruptAfterTimeLimit: minutes * 60_000 };
/** To find the shortest history takes time, too. */
const TIME_LIMIT_MS = (minutes + 5) * 60_000;

/** Plays histories. @returns what happened in any of them @throws the shortest history after which something is wrong */
async function play(): Promise<Set<string>> {
	const seen = new Set<string>();
	await fc.assert(
		fc.asyncProperty(histories, async (steps) => {
			const world = await World.make(service, processes);
			for (const step of steps) {
				await world.do(step);
			}
			await world.settle();
			const events = await auditEvents(world);
			const calls = auditCalls(world.runs, await callsOf(world));
			for (const trigger of [world.own, world.other]) {
				await trigger.unpublish();
			}
			for (const what of world.seen) {
				seen.add(what);
			}
			expect([...world.problems, ...events, ...calls]).toEqual([]);
		}),
		options,
	);
	return seen;
}

test(
	'nobody is called twice or forgotten, and no event is lost, doubled or forged, whatever happens in whatever order',
	async () => {
		const seen = await play();
		const wanted = [
			'place: placed',
			'place: unknown',
			'placeAndWait: placed',
			'queueCall: queued',
			'queueCall: failed',
			'delivered: 200',
			'delivered: 500',
			'forged: 401',
			'catch up: redelivered',
			'rotate: true',
			'rotate: failed',
		];
		// Otherwise the test would prove little.
		expect(wanted.filter((what) => !seen.has(what))).toEqual([]);
	},
	TIME_LIMIT_MS,
);

/** The calls of the runs: those that were placed, and those in the campaign's queue, of which each may have several. */
async function callsOf(world: World): Promise<ServiceCall[]> {
	const { items: queued } = (await service.control(`campaigns/${world.campaign}/calls?limit=500`)) as {
		items: ServiceCall[];
	};
	const placing = new Set(world.runs.filter(({ step }) => step.operation !== 'queueCall').map(({ id }) => id));
	const placed = (await service.calls()) as unknown as ServiceCall[];
	return [...placed.filter(({ context }) => placing.has(String(context?.run))), ...queued];
}

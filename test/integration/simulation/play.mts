import fc from '../../fastCheck.mts';
import { harness } from '../harness.mts';
import { type Service, startService } from '../service.mts';
import { auditEvents } from './auditEvents.mts';
import { auditExecutions, awaitedOf, type ServiceCall } from './auditExecutions.mts';
import { restoreClock } from './clock.mts';
import type { Step } from './steps.mts';
import { storyOf } from './story.mts';
import { type Processes, World } from './world.mts';

/** How long histories are played; otherwise a number of them. */
const minutes = Number(process.env.SIMULATION_MINUTES ?? 0);
const seed = Number(process.env.SIMULATION_SEED ?? 1);
/** To find the shortest history takes time, too. */
export const TIME_LIMIT_MS = (minutes + 5) * 60_000;

let service: Service;
let processes: Processes;

/** After so many histories, of about 160 days each, all processes start again in the present: a time has 13 digits. */
const HISTORIES_OF_A_PROCESS = 300;
let played = 0;

/** Starts the service and the processes of a test file, each with a memory of its own. */
export function useProcesses(): void {
	beforeAll(async () => {
		service = await startService({ speed: 0, minimumStatusMs: 0, rateLimit: 1_000_000 });
		await startProcesses();
	});
	afterAll(restoreClock);
}

async function startProcesses(): Promise<void> {
	const start = async () =>
		await harness.startInstance({ credentials: service.credentials(), package: await harness.loadAgain() });
	processes = { own: await start(), other: await start(), worker: await harness.loadAgain() };
}

/**
 * Plays histories.
 *
 * @param wanted what has to happen in any of them, unless they are played for minutes: otherwise they would prove little
 * @throws the shortest history after which something is wrong
 */
export async function play(histories: fc.Arbitrary<Step[]>, numRuns: number, wanted: string[]): Promise<void> {
	const seen = new Set<string>();
	let last: ReturnType<typeof playOne> | undefined;
	const property = fc.asyncProperty(histories, async (steps) => {
		last = playOne(steps, seen);
		const { problems, story } = await last;
		if (problems.length > 0) {
			throw new Error([...problems, '', ...story].join('\n'));
		}
	});
	const limits = minutes === 0 ? { numRuns } : { numRuns: 1_000_000, interruptAfterTimeLimit: minutes * 60_000 };
	await fc.assert(property, { seed, ...limits });
	// When the time is up, nobody waits for it.
	await last;
	if (minutes === 0) {
		expect(wanted.filter((what) => !seen.has(what))).toEqual([]);
	}
}

/** Plays one history. @param seen gets what happens in it @returns what is wrong, and what happened */
async function playOne(steps: readonly Step[], seen: Set<string>): Promise<{ problems: string[]; story: string[] }> {
	if (++played % HISTORIES_OF_A_PROCESS === 0) {
		await Promise.all([processes.own.close(), processes.other.close()]);
		harness.logLines.length = 0;
		restoreClock();
		await startProcesses();
	}
	const { length } = harness.logLines;
	const world = await World.make(service, processes, seen);
	try {
		for (const step of steps) {
			await world.do(step);
		}
		await world.settle();
		const { all } = world.executions;
		const events = await auditEvents(world, awaitedOf(all, await callsOf()));
		await world.settleCalls();
		const requests = await world.executions.callRequests();
		const problems = [...world.problems, ...events, ...auditExecutions(all, requests, await callsOf())];
		const log = harness.logLines.slice(length).filter(({ level }) => level === 'warn' || level === 'error');
		const told = () => [...storyOf(world.steps, requests), '', ...new Set(log.map(({ message }) => message))];
		return { problems, story: problems.length > 0 ? told() : [] };
	} finally {
		await world.end();
	}
}

/** The phones that rang: once for each call of an agent, and for each call of a campaign, which may ring several times. */
async function callsOf(): Promise<ServiceCall[]> {
	type Call = ServiceCall & { campaign_call_id: string | null };
	const rings = (await service.calls()) as unknown as Call[];
	const calls = rings.map((call) => ({
		...call,
		id: call.campaign_call_id ?? call.id,
		isQueued: call.campaign_call_id !== null,
	}));
	return [...new Map(calls.map((call) => [call.id, call])).values()];
}

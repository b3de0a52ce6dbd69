import { AsyncLocalStorage } from 'node:async_hooks';

import type { AttemptRecord } from '../../sandbox/control/deliveryRecord.mts';
import type { SandboxOptions } from '../../sandbox/options.mts';
import type { RunningSandbox } from '../../sandbox/server.mts';
import type { Fault as SandboxFault } from '../../sandbox/world/fault.mts';
import type { RequestRecord } from '../../sandbox/world/requestRecord.mts';
import { harness, type NodeRun, type NodeSpec, type RunOptions } from './harness.mts';
import { assertKnown } from './knownParameters.mts';

/** Body of `POST /_sandbox/faults`. */
export type Fault = Pick<SandboxFault, 'kind'> & Partial<Omit<SandboxFault, 'id'>>;
export const actionNode = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';

/** Each item fails for itself. */
export const goesOn = { onError: 'continueRegularOutput' } as const;

/** n8n tries again if the node fails. */
export const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

type Outputs = NodeRun['outputs'];
export const jsonOf = ({ outputs }: { outputs: Outputs }) => outputs.flat().map(({ json }) => json);
export const resultsOf = (ran: { outputs: Outputs }) => jsonOf(ran).map(({ result }) => result);

/** What a user reads of the error that ended a run: its message and its description. */
export const saidBy = ({ run }: { run: { error?: Error & { description?: unknown } } }) =>
	`${run.error?.message} ${String(run.error?.description)}`;

type Hints = Array<{ hints?: Array<{ message: string }> }>;
type StoredHints = { data: { resultData: { runData: Record<string, Hints> } } };

export function hintsOf({ run }: { run: { stored: unknown } }): string[] {
	const { runData } = (run.stored as StoredHints).data.resultData;
	return Object.keys(runData).flatMap((node) => runData[node]!.flatMap((_run, round) => hintsIn(run, node, round)));
}

/** The hints of one run of a node. */
export function hintsIn({ stored }: { stored: unknown }, node: string, round: number): string[] {
	const { runData } = (stored as StoredHints).data.resultData;
	return (runData[node]?.[round]?.hints ?? []).map(({ message }) => message);
}

/** Options of a wait that soon ends. */
export const shortWait = { pollInterval: 1, timeLimit: { values: { amount: 6, unit: 'seconds' } } };
export const to = (...numbers: string[]) => numbers.map((number) => ({ to: number }));

/** A loop around a node named Call. */
export const loopAround = (rounds: number, node: Partial<NodeSpec>, items: Array<Record<string, unknown>>) => ({
	nodes: [
		harness.sourceOf(items as never),
		{ name: 'Loop', type: 'harness.loop', parameters: { rounds } },
		{ name: 'Call', type: actionNode, ...node },
		{ name: 'End', type: 'harness.noOp' },
	],
	connections: { Source: [['Loop']], Loop: [['End'], ['Call']], Call: [['Loop']] },
});

/** What differs in a credential from one that works. */
export interface CredentialChanges {
	baseUrl?: string;
	environmentToken?: string;
	testCallsOnly?: boolean;
	callsPerRun?: number;
	callsPerDay?: number;
}

/** A running sandbox, and the requests that tests send to it. */
export class Service {
	readonly url: string;
	readonly token: string;
	readonly seed: RunningSandbox['seed'];
	/** Publishes a trigger, if the operations run in a real n8n and not only in its engine. */
	publishTrigger?: (source: 'agent' | 'campaign', options?: object) => Promise<void>;
	/** The address of the n8n in which operations run, for operations that need it. */
	n8nUrl?: string;

	constructor({ url, token, seed }: RunningSandbox) {
		this.url = url;
		this.token = token;
		this.seed = seed;
	}

	/** A valid credential. @param changes another token or Base URL */
	credentials(changes: CredentialChanges = {}) {
		return { voiceAgentCallingApi: { baseUrl: this.url, environmentToken: this.token, ...changes } };
	}

	async run(
		parameters: NodeSpec['parameters'],
		items: Array<Record<string, unknown>> = [{}],
		{
			node,
			...options
		}: RunOptions & {
			node?: Partial<NodeSpec>;
			credentials?: ReturnType<Service['credentials']>;
			timezone?: string;
			workflowId?: string;
		} = {},
	): Promise<NodeRun & { run: { status: string; error?: Error; stored: unknown } }> {
		assertKnown(parameters);
		const spec = { type: actionNode, ...node, parameters };
		return await harness.runNode(spec, items as never, {
			credentials: this.credentials(),
			webhookOrigin: this.n8nUrl,
			...options,
		});
	}

	/** Parameters of Call → Place for the number of each item. */
	place(options: object = {}, more: object = {}): NonNullable<NodeSpec['parameters']> {
		const agent = byId(this.seed.agents.published);
		const phoneNumber = '={{ $json.to }}';
		return { resource: 'call', operation: 'place', agent, phoneNumber, options: options as never, ...more };
	}

	/** Parameters of Campaign → Queue Call for the number of each item. */
	queue(options: object = {}, more: object = {}): NonNullable<NodeSpec['parameters']> {
		const campaign = byId(this.seed.campaigns.active);
		return { ...this.place(options), resource: 'campaign', operation: 'queueCall', campaign, ...more };
	}

	/** The numbers that the service was asked to call, in order. @param isAccepted only those that it took */
	async dialed(isAccepted = false): Promise<string[]> {
		const requests = await this.requests('POST', '/call');
		const asked = isAccepted ? requests.filter(({ status }) => status !== null && status < 300) : requests;
		return asked.map(({ body }) => (body as { to: string }).to);
	}

	/** The requests that the sandbox received, filtered by the start of the method and a part of the path. */
	async requests(method = '', path = ''): Promise<RequestRecord[]> {
		const all = (await this.control('requests')) as RequestRecord[];
		return all.filter((request) => request.method.startsWith(method) && request.path.includes(path));
	}

	async calls(): Promise<Array<{ id: string; to: string; status: string }>> {
		return (await this.control('calls')) as never;
	}

	async deliveries(): Promise<AttemptRecord[]> {
		return (await this.control('deliveries')) as AttemptRecord[];
	}

	/** All webhooks with all settings, also those that the API does not show. */
	async storedWebhooks(): Promise<Array<{ id: string } & Record<string, unknown>>> {
		return (await this.control('webhooks')) as never;
	}

	async fault(fault: Fault): Promise<void> {
		await this.control('faults', fault);
	}

	/** Answers the next requests with a method and a path below `/api/v1/`, such as `GET agents`, in this way. */
	async answer(request: string, status: number, body?: unknown, times = 1): Promise<void> {
		const [method, path] = request.split(' ');
		const match = { method, ...(path !== undefined && { path: `/api/v1/${path}` }) };
		await this.fault({ match, kind: 'status', status, body, times });
	}

	/** Advances the sandbox's clock; resolves when everything that became due is done. */
	async advance(seconds: number): Promise<void> {
		await this.control('advance', { seconds });
	}

	async deliver(request: {
		webhookId: string;
		event?: string;
		data?: Record<string, unknown>;
		times?: number;
		tamper?: 'body' | 'signature' | 'secret';
	}): Promise<{ id: string; attempts: Array<{ status: number | null }> }> {
		return (await this.control('deliver', { event: 'campaign_call.completed', ...request })) as never;
	}

	async reset(): Promise<void> {
		await this.control('reset', {});
	}

	/** How many requests the service has in flight, and the most since the last reset. */
	async load(): Promise<{ inFlight: number; highest: number }> {
		return (await this.control('load')) as never;
	}

	/** Waits until no request is in flight: what arrived before has been answered, or its connection was cut. */
	async settled(): Promise<void> {
		await until(async () => (await this.load()).inFlight === 0);
	}

	/** Sends a request directly, not through n8n. */
	async api(method: string, path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
		if (checking.getStore()) {
			throw new Error(`until() asks hundreds of times, and ${path} counts against the rate limit: use /_sandbox`);
		}
		const response = await fetch(`${this.url}/api/v1/${path}`, {
			method,
			headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		return { status: response.status, body: (await response.json()) as Record<string, unknown> };
	}

	async webhooks(
		ownerId: string,
		collection: 'agents' | 'campaigns' = 'campaigns',
	): Promise<Array<{ id: string; webhook_url: string; events: string[]; enabled: boolean; name: string }>> {
		const { body } = await this.api('GET', `${collection}/${ownerId}/webhooks`);
		return (body.data as { webhooks: [] }).webhooks;
	}

	async control(path: string, body?: unknown): Promise<unknown> {
		const response = await fetch(`${this.url}/_sandbox/${path}`, {
			method: body === undefined ? 'GET' : 'POST',
			headers: { 'content-type': 'application/json' },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const answer: unknown = await response.json();
		if (!response.ok) {
			throw new Error(`/_sandbox/${path}: ${JSON.stringify(answer)}`);
		}
		return answer;
	}
}

/** Starts a sandbox on a free port, which stops after the test file. */
export async function startService(options: Partial<SandboxOptions> = {}): Promise<Service> {
	return new Service(await harness.startSandbox(options));
}

/** A sandbox for a test file, which each test finds as it is in its seed. */
export function useService(options: Partial<SandboxOptions> = {}): Service {
	const service = Object.create(Service.prototype) as Service;
	beforeAll(async () => Object.assign(service, await startService(options)));
	beforeEach(async () => {
		service.n8nUrl = undefined;
		await service.reset();
	});
	return service;
}

const checking = new AsyncLocalStorage<boolean>();

/** How often {@link until} asks, every 5 ms at most: about 4 seconds, and longer on a busy machine. */
const MOST_CHECKS = 800;

/** Waits until a condition is met; fails if it never is. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
	for (let checks = 0; !(await checking.run(true, condition)); checks++) {
		if (checks === MOST_CHECKS) {
			throw new Error(`This condition was never met: ${condition.toString()}`);
		}
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}

let inFast = 0;
let faster: NodeJS.Timeout | undefined;

/**
 * Runs `work` while time passes about twenty times as fast: for pauses of the nodes, which go by `Date.now`. The clock is
 * set right when the last of such work ends: set back earlier, nothing would be due for what still runs.
 */
export async function inFastTime<Result>(work: () => Promise<Result>): Promise<Result> {
	faster ??= setInterval(() => harness.skipTime(1000), 50);
	inFast += 1;
	try {
		return await work();
	} finally {
		inFast -= 1;
		if (inFast === 0) {
			clearInterval(faster);
			faster = undefined;
			harness.restoreTime();
		}
	}
}

/**
 * Measures how long something takes in ticks of a timer in this process. Where the machine is busy the timer is late
 * as well, so that the result depends less on other processes than elapsed time does.
 */
export async function ticksOf(intervalMs: number, work: () => Promise<unknown>): Promise<number> {
	let ticks = 0;
	const timer = setInterval(() => void ticks++, intervalMs);
	try {
		await work();
	} finally {
		clearInterval(timer);
	}
	return ticks;
}

export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { loadKeys } from '../../../../nodes/shared/nodeLink/keys.ts';
import { MESSAGE_HEADER } from '../../../../nodes/shared/nodeLink/messages.ts';
import type { AwaitedCall, CallWaitState } from '../../../../nodes/VoiceAgentCalling/waiting/state.ts';
import { type Answer, type Answers, cut, doubleOfN8n, type Requested } from '../../n8n.mts';

type Resume = typeof import('../../../../nodes/VoiceAgentCalling/waiting/resume.ts');
type Memory = typeof import('../../../../nodes/VoiceAgentCalling/waiting/memory.ts');

/** A process of n8n, which has a memory of its own. */
async function startProcess(): Promise<Resume & Memory> {
	let modules: [Resume, Memory] | undefined;
	await jest.isolateModulesAsync(async () => {
		modules = [
			await import('../../../../nodes/VoiceAgentCalling/waiting/resume.ts'),
			await import('../../../../nodes/VoiceAgentCalling/waiting/memory.ts'),
		];
	});
	const [resume, memory] = modules as [Resume, Memory];
	return { ...resume, ...memory };
}

/** Processes that were not killed, for any number of waits: each takes a while to start. */
const running: Array<Resume & Memory> = [];

let waits = 0;

interface Given {
	callerIdField?: CallWaitState['callerIdField'];
	calls?: Array<Partial<AwaitedCall>>;
	/** What the service answers. */
	service?: Answers;
	/** How many processes take the messages in turn. */
	processes?: number;
	/** Whether the wait began in the first process, so that it knows that it receives every event. */
	complete?: boolean;
	/** Answers to downloads. */
	files?: Answers;
}

/** An n8n with several webhook processes, where an execution waits for calls. */
export async function startN8n({
	callerIdField = 'campaignId',
	calls = [{}],
	service = [],
	processes = 2,
	complete = false,
	files = [],
}: Given = {}) {
	const since = Date.now();
	const state: CallWaitState = {
		...{ run: 0, since, until: since + 3_600_000, callerIdField },
		calls: calls.map((call, item) => ({ item, id: `call-${item}`, owner: 'owner-1', webhook: 'w-1', ...call })),
	};
	const nodeId = `process-${(waits += 1)}`;
	while (running.length < processes) {
		running.push(await startProcess());
	}
	const own = running.slice(0, processes);
	const stored = state.calls.map(({ id }) => ({ json: { id, status: 'queued', outcome: 'timedOut' } }));
	const requests: Requested[] = [];
	const outputs: IDataObject[][] = [];
	const binaries: unknown[] = [];
	const isDown = new Set<number>();
	let turn = 0;

	/** Hands a request to the next process, as a load balancer does. */
	const receive = async (
		rawBody: Buffer,
		headers: Record<string, unknown>,
		number = turn++ % processes,
	): Promise<{ status: number; headers: Record<string, unknown>; body: unknown }> => {
		if (isDown.has(number)) {
			return { status: 502, headers: {}, body: 'Bad gateway' };
		}
		const n8n = doubleOfN8n({
			service: async (request) => {
				requests.push(request);
				return typeof service === 'function' ? await service(request) : (service[0] ?? { body: { data: [] } });
			},
			others: async (request) => {
				const { url, body, headers: sent = {} } = request;
				if (!url.startsWith('https://n8n.example/')) {
					const [file = cut] = typeof files === 'function' ? [await files(request)] : files;
					return file;
				}
				return (await receive(Buffer.from(String(body)), sent)) as Exclude<Answer, Error>;
			},
			nodeId,
			incoming: { rawBody, headers },
			expressions: { '{{ $input.all() }}': stored },
		});
		n8n.context.waiting = state as unknown as IDataObject;
		const { resumeWaiting, memoryOf } = own[number];
		if (complete) {
			memoryOf({ execution: '77', node: nodeId, run: 0 }).receivesAll = true;
		}
		const { workflowData } = await resumeWaiting(n8n.caller);
		if (workflowData) {
			outputs.push((workflowData[0] ?? []).map(({ json }) => json));
			binaries.push((workflowData[0] ?? []).map(({ binary }) => binary));
			n8n.response.end(200);
		}
		const { body } = n8n.response;
		return { status: n8n.response.statusCode, headers: n8n.response.headers, body };
	};

	// The time limit comes as a message, too.
	jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'));

	const send = async (message: IDataObject, to: number) => {
		const keys = await loadKeys(doubleOfN8n().caller);
		const rawBody = Buffer.from(JSON.stringify({ execution: '77', node: nodeId, run: 0, ...message, at: Date.now() }));
		const signature = createHmac('sha256', keys.messages).update(rawBody).digest('hex');
		return (await receive(rawBody, { [MESSAGE_HEADER]: signature }, to)).status;
	};
	return {
		...{ outputs, binaries, requests, isDown },
		/** Delivers an event of a call to one of the processes, as a trigger hands it over. @returns the HTTP status */
		async deliver(event: IDataObject, { to = 0, item = 0 } = {}) {
			return await send({ item, event }, to);
		},
		/** Ends the wait. */
		async timeUp(to = 0) {
			return await send({ timeUp: true }, to);
		},
		/** Ends a process: it forgets everything. */
		async restart(number: number) {
			own[number] = await startProcess();
		},
	};
}

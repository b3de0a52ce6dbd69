import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { loadKeys } from '../../../../nodes/shared/keys.ts';
import { MESSAGE_HEADER, proofFor } from '../../../../nodes/shared/triggerClient/messages.ts';
import type { AwaitedCall, CallWaitState } from '../../../../nodes/VoiceAgentCalling/waiting/wait.ts';
import { type Answer, type Answers, doubleOfN8n, type Requested } from '../../n8n.mts';
import { inFakeTime } from '../../shared/client/modelService.mts';

type Resume = typeof import('../../../../nodes/VoiceAgentCalling/waiting/resume.ts');
type Memory = typeof import('../../../../nodes/VoiceAgentCalling/waiting/memory.ts');

/** A process of n8n, which has a memory of its own. */
async function startProcess(): Promise<Resume & Memory> {
	let started = {} as Resume & Memory;
	await jest.isolateModulesAsync(async () => {
		const resume = await import('../../../../nodes/VoiceAgentCalling/waiting/resume.ts');
		started = { ...resume, ...(await import('../../../../nodes/VoiceAgentCalling/waiting/memory.ts')) };
	});
	return started;
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
	/** The items as they were stored; one for each call by default. */
	stored?: IDataObject[];
}

/** How a message is sent, and the token of its sender. */
interface Sending {
	to?: number;
	token?: string;
	at?: number;
}

/** The response of the service with calls of an agent, and with an empty log. */
export const listed = (...calls: IDataObject[]): Answer => ({ body: { data: calls } });

/** An n8n with several webhook processes, where an execution waits for calls. */
export async function startN8n(given: Given = {}) {
	const { callerIdField = 'campaignId', calls = [{}], service = [listed()], processes = 2, complete = false } = given;
	const since = Date.now();
	const state: CallWaitState = {
		run: 0,
		since,
		until: since + 3_600_000,
		hints: [],
		hintsAtEnd: [],
		callerIdField,
		calls: calls.map((call, item) => ({ item, id: `call-${item}`, owner: 'owner-1', webhook: 'w-1', ...call })),
	};
	const nodeId = `process-${(waits += 1)}`;
	while (running.length < processes) {
		running.push(await startProcess());
	}
	const own = running.slice(0, processes);
	const byDefault = state.calls.map(({ id }) => ({ id, status: 'queued', outcome: 'timedOut' }));
	const stored = (given.stored ?? byDefault).map((json) => ({ json, pairedItem: 0 }));
	const requests: Requested[] = [];
	const outputs: IDataObject[][] = [];
	const isDown = new Set<number>();
	const memory = (number = 0) => own[number].memoryOf({ execution: '77', node: nodeId, run: 0 });
	let turn = 0;

	/** Hands a request to a process. @param ends whether n8n continues the execution at once, if it is over */
	const receive = async (rawBody: Buffer, headers: Record<string, unknown>, number: number, ends = true) => {
		const n8n = doubleOfN8n({
			service: async (request) => {
				requests.push(request);
				return typeof service === 'function'
					? await service(request)
					: service[Math.min(requests.length, service.length) - 1];
			},
			others: async ({ body, headers: sent = {} }): Promise<Answer> => {
				// As a load balancer does.
				const next = turn++ % processes;
				return isDown.has(next)
					? { status: 502, body: 'Bad gateway' }
					: ((await receive(Buffer.from(String(body)), sent, next)) as Exclude<Answer, Error>);
			},
			nodeId,
			incoming: { rawBody, headers },
			expressions: { '{{ $input.all() }}': stored },
		});
		n8n.context.waiting = state as unknown as IDataObject;
		memory(number).receivesAll ||= complete;
		const { workflowData } = await own[number].resumeWaiting(n8n.caller);
		const items = workflowData?.[0] ?? undefined;
		if (items) {
			outputs.push(items.map(({ json }) => json));
		}
		if (items && ends) {
			n8n.response.end(200);
		}
		const { statusCode: status, headers: sent, body } = n8n.response;
		return {
			status,
			headers: sent,
			body,
			response: n8n.response,
			items,
			output: items && outputs.at(-1),
			logs: n8n.logs,
		};
	};

	// The time limit comes as a message, too.
	jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'));

	const send = async (message: IDataObject, { to = 0, token, at = Date.now() }: Sending = {}, ends = false) => {
		const { messages } = await loadKeys(doubleOfN8n({ token }).caller);
		const rawBody = Buffer.from(JSON.stringify({ execution: '77', node: nodeId, run: 0, ...message, at }));
		const signature = createHmac('sha256', messages).update(rawBody).digest('hex');
		const received = await receive(rawBody, { [MESSAGE_HEADER]: signature }, to, ends);
		return { ...received, isProven: received.headers[MESSAGE_HEADER] === proofFor(messages, signature) };
	};
	const deliverMeanwhile = async (event: IDataObject, { to = 0, item = 0 } = {}) =>
		(await send({ item, event }, { to }, true)).status;
	return {
		outputs,
		requests,
		isDown,
		memory,
		state,
		/** Delivers an event of a call to one of the processes, as a trigger hands it over. @returns the HTTP status */
		deliver: async (event: IDataObject, to?: { to?: number; item?: number }) =>
			await inFakeTime(deliverMeanwhile(event, to)),
		/** The same while something else advances the clock. */
		deliverMeanwhile,
		/** Ends the wait, while something else advances the clock. */
		timeUp: async (to = 0) => (await send({ timeUp: true }, { to }, true)).status,
		/** Sends a message. n8n has not continued the execution then. */
		send: async (message: IDataObject, sending?: Sending) => await inFakeTime(send(message, sending)),
		/** Ends a process: it forgets everything. */
		async restart(number: number) {
			own[number] = await startProcess();
		},
	};
}

import type { LoadedPackage, NodeSpec } from '../harness.mts';
import { harness } from '../harness.mts';
import type { Fault, Service } from '../service.mts';
import { byId } from '../service.mts';
import type { Row } from './table.mts';

const nodeType = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';

type Parameters = NodeSpec['parameters'];

/** One failure: a description, the parameters of the node, and the circumstances. */
export type Case = [what: string, parameters: Parameters | (() => Promise<Parameters>), given?: Circumstances];

/** The circumstances of a failure. */
export interface Circumstances {
	/** The fault of the sandbox. */
	fault?: Omit<Fault, 'times'>;
	credentials?: ReturnType<Service['credentials']>;
	items?: Array<Record<string, unknown>>;
	/** The settings of the node in n8n. */
	node?: Partial<NodeSpec>;
	package?: LoadedPackage;
	/** See {@link Row}. */
	anchor?: string;
}

/** Makes the service respond to every request with this. */
export const answer = (status: number, body?: unknown, headers?: Record<string, string>): Circumstances => ({
	fault: { kind: 'status', status, body, headers },
});

/** Creates rows of the table by provoking errors. */
export class Provoker {
	readonly service: Service;

	constructor(service: Service) {
		this.service = service;
	}

	/** A row for each case. */
	async rows(cases: Case[]): Promise<Row[]> {
		const made: Row[] = [];
		for (const one of cases) {
			made.push(await this.node(...one));
		}
		return made;
	}

	/**
	 * Runs the node twice, with On Error set to stop and to continue: n8n shows the texts of the first run and stores the
	 * code of the second one. Both must be the same error.
	 *
	 * @param parameters a function first prepares a new sandbox for the failure
	 */
	async node(...[what, parameters, given = {}]: Case): Promise<Row> {
		const stopped = await this.run(parameters, given);
		const { message = '', description = '' } = (stopped.run.error ?? {}) as Error & { description?: string };
		const says = withoutAdvice(message.replace(/ \[item \d+\]/, ''), description);
		const goneOn = await this.run(parameters, { ...given, node: { ...given.node, onError: 'continueRegularOutput' } });
		const {
			code,
			httpStatus,
			message: both,
		} = goneOn.outputs[0]?.find(({ json }) => json.status === 'failed')?.json ?? {};
		expect({ what, run: stopped.run.status, says }).toEqual({ what, run: 'error', says: expect.stringMatching(/\S/) });
		// With On Error set to continue, n8n does not retry.
		if (both !== undefined && !given.node?.retryOnFail) {
			expect(both).toContain(says);
		}
		this.assertNoSecret([stopped.run.stored, goneOn.run.stored]);
		return {
			what,
			says,
			advice: description,
			code: code as string,
			status: httpStatus ? String(httpStatus) : undefined,
			anchor: given.anchor,
		};
	}

	/** The error of n8n for a node that it does not start. */
	async unready(what: string, parameters: Parameters, advice: string, given: Circumstances = {}): Promise<Row> {
		const error = await this.run(parameters, given).then(
			({ run }) => run.error,
			(reason: Error) => reason,
		);
		expect({ what, error: error?.message }).toEqual({ what, error: expect.any(String) });
		return { what, says: error?.message ?? '', advice };
	}

	/** The message of a credential test. @param advice for messages of n8n itself */
	async credential(
		what: string,
		changes: { baseUrl?: string; environmentToken?: string },
		fault?: Circumstances['fault'],
		advice = '',
	): Promise<Row> {
		await this.service.reset();
		// n8n's credential test repeats the request after a 401.
		if (fault) {
			await this.service.fault({ ...fault, times: 5 });
		}
		const { voiceAgentCallingApi } = this.service.credentials(changes);
		const { status, message } = await harness.testCredential('voiceAgentCallingApi', voiceAgentCallingApi);
		expect({ what, status }).toEqual({ what, status: 'Error' });
		this.assertNoSecret(message);
		return { what, says: message, advice, status: fault?.status === undefined ? undefined : String(fault.status) };
	}

	/** An n8n error that a lifecycle method of the trigger throws. */
	trigger(what: string, error: Error | undefined, more: Partial<Row> = {}): Row {
		const { message, description = '' } = (error ?? {}) as Error & { description?: string };
		expect({ what, message }).toEqual({ what, message: expect.any(String) });
		this.assertNoSecret([message, description]);
		const { httpCode } = (error ?? {}) as { httpCode?: string | null };
		return { what, says: message ?? '', advice: description, status: httpCode ?? undefined, ...more };
	}

	/** Checks that the token is in no text on the page and in nothing that n8n stores. */
	assertNoSecret(stored: unknown): void {
		expect(JSON.stringify(stored)).not.toContain(this.service.token);
	}

	private async run(parameters: Case[1], { fault, items, anchor, ...options }: Circumstances) {
		await this.service.reset();
		const ready = typeof parameters === 'function' ? await parameters() : parameters;
		// Some operations send another request after a refusal.
		if (fault) {
			await this.service.fault({ ...fault, times: 5 });
		}
		return await this.service.run(ready, items, options);
	}
}

/** The message of a tool contains the advice. */
function withoutAdvice(message: string, advice: string): string {
	const own = advice.replace(/ ?Items: .*/, '');
	return own !== '' && message.endsWith(own) ? message.slice(0, -own.length).replace(/\. $/, '') : message;
}

/** Parameters of operations, with the objects of the sandbox's seed. */
export function operations({ seed: { agents, campaigns } }: Service) {
	const campaign = byId(campaigns.active);
	const agent = byId(agents.published);
	const phoneNumber = '+12025550111';
	const to = (more: NodeSpec['parameters'] = {}) => ({ agent, campaign, phoneNumber, ...more });
	type More = Parameters;
	return {
		place: (more?: More): More => ({ resource: 'call', operation: 'place', ...to(more) }),
		queue: (more?: More): More => ({ resource: 'campaign', operation: 'queueCall', ...to(more) }),
		setStatus: (more?: More): More => ({ resource: 'campaign', operation: 'setStatus', status: 'paused', ...to(more) }),
		getCampaign: (more?: More): More => ({ resource: 'campaign', operation: 'get', ...to(more) }),
		getAgents: (more?: More): More => ({ resource: 'agent', operation: 'getAll', ...more }),
		validate: (more?: More): More => ({ resource: 'agentFlow', operation: 'validate', flow: '{}', ...to(more) }),
		createHook: (more?: More): More => ({
			resource: 'campaignWebhook',
			operation: 'create',
			name: 'Hook',
			webhookUrl: 'https://example.com/hook',
			...to(more),
		}),
		deleteHook: (more?: More): More => ({
			resource: 'campaignWebhook',
			operation: 'delete',
			campaignWebhook: byId('00000000-0000-4000-8000-000000000000'),
			...to(more),
		}),
	};
}

export type Operations = ReturnType<typeof operations>;

/** The package with the tool variant of the node, which n8n creates for every node that is usable as a tool. */
export async function packageWithTool(): Promise<LoadedPackage> {
	const loaded = await harness.loadPackage();
	const { voiceAgentCalling } = loaded.nodeTypes;
	const description = { ...voiceAgentCalling.description, name: 'voiceAgentCallingTool' };
	const voiceAgentCallingTool = Object.create(voiceAgentCalling, {
		description: { value: description },
	}) as typeof voiceAgentCalling;
	return { ...loaded, nodeTypes: { ...loaded.nodeTypes, voiceAgentCallingTool } };
}

/** The node as a tool of an AI agent. */
export const asTool = { type: `${nodeType}Tool` };

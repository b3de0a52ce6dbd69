import { randomUUID } from 'node:crypto';

import type { SandboxOptions } from '../../../sandbox/options.mts';
import type { LoadedPackage, NodeSpec } from '../harness.mts';
import { byId, type CredentialChanges, type Fault, type Service } from '../service.mts';
import { ServicePool } from '../servicePool.mts';
import type { Row } from './table.mts';

const nodeType = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';

type Parameters = NodeSpec['parameters'];

/** One failure: what happened, the node's parameters, and the circumstances. */
export type Case = [
	what: string,
	parameters: Parameters | ((service: Service) => Promise<Parameters>),
	given?: Circumstances,
];

export interface Circumstances {
	fault?: Omit<Fault, 'times'>;
	credential?: CredentialChanges;
	/** False: no credential is chosen. */
	hasCredential?: boolean;
	sendsNothing?: boolean;
	items?: Array<Record<string, unknown>>;
	node?: Partial<NodeSpec>;
	package?: LoadedPackage;
	/** See {@link Row}. */
	explains?: boolean;
}

export const answer = (status: number, body?: unknown, headers?: Record<string, string>): Circumstances => ({
	fault: { kind: 'status', status, body, headers },
});

/** How many runs there are at a time: most of them wait before another try. */
const SANDBOXES = 12;

/** Makes rows of the table by provoking failures. The runs are concurrent, each with a sandbox of its own. */
export class Provoker {
	readonly token: string;
	readonly seed: Service['seed'];
	private readonly pool: ServicePool;

	private constructor(pool: ServicePool, { token, seed }: Service) {
		this.pool = pool;
		this.token = token;
		this.seed = seed;
	}

	static async start(options: Partial<SandboxOptions>): Promise<Provoker> {
		const pool = new ServicePool(SANDBOXES, options);
		// All sandboxes have the same objects.
		return await pool.use(async (service) => new Provoker(pool, service));
	}

	async use<Result>(work: (service: Service) => Promise<Result>): Promise<Result> {
		return await this.pool.use(work);
	}

	async rows(cases: Case[]): Promise<Row[]> {
		return await Promise.all(cases.map(async (one) => await this.node(...one)));
	}

	/**
	 * Runs the node twice: one run stops at the error, the other one continues. n8n shows the texts of the first and
	 * stores the code of the second. Both have to report the same.
	 *
	 * @param parameters a function first prepares a new sandbox for the failure
	 */
	async node(...[what, parameters, given = {}]: Case): Promise<Row> {
		const [stopped, continued] = await Promise.all([
			this.run(parameters, given),
			this.run(parameters, { ...given, node: { ...given.node, onError: 'continueRegularOutput' } }),
		]);
		const { message = '', description } = (stopped.run.error ?? {}) as Error & { description?: string };
		// A model is told one text: the first sentence is the message, the others are the advice.
		const [sentence = '', advice = ''] =
			description == null ? message.split(/\. (.*)/s) : [message.replace(/ \[item \d+\]/, ''), description];
		const says = withoutAdvice(sentence, advice);
		const {
			code,
			httpStatus,
			message: both,
			advice: ofItem,
		} = continued.outputs[0]?.find(({ json }) => typeof json.code === 'string')?.json ?? {};
		expect({ what, run: stopped.run.status, says }).toEqual({ what, run: 'error', says: expect.stringMatching(/\S/) });
		// With On Error set to continue, n8n does not try again.
		if (both !== undefined && !given.node?.retryOnFail) {
			expect({ what, says: both, advice: withoutUrl(advice) }).toEqual({
				what,
				says: expect.stringContaining(says),
				advice: expect.stringContaining(withoutUrl(String(ofItem))),
			});
		}
		this.assertNoSecret([stopped.run.stored, continued.run.stored]);
		return {
			what,
			says,
			advice: withoutUrl(advice),
			code: code as string,
			status: httpStatus ? String(httpStatus) : undefined,
			explains: given.explains,
		};
	}

	/** A call that is not sent, which is no error. Times are replaced by the same ones in each run. */
	async withheld(...[what, parameters, given = {}]: Case): Promise<Row> {
		const { run, outputs } = await this.run(parameters, given);
		const { code, message = '', advice = '' } = outputs[0]?.[0]?.json ?? {};
		expect({ what, status: run.status, message }).toEqual({
			what,
			status: 'success',
			message: expect.stringMatching(/./),
		});
		const sameTime = (text: unknown) =>
			String(text)
				.replace(/\w+day \d{4}-\d\d-\d\d \d\d:\d\d-\d\d:\d\d/, 'Saturday 2026-11-28 10:00-12:00')
				.replace(/\d{4}-\d\d-\d\d \d\d:\d\d(?!-)/, '2026-11-28 10:00')
				.replace(/\d{4}-\d\d-\d\dT\S+/, '2026-11-30T09:00:00+00:00');
		return { what, says: sameTime(message), advice: sameTime(advice), code: code as string };
	}

	/** The error of n8n for a node that it does not start. */
	async unready(what: string, parameters: Parameters, advice: string, given: Circumstances = {}): Promise<Row> {
		const error = await this.run(parameters, given).then(
			({ run }) => run.error,
			(reason: Error) => reason,
		);
		expect({ what, error: error?.message }).toEqual({ what, error: expect.any(String) });
		return { what, says: error?.message ?? '', advice, explains: given.explains };
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
		expect(JSON.stringify(stored)).not.toContain(this.token);
	}

	private async run(parameters: Case[1], given: Circumstances) {
		const { fault, items, credential, hasCredential = true, sendsNothing, node, package: loaded } = given;
		return await this.pool.use(async (service) => {
			const ready = typeof parameters === 'function' ? await parameters(service) : parameters;
			// Some operations ask once more after a refusal.
			if (fault) {
				await service.fault({ ...fault, times: 5 });
			}
			const credentials = hasCredential ? service.credentials(credential) : ({} as never);
			// A tool counts its calls by workflow.
			const workflowId = randomUUID();
			const ended = await service.run(ready, items, { node, package: loaded, credentials, workflowId });
			if (sendsNothing) {
				expect({ ready, sent: await service.requests() }).toEqual({ ready, sent: [] });
			}
			return ended;
		});
	}
}

/** Replaces the URL of a trigger, which differs in each run. */
const withoutUrl = (text: string) =>
	text.replace(/http:\/\/127\.0\.0\.1:\d+\/webhook\/\S+(?=:)/, 'https://n8n.example/webhook/…');

/** As a tool the node gives the model both texts in one. */
function withoutAdvice(message: string, advice: string): string {
	const own = advice.replace(
		/ ?(No calls were|Nothing was done|Not (called|queued|done):|(Calls placed|Calls queued|Done): sheet rows?|\d+ with an unknown outcome) .*/,
		'',
	);
	return own !== '' && message.endsWith(own) ? message.slice(0, -own.length).replace(/\. $/, '') : message;
}

/** Parameters of the operations of a resource. @param base what all of them have */
export const operationsOf =
	(base: object) =>
	(operation: string, more: object = {}) =>
		({ ...base, operation, ...more }) as NonNullable<Parameters>;

/** Parameters of the operations that a row may need, on the sandbox's own objects. */
export function operations({ seed: { agents, campaigns, ...seed } }: Provoker) {
	const campaign = byId(campaigns.active);
	const agent = byId(agents.published);
	const phoneNumber = '+12025550111';
	const to = (more: NodeSpec['parameters'] = {}) => ({ agent, campaign, phoneNumber, ...more });
	// The first request of a call is the call itself.
	const calling = (more: NodeSpec['parameters'] = {}) => to({ options: { missingVariables: 'ignore' }, ...more });
	type More = Parameters;
	return {
		place: (more?: More): More => ({ resource: 'call', operation: 'place', ...calling(more) }),
		queue: (more?: More): More => ({ resource: 'campaign', operation: 'queueCall', ...calling(more) }),
		setStatus: (more?: More): More => ({ resource: 'campaign', operation: 'setStatus', status: 'paused', ...to(more) }),
		getCampaign: (more?: More): More => ({ resource: 'campaign', operation: 'get', ...to(more) }),
		getByApiRequest: (more?: More): More => ({
			resource: 'service',
			operation: 'makeApiRequest',
			path: `campaigns/${campaigns.active}`,
			...more,
		}),
		getAgents: (more?: More): More => ({ resource: 'agent', operation: 'getAll', ...more }),
		createHook: (more?: More): More => ({
			resource: 'webhook',
			operation: 'create',
			name: 'Hook',
			webhookUrl: 'https://example.com/hook',
			...to(more),
		}),
		updateEvent: (updateFields: More): More => ({
			resource: 'calendarEvent',
			operation: 'update',
			calendar: byId(seed.calendar),
			calendarEvent: byId(seed.calendarEvent),
			updateFields: updateFields as never,
		}),
		deleteHook: (more?: More): More => ({
			resource: 'webhook',
			operation: 'delete',
			webhook: byId('00000000-0000-4000-8000-000000000000'),
			...to(more),
		}),
	};
}

export type Operations = ReturnType<typeof operations>;

/** The node as a tool of an AI agent. */
export const asTool = { type: `${nodeType}Tool` };

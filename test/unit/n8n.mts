import { EventEmitter } from 'node:events';
import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

/** An HTTP request that a node makes with n8n's helpers. */
export interface Requested {
	method: string;
	url: string;
	qs?: IDataObject;
	/** The parsed body of a request to the service; of another request, as it was sent. */
	body?: unknown;
	headers?: Record<string, string>;
	timeout?: number;
}

/** A response; status 200 and an empty object by default. An error stands for a request without a response. */
export type Answer = { status?: number; headers?: Record<string, string>; body?: unknown } | Error;

/** A function that answers requests, or the answers in the order of the requests: the last one answers the rest. */
export type Answers = ((request: Requested) => Answer | Promise<Answer>) | readonly Answer[];

export interface DoubleOptions {
	/** Answers the requests with the credential, which go to the service. */
	service?: Answers;
	/** Answers all other requests: messages to nodes, and downloads. */
	others?: Answers;
	token?: string;
	credentials?: IDataObject;
	/** What expressions return, by their text; the address of waiting executions is known. */
	expressions?: Record<string, unknown>;
	parameters?: IDataObject;
	staticData?: IDataObject;
	mode?: string;
	/** The request to a webhook. */
	incoming?: { headers?: Record<string, unknown>; query?: Record<string, unknown>; rawBody?: Buffer };
	nodeId?: string;
	webhookUrl?: string;
	instanceId?: string;
	workflowId?: string;
	/** The index of the node's run in the execution. */
	runIndex?: number;
	/** The JSON of the input items. */
	items?: IDataObject[];
}

/** The response to a webhook request. */
export class WebhookResponse extends EventEmitter {
	statusCode = 200;
	readonly headers: Record<string, unknown> = {};
	body: unknown;
	writableFinished = false;
	destroyed = false;

	setHeader(name: string, value: unknown): this {
		this.headers[name] = value;
		return this;
	}

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	send(body: unknown): this {
		this.body = body;
		return this;
	}

	/** What happens when n8n or the node has sent the response. Nobody gets it if the sender has hung up. */
	end(status = this.statusCode): this {
		this.statusCode = status;
		if (!this.destroyed) {
			this.writableFinished = true;
			this.emit('finish');
			this.emit('close');
		}
		return this;
	}

	/** What happens when the sender of the request does not wait any longer. */
	hangUp(): void {
		this.destroyed = true;
		this.emit('close');
	}
}

/** Thrown for a request that nobody answers, with the code and system call of a refused connection. */
export const unreachable = Object.assign(new Error('connect ECONNREFUSED'), {
	code: 'ECONNREFUSED',
	syscall: 'connect',
});

/** Thrown for a request whose connection was cut: nobody knows whether it arrived. */
export const cut = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

/** Thrown for a request that took too long. */
export const timedOut = Object.assign(new Error('timeout'), { code: 'ECONNABORTED' });

function answering(answers: Answers = []) {
	const requests: Requested[] = [];
	const respond = async (request: Requested) => {
		requests.push(request);
		const answer: Answer =
			typeof answers === 'function'
				? await answers(request)
				: (answers[Math.min(requests.length, answers.length) - 1] ?? unreachable);
		if (answer instanceof Error) {
			throw answer;
		}
		const { status = 200, headers = {}, body = {} } = answer;
		return { statusCode: status, headers, body };
	};
	return { requests, respond };
}

/** Stands in for what n8n gives to a node: the caller, and what the node has done with it. */
export function doubleOfN8n(options: DoubleOptions = {}) {
	const service = answering(options.service);
	const others = answering(options.others);
	const logs: Array<{ level: 'info' | 'warn'; text: string; more?: object }> = [];
	const response = new WebhookResponse();
	const context: IDataObject = {};
	const staticData = options.staticData ?? {};
	const parameters = options.parameters ?? {};
	const executeData: IDataObject = {};
	const waits: Date[] = [];
	const { rawBody = Buffer.alloc(0), headers = {}, query = {} } = options.incoming ?? {};
	const expressions: Record<string, unknown> = {
		'{{ $execution.resumeUrl }}': 'https://n8n.example/webhook-waiting/77?signature=s',
		...options.expressions,
	};
	const log = (level: 'info' | 'warn') => (text: string, more?: object) =>
		void logs.push({ level, text, ...(more && { more }) });
	const caller = {
		helpers: {
			httpRequestWithAuthentication: async (_credential: string, request: Requested) =>
				await service.respond({
					...request,
					...(typeof request.body === 'string' && { body: JSON.parse(request.body) as unknown }),
				}),
			httpRequest: others.respond,
			prepareBinaryData: async (data: Buffer, fileName: string, mimeType: string) => ({ data, fileName, mimeType }),
		},
		getCredentials: async (type: string) => ({
			...(type === 'voiceAgentCallingApi' && {
				baseUrl: 'https://service.example',
				environmentToken: options.token ?? 'TOKEN',
				testCallsOnly: false,
				callsPerRun: 0,
				callsPerDay: 0,
				...options.credentials,
			}),
		}),
		getContext: (type: string) => (type === 'node' ? context : {}),
		runExecutionData: { executionData: { contextData: { 'node:Calls': context } } },
		getWorkflowStaticData: (type: string) => (type === 'node' ? staticData : {}),
		getNode: () => ({
			id: options.nodeId ?? 'node-1',
			name: 'Calls',
			type: 'voiceAgentCalling',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		}),
		getWorkflow: () => ({ id: options.workflowId ?? 'workflow-1', name: 'Follow-up' }),
		getExecutionId: () => '77',
		getInstanceId: () => options.instanceId ?? 'this n8n',
		getTimezone: () => 'Europe/Berlin',
		getMode: () => options.mode ?? 'webhook',
		getNodeWebhookUrl: (name: string) =>
			name === 'default' ? (options.webhookUrl ?? 'https://n8n.example/webhook/1/webhook') : undefined,
		getNodeParameter: (path: string, fallback?: unknown) =>
			path.split('.').reduce<unknown>((value, name) => (value as IDataObject | undefined)?.[name], parameters) ??
			fallback,
		getCurrentNodeParameter: (name: string) => parameters[name],
		getInputData: () => (options.items ?? []).map((json) => ({ json })),
		getWorkflowDataProxy: () => ({ $runIndex: options.runIndex ?? 0 }),
		getExecuteData: () => executeData,
		putExecutionToWait: async (until: Date) => void waits.push(until),
		evaluateExpression: (expression: string) => expressions[expression],
		getRequestObject: () => ({ headers, query, rawBody }),
		getHeaderData: () => headers,
		getQueryData: () => query,
		getResponseObject: () => response,
		logger: { info: log('info'), warn: log('warn') },
	};
	return {
		caller: caller as unknown as IExecuteFunctions & IHookFunctions & ILoadOptionsFunctions & IWebhookFunctions,
		/** The requests to the service, in their order. */
		requests: service.requests,
		/** The requests to others, in their order. */
		messages: others.requests,
		logs,
		response,
		context,
		staticData,
		executeData,
		waits,
	};
}

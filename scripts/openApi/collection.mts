import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { startSandbox } from '../../sandbox/server.mts';
import { root } from '../lib/places.mts';

/** What of a Postman collection is used here. */
interface Request {
	method: string;
	url: {
		path: string[];
		variable?: Array<{ key: string; value: string }>;
		query?: Array<{ key: string; value: string }>;
	};
	body?: { raw?: string };
}
interface Item {
	name: string;
	request?: Request;
	item?: Item[];
	event?: Array<{ listen: 'test'; script: { exec: string[] } }>;
}
interface Collection {
	item: Item[];
	variable: Array<{ key: string; value: string }>;
}
interface Converter {
	convertV2(
		input: { type: 'json'; data: object },
		options: object,
		done: (error: Error | null, result: { result: boolean; reason?: string; output?: [{ data: Collection }] }) => void,
	): void;
}
interface Newman {
	run(
		options: { collection: object },
		done: (
			error: Error | null,
			summary: { run: { failures: Failure[]; stats: { requests: { total: number } } } },
		) => void,
	): void;
}
interface Failure {
	source: { name: string };
	error: { message: string };
}

/** What the run found out. */
export interface CollectionResult {
	/** Requests of the collection, each an operation. */
	operations: number;
	findings: string[];
}

const load = createRequire(join(root, 'tools', 'openapi', 'package.json'));

/** Lets the sandbox do what is due within a minute. */
const ADVANCE = 'POST /_sandbox/advance';

const AGENT_HOOK = '/api/v1/agents/:agent_id/webhooks';
const CAMPAIGN_HOOK = '/api/v1/campaigns/:campaign_id/webhooks';
const SFTP = '/api/v1/campaigns/:campaign_id/sftp';

/** The requests before those that need what no fresh sandbox has. */
const BEFORE: Array<[request: RegExp, before: string[]]> = [
	[/agents\S+:webhook_id/, [`POST ${AGENT_HOOK}`]],
	[/agents\S+:webhook_id.logs/, [`POST ${AGENT_HOOK}/:webhook_id/test`]],
	[/agents\S+:log_id/, [`GET ${AGENT_HOOK}/:webhook_id/logs`]],
	[/campaigns\S+:webhook_id/, [`POST ${CAMPAIGN_HOOK}`]],
	[/campaigns\S+:webhook_id.logs/, [`POST ${CAMPAIGN_HOOK}/:webhook_id/test`, ADVANCE]],
	[/campaigns\S+:log_id/, [`GET ${CAMPAIGN_HOOK}/:webhook_id/logs`]],
	[/sftp\/|(GET|PUT) \S+\/sftp/, [`POST ${SFTP}`, `POST ${SFTP}/test-connection`]],
	[/sftp.trigger-/, [`PUT ${SFTP}`]],
	[/sftp.trigger-export/, [`POST ${SFTP}/trigger-import`, ADVANCE, 'GET /api/v1/campaigns/:campaign_id']],
	[/active-call|end-call/, ['POST /api/v1/agents/:agent_id/call']],
	[/PUT \S+\/callback$/, ['POST /api/v1/agents/:agent_id/callback']],
	[/voice-demos/, ['GET /api/v1/voice-templates/:voice_template_id/demo']],
];

/** What a response gives to the requests after it: the name of the variable, and where its value is. */
const TAKES: Record<string, Record<string, string>> = {
	[`POST ${AGENT_HOOK}`]: { webhook_id: 'body.data.id' },
	[`POST ${CAMPAIGN_HOOK}`]: { webhook_id: 'body.data.id' },
	[`GET ${AGENT_HOOK}/:webhook_id/logs`]: { log_id: 'body.data[0].id' },
	[`GET ${CAMPAIGN_HOOK}/:webhook_id/logs`]: { log_id: 'body.data[0].id' },
	'GET /api/v1/campaigns/:campaign_id': { file_id: 'body.data.files[0]?.id' },
	'POST /api/v1/agents/:agent_id/call': { call_sid: 'body.data.id' },
	'GET /api/v1/voice-templates/:voice_template_id/demo': {
		expires: '/expires=(\\w+)/.exec(body.mp3_url)[1]',
		signature: '/signature=(\\w+)/.exec(body.mp3_url)[1]',
	},
};

/**
 * Makes a Postman collection of the document, and lets newman send each request with its examples to a sandbox that is
 * as at its start: each has to succeed. What no fresh sandbox has, such as a webhook, the collection's own requests
 * create before.
 */
export async function runCollection(document: string): Promise<CollectionResult> {
	const { item } = await converted(document);
	const items = new Map(leavesOf(item).map((leaf) => [nameOf(leaf.request!), leaf]));
	const sandbox = await startSandbox({ speed: 0, rateLimit: 100_000 });
	try {
		const inbound = await inboundAgent(sandbox.url);
		const runs = [...items.keys()].flatMap((name) => {
			const wanted = BEFORE.filter(([request]) => request.test(name)).flatMap(([, before]) => before);
			const all = ['POST /_sandbox/reset', ...wanted.filter((before) => before !== name), name];
			return all.map((one) => prepared(name, one, items.get(one) ?? control(one), inbound));
		});
		const failures = await send({
			info: {
				name: 'docs/openapi.json',
				schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
			},
			item: runs,
			variable: [
				{ key: 'baseUrl', value: sandbox.url },
				{ key: 'bearerToken', value: sandbox.token },
			],
			auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{bearerToken}}', type: 'string' }] },
		});
		return {
			operations: items.size,
			findings: failures.map(({ source, error }) => `${source.name}: ${error.message}`),
		};
	} finally {
		await sandbox.close();
	}
}

async function converted(document: string): Promise<Collection> {
	const { convertV2 } = load('openapi-to-postmanv2') as Converter;
	const data = JSON.parse(readFileSync(document, 'utf8')) as object;
	const options = { parametersResolution: 'Example', includeWebhooks: false, includeResponses: false };
	const { result, reason, output } = await new Promise<Parameters<Parameters<Converter['convertV2']>[2]>[1]>(
		(resolve, reject) => {
			convertV2({ type: 'json', data }, options, (error, done) => (error ? reject(error) : resolve(done)));
		},
	);
	if (!result || !output) {
		throw new Error(`openapi-to-postmanv2: ${reason}`);
	}
	return output[0].data;
}

function leavesOf(items: Item[]): Item[] {
	return items.flatMap((one) => (one.item ? leavesOf(one.item) : [one]));
}

/** `GET /api/v1/agents/:agent_id`. */
function nameOf({ method, url }: Request): string {
	return `${method} /${url.path.join('/')}`;
}

/** A request to a control route. */
function control(name: string): Item {
	const [method = '', path = ''] = name.split(' ');
	const url = { raw: `{{baseUrl}}${path}`, host: ['{{baseUrl}}'], path: path.slice(1).split('/') };
	return { name, request: { method, url, body: { mode: 'raw', raw: '{"seconds": 60}' } as Request['body'] } };
}

/** The ID of an agent that takes calls: only such a one can be a callback agent. */
async function inboundAgent(url: string): Promise<string> {
	const agents = (await (await fetch(`${url}/_sandbox/agents`)).json()) as Array<{ id: string; direction: string }>;
	return String(agents.find(({ direction }) => direction === 'inbound')?.id);
}

/**
 * The request as it is sent for an operation: with the IDs of what was created before, and with its checks.
 *
 * @param inbound the ID of an agent that takes calls
 */
function prepared(operation: string, name: string, item: Item, inbound: string): Item {
	const { request, ...rest } = structuredClone(item);
	for (const one of request!.url.variable ?? []) {
		if (name.endsWith('/callback') && one.key === 'agent_id') {
			one.value = inbound;
		}
	}
	for (const one of [...(request!.url.variable ?? []), ...(request!.url.query ?? [])]) {
		if (['webhook_id', 'log_id', 'expires', 'signature'].includes(one.key)) {
			one.value = `{{${one.key}}}`;
		}
	}
	if (request!.body?.raw) {
		request!.body.raw = request!.body.raw
			.replace(/"call_sid": "[^"]*"/, '"call_sid": "{{call_sid}}"')
			.replace(/("file_data_ids": \[\s*)"[^"]*"/, '$1"{{file_id}}"')
			// Nothing listens there: a delivery fails at once, and can be sent again.
			.replace(/http:\/\/127\.0\.0\.1:5678/g, 'http://127.0.0.1:9');
	}
	const takes = Object.entries(TAKES[name] ?? {}).map(
		([key, from]) => `pm.collectionVariables.set(${JSON.stringify(key)}, ${from});`,
	);
	const exec = [
		'pm.test(`answered with ${pm.response.code}: ${pm.response.text().slice(0, 300)}`, () => pm.response.to.be.success);',
		...(takes.length > 0 ? ['const body = pm.response.json();', ...takes] : []),
	];
	return { ...rest, name: `${operation}: ${name}`, request, event: [{ listen: 'test', script: { exec } }] };
}

async function send(collection: object): Promise<Failure[]> {
	const { run } = load('newman') as Newman;
	return await new Promise((resolve, reject) => {
		run({ collection }, (error, summary) => (error ? reject(error) : resolve(summary.run.failures)));
	});
}

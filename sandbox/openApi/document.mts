import { namedSchemas } from '../http/named.mts';
import type { Route } from '../http/route.mts';
import { routes } from '../resources/index.mts';
import { errorWriter } from './errors.mts';
import { type Exchange, type Recorded, recordExamples, SERVER } from './examples.mts';
import { type Fields, jsonContent, refTo, schemaWriter } from './jsonSchema.mts';
import { parametersOf } from './parameters.mts';
import { DELIVERY_HEADERS, deliverySchema, webhooksSection } from './webhooks.mts';

/** The descriptions of the tags. A tag is the first part of the path after the version. */
const TAGS: Record<string, string> = {
	health: 'Whether the service is up',
	agents: 'Voice agents: settings, actions, trainings, conversation flow, webhooks, prices, and their calls',
	'action-integrations': 'The systems that an action of an agent can use',
	'callback-agents': 'Agents that take the calls of people who call back',
	calls: 'Calls of all agents',
	campaigns: 'Campaigns: status, calls, webhooks, and files over SFTP',
	'phone-numbers': 'The phone numbers of the environment',
	'voice-templates': 'The voices that an agent can have',
	'sip-trunks': 'SIP trunks of your own and their numbers',
	calendars: 'Calendars: members, events, availability, sync',
	files: 'Audio files. These addresses are not part of the API: events and responses name them',
	deliveries: 'What is sent to webhooks',
};

const headers: Record<string, Fields> = {
	'X-RateLimit-Limit': { description: 'Requests in a window', schema: { type: 'integer' }, example: 1000 },
	'X-RateLimit-Remaining': { description: 'Requests left in this window', schema: { type: 'integer' }, example: 999 },
	'X-RateLimit-Reset': {
		description: 'When the window ends. The service does not document the unit; in the sandbox seconds since 1970',
		schema: { type: 'integer' },
		example: 1_768_469_400,
	},
};
const challenge: Fields = { description: 'The scheme of the token', schema: { type: 'string' }, example: 'Bearer' };
const headerReferences = Object.fromEntries(Object.keys(headers).map((name) => [name, refTo('headers', name)]));

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument extends Fields {
	/** The operations by path and method, the latter in lower case. */
	paths: Record<string, Record<string, Fields>>;
	components: Record<string, Record<string, Fields>>;
}

let complete: Promise<OpenApiDocument> | undefined;

/** Returns the document of the routes, with an example of each request, success and delivery. It is built once. */
export async function completeDocument(): Promise<OpenApiDocument> {
	complete ??= recordExamples().then(openApiDocument);
	return await complete;
}

/** Builds the document of the routes. @param recorded the examples; none by default */
export function openApiDocument(
	{ exchanges, deliveries }: Recorded = { exchanges: [], deliveries: [] },
): OpenApiDocument {
	const schemas = schemaWriter(namedSchemas());
	const errors = errorWriter(schemas, headerReferences);
	const paths: OpenApiDocument['paths'] = {};
	for (const route of routes) {
		const path = route.path.replace(/:(\w+)/g, '{$1}');
		const sent = exchanges.filter((exchange) => exchange.route === route);
		(paths[path] ??= {})[route.method.toLowerCase()] = {
			...operation(route, sent[0]),
			responses: { ...successes(route, sent), ...errors.write(route) },
		};
	}

	function operation(route: Route, sent: Exchange | undefined): Fields {
		const { method, path, summary, description, body } = route;
		const words = path.replace('/api/v1', '').split(/[^A-Za-z0-9]+/);
		const parameters = parametersOf(route, schemas, sent);
		return {
			operationId: method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
			summary,
			description,
			tags: [tagOf(route)],
			...(route.open && { security: [] }),
			...(parameters.length > 0 && { parameters }),
			...(body && {
				requestBody: {
					required: !body.safeParse({}).success,
					content: jsonContent(schemas.write(body), sent && { sent: sent.body }),
				},
			}),
		};
	}

	function successes(route: Route, sent: readonly Exchange[]): Fields {
		return Object.fromEntries(
			Object.entries(route.responses).map(([status, body]) => {
				const isFile = typeof body === 'string';
				const description = isFile ? 'The file, in the sandbox a second of silence as MP3' : 'Success';
				const examples = byOutcome(sent.filter((exchange) => exchange.status === Number(status)));
				const content = isFile
					? { [body]: { schema: { type: 'string', format: 'binary' } } }
					: jsonContent(schemas.write(body), examples);
				return [status, { description, headers: headerReferences, content }];
			}),
		);
	}

	const { components } = schemas;
	const named = Object.entries({ ...components, ...(deliveries.length > 0 && { DeliveredEvent: deliverySchema }) });
	return {
		openapi: '3.1.0',
		info: {
			title: 'Voice Agent Calling Service (sandbox)',
			version: '1',
			license: { name: 'MIT', identifier: 'MIT' },
			description:
				'Made from the routes of the sandbox, with examples that it really returned. docs/contributing/assumptions.md lists what the service leaves open and the sandbox decided. The sandbox ignores unknown fields and query parameters.',
		},
		servers: [{ url: SERVER, description: 'The sandbox' }],
		security: [{ environmentToken: [] }],
		tags: [...new Set([...routes.map(tagOf), 'deliveries'])].map((name) => ({ name, description: TAGS[name] })),
		paths,
		webhooks: webhooksSection(deliveries),
		components: {
			securitySchemes: {
				environmentToken: { type: 'http', scheme: 'bearer', description: "The environment's token." },
			},
			schemas: Object.fromEntries(named.sort(([left], [right]) => (left < right ? -1 : 1))),
			parameters: DELIVERY_HEADERS,
			responses: errors.components,
			headers: { ...headers, 'WWW-Authenticate': challenge },
		},
	};
}

const tagOf = ({ path }: Route) => (path.startsWith('/api/v1/') ? (path.split('/')[3] as string) : 'files');

/** Returns the first success, and the first failure with a success status. */
function byOutcome(exchanges: readonly Exchange[]): Fields {
	const failed = ({ response }: Exchange) => (response as { success?: boolean }).success === false;
	const success = exchanges.find((exchange) => !failed(exchange));
	const failure = exchanges.find(failed);
	return { ...(success && { success: success.response }), ...(failure && { failure: failure.response }) };
}

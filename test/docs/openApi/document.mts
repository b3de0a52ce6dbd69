import { isDeepStrictEqual } from 'node:util';

import { namedSchemas } from '../../../sandbox/http/named.mts';
import type { Route } from '../../../sandbox/http/route.mts';
import { errorWriter } from './errors.mts';
import { type Exchange, operationId, operationKey } from './exchange.mts';
import { type Fields, refTo, schemaWriter } from './jsonSchema.mts';
import { descriptionOf, exampleOf } from './parameters.mts';
import { type Delivered, webhooksSection } from './webhooks.mts';

/** What each tag is about: the first part of the path after the version. */
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

const SERVER = 'http://127.0.0.1:4010';

/** How booleans are written in a query. */
const FLAGS = ['true', 'false', '1', '0'];
const flag: Fields = { anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['1', '0'] }] };

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

/**
 * The OpenAPI 3.1 document of the routes: their schemas, with a recorded example of each request and response.
 *
 * @param exchanges in the order in which they were sent; the first of each route and status is the example
 * @param delivered bodies of deliveries; the first of each event type is its example
 * @throws Error for a request or a response without an example
 */
export function openApiDocument(
	routes: readonly Route[],
	exchanges: readonly Exchange[],
	delivered: readonly Delivered[],
): Fields {
	const schemas = schemaWriter(namedSchemas());
	const refused = exchanges.filter(({ status }) => status >= 400);
	const errors = errorWriter(schemas, headerReferences, refused, jsonContent);
	const paths: Record<string, Fields> = {};
	const deliveries = webhooksSection(delivered);
	const tags = new Set<string>();

	for (const route of routes) {
		const answered = exchanges.filter((exchange) => exchange.route === route && exchange.status < 400);
		const [first] = answered;
		if (!first) {
			throw new Error(`No example of ${operationKey(route)}. Send it in test/docs/openApi/tour.http.`);
		}
		const tag = route.path.startsWith('/api/v1/') ? (route.path.split('/')[3] as string) : 'files';
		tags.add(tag);
		const parameters = parametersOf(route, first);
		const path = route.path.replace(/:(\w+)/g, '{$1}');
		(paths[path] ??= {})[route.method.toLowerCase()] = {
			operationId: operationId(route),
			summary: route.summary,
			description: route.description,
			tags: [tag],
			...(route.open && { security: [] }),
			...(parameters.length > 0 && { parameters }),
			...(route.body && {
				requestBody: {
					required: !route.body.safeParse({}).success,
					content: { 'application/json': { schema: schemas.write(route.body), example: first.body } },
				},
			}),
			responses: { ...successes(route, answered), ...errors.write(route) },
		};
	}

	function parametersOf(route: Route, { params, query }: Exchange): Fields[] {
		const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
		return [
			...names.map((name) => ({
				name,
				in: 'path',
				required: true,
				description: descriptionOf(name),
				schema: { type: 'string' },
				example: exampleOf(route, name, params[name]),
			})),
			...queryParameters(route, query),
		];
	}

	function queryParameters(route: Route, sent: Record<string, unknown>): Fields[] {
		const { query: schema } = route;
		if (!schema) {
			return [];
		}
		const { properties = {}, required = [] } = schemas.write(schema) as {
			properties?: Record<string, Fields>;
			required?: string[];
		};
		return Object.entries(properties).map(([name, { default: fallback, ...plain }]) => {
			const own = {
				...plain,
				// Query values are text, and so are their defaults in the route.
				...(fallback !== undefined && { default: plain.type === 'number' ? Number(fallback) : fallback }),
			};
			const list = plain.type === 'array';
			const isFlag = isDeepStrictEqual(plain.enum, FLAGS);
			return {
				name: list ? `${name}[]` : name,
				in: 'query',
				description: descriptionOf(name),
				required: required.includes(name) && fallback === undefined,
				schema: isFlag ? flag : plain.type === 'number' ? { ...own, type: 'integer' } : own,
				example: exampleOf(route, name, sent[name]),
			};
		});
	}

	function successes(route: Route, answered: readonly Exchange[]): Fields {
		return Object.fromEntries(
			Object.entries(route.answers).map(([status, body]) => {
				const examples = answered.filter((exchange) => exchange.status === Number(status));
				if (examples.length === 0) {
					throw new Error(`No example of ${status} for ${operationKey(route)}.`);
				}
				const isFile = typeof body === 'string';
				const description = isFile ? 'The file, in the sandbox a second of silence as MP3' : 'Success';
				const content = isFile
					? { [body]: { schema: { type: 'string', format: 'binary' } } }
					: jsonContent(schemas.write(body), byOutcome(examples));
				return [status, { description, headers: headerReferences, content }];
			}),
		);
	}

	const named = Object.entries({ ...schemas.components, ...(deliveries.components.schemas as Fields) });
	return {
		openapi: '3.1.0',
		info: {
			title: 'Voice Agent Calling Service, as the sandbox has it',
			version: '1',
			license: { name: 'MIT', identifier: 'MIT' },
			description:
				'Generated from the routes of the sandbox, with examples that it really sent. What the service itself leaves open, and the sandbox decided, is in docs/contributing/assumptions.md. The sandbox ignores fields and query parameters that it does not know.',
		},
		servers: [{ url: SERVER, description: 'The sandbox' }],
		security: [{ environmentToken: [] }],
		tags: [...tags, 'deliveries'].map((name) => ({ name, description: TAGS[name] })),
		paths,
		webhooks: deliveries.webhooks,
		components: {
			securitySchemes: {
				environmentToken: { type: 'http', scheme: 'bearer', description: "The environment's token." },
			},
			schemas: Object.fromEntries(named.sort(([left], [right]) => (left < right ? -1 : 1))),
			parameters: deliveries.components.parameters,
			responses: errors.components,
			headers: { ...headers, 'WWW-Authenticate': challenge },
		},
	};
}

/** The first answer, and the first that is a failure although its status is a success. */
function byOutcome(exchanges: readonly Exchange[]): Record<string, unknown> {
	const failed = ({ answer }: Exchange) => (answer as { success?: boolean }).success === false;
	const success = exchanges.find((exchange) => !failed(exchange));
	const failure = exchanges.find(failed);
	return { ...(success && { success: success.answer }), ...(failure && { failure: failure.answer }) };
}

/** JSON with one example, or with several by name. */
function jsonContent(schema: Fields, examples: Record<string, unknown>): Fields {
	const [[, example] = [], ...others] = Object.entries(examples);
	const named = () => Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
	return { 'application/json': { schema, ...(others.length === 0 ? { example } : { examples: named() }) } };
}

import { createCompoundSchema } from 'genson-js';
import type { ZodTypeAny } from 'zod';
import { zodToJsonSchema } from 'zod-to-json-schema';

import type { Refusal } from '../../sandbox/http/refusal.mts';
import type { Route } from '../../sandbox/http/route.mts';

type Fields = Record<string, unknown>;

/** A recorded request and its response. */
interface Exchange {
	method: string;
	/** Without the query. */
	path: string;
	status: number;
	/** Without parameters. */
	contentType: string;
	body: Buffer;
}

/**
 * An OpenAPI 3.1 document of the routes. The schema of a response is inferred from all recorded responses.
 *
 * @throws Error for a route without a recorded success
 */
export function openApiDocument(routes: readonly Route[], exchanges: readonly Exchange[]): Fields {
	const answers = answersByRoute(routes, exchanges);
	const paths: Record<string, Fields> = {};
	for (const route of routes) {
		const path = route.path.replace(/:(\w+)/g, '{$1}');
		(paths[path] ??= {})[route.method.toLowerCase()] = operation(route, answers.get(route) ?? []);
	}
	return {
		openapi: '3.1.0',
		info: {
			title: 'Voice Agent Calling Service, as the sandbox has it',
			version: '1',
			description:
				'Generated from the routes of the sandbox and from what they answer. What the service itself leaves open, and the sandbox decided, is in docs/assumptions.md.',
		},
		servers: [{ url: 'http://127.0.0.1:4010', description: 'The sandbox' }],
		security: [{ environmentToken: [] }],
		paths,
		components: {
			securitySchemes: { environmentToken: { type: 'http', scheme: 'bearer' } },
			schemas,
			responses,
			headers,
		},
	};
}

/** The success responses of each route. As in the server, a fixed path segment has priority over a variable. */
function answersByRoute(routes: readonly Route[], exchanges: readonly Exchange[]): Map<Route, Exchange[]> {
	const variables = ({ path }: Route) => path.split(':').length;
	const ranked = [...routes].sort((left, right) => variables(left) - variables(right));
	const answers = new Map<Route, Exchange[]>();
	for (const exchange of exchanges.filter(({ status }) => status < 400)) {
		const parts = exchange.path.split('/');
		const route = ranked.find(({ method, path }) => {
			const segments = path.split('/');
			return (
				method === exchange.method &&
				segments.length === parts.length &&
				segments.every((part, index) => part.startsWith(':') || part === parts[index])
			);
		});
		if (route) {
			answers.set(route, [...(answers.get(route) ?? []), exchange]);
		}
	}
	return answers;
}

function operation(route: Route, answers: readonly Exchange[]): Fields {
	if (answers.length === 0) {
		const where = 'Send it in test/integration/schemaRuns/otherRequests.mts.';
		throw new Error(`No operation sent ${route.method} ${route.path} with success. ${where}`);
	}
	const body = route.body && {
		requestBody: { required: true, content: { 'application/json': { schema: schemaOf(route.body) } } },
	};
	const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
	const parameters = [
		...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
		...queryParameters(route.query),
	];
	return {
		operationId: operationId(route),
		summary: route.summary,
		tags: [route.path.split('/')[3] ?? 'files'],
		...(route.open && { security: [] }),
		...(parameters.length > 0 && { parameters }),
		...body,
		responses: { ...successes(answers), ...refusals(route) },
	};
}

/** The success responses, by status. */
function successes(answers: readonly Exchange[]): Fields {
	const statuses = [...new Set(answers.map(({ status }) => status))].sort();
	return Object.fromEntries(
		statuses.map((status) => {
			const same = answers.filter((answer) => answer.status === status);
			const { contentType } = same[0]!;
			const schema =
				contentType === 'application/json'
					? createCompoundSchema(same.map(({ body }) => JSON.parse(body.toString()) as unknown))
					: { type: 'string', format: 'binary' };
			return [status, { description: 'Success', headers: headerReferences, content: { [contentType]: { schema } } }];
		}),
	);
}

/** `getAgentsAgentIdCalls` for `GET /api/v1/agents/:agent_id/calls`. */
function operationId({ method, path }: Route): string {
	const words = path.replace('/api/v1', '').split(/[^A-Za-z0-9]+/);
	const capitalized = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
	return method.toLowerCase() + capitalized.join('');
}

/** The JSON Schema of a query or a body, without checks that JSON Schema cannot express. */
function schemaOf(schema: ZodTypeAny): Fields {
	const options = {
		target: 'jsonSchema2019-09',
		$refStrategy: 'none',
		effectStrategy: 'input',
		pipeStrategy: 'output',
	} as const;
	const { $schema: _dialect, ...plain } = zodToJsonSchema(schema, options) as Fields;
	return plain;
}

function queryParameters(query: ZodTypeAny | undefined): Fields[] {
	if (!query) {
		return [];
	}
	const { properties = {}, required = [] } = schemaOf(query) as {
		properties?: Record<string, Fields>;
		required?: string[];
	};
	return Object.entries(properties).map(([name, { default: fallback, ...schema }]) => ({
		name,
		in: 'query',
		required: required.includes(name) && fallback === undefined,
		schema: {
			...schema,
			// Query values are text, and so are their defaults in the route.
			...(fallback !== undefined && { default: schema.type === 'number' ? Number(fallback) : fallback }),
		},
	}));
}

const message = { type: 'string' };
const errors = { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } };

/** The error formats. */
const schemas = {
	FlatError: {
		type: 'object',
		required: ['success', 'message'],
		properties: { success: { const: false }, message, code: { type: 'string' }, errors },
	},
	BareError: { type: 'object', required: ['message'], properties: { message, errors } },
	NestedError: {
		type: 'object',
		required: ['error'],
		properties: {
			error: {
				type: 'object',
				required: ['code', 'message'],
				properties: { code: { type: 'string' }, message, details: { type: 'object' } },
			},
		},
	},
	AuthenticationError: {
		type: 'object',
		required: ['error', 'message', 'status_code'],
		properties: { error: { type: 'string' }, message, status_code: { type: 'integer' } },
	},
};

const headers = {
	'X-RateLimit-Limit': { description: 'Requests in a window', schema: { type: 'integer' } },
	'X-RateLimit-Remaining': { description: 'Requests left in this window', schema: { type: 'integer' } },
	'X-RateLimit-Reset': { description: 'When the window ends, in seconds since 1970', schema: { type: 'integer' } },
};
const headerReferences = Object.fromEntries(
	Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const FORMATS: Record<Refusal, keyof typeof schemas> = {
	authentication: 'FlatError',
	unauthenticated: 'FlatError',
	unauthorized: 'FlatError',
	message: 'FlatError',
	bare: 'BareError',
	coded: 'FlatError',
	nested: 'NestedError',
};

const json = (...names: Array<keyof typeof schemas>) => {
	const references = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
	return { 'application/json': { schema: references.length === 1 ? references[0] : { anyOf: references } } };
};

/** Responses that many routes share, by status and format. */
const responses: Record<string, Fields> = {
	Unauthorized: {
		description: 'No token, an expired or an unknown one',
		content: json('AuthenticationError', 'FlatError', 'BareError', 'NestedError'),
	},
};
for (const [status, description] of [
	[403, 'The token has no permission for this'],
	[404, 'Something in the path does not exist'],
	[422, 'Values that are not accepted'],
	[429, 'Too many requests'],
] as const) {
	for (const format of ['FlatError', 'BareError', 'NestedError'] as const) {
		responses[`${format}${status}`] = { description, content: json(format) };
	}
}

/** The error responses of a route. */
function refusals(route: Route): Fields {
	if (route.open) {
		return {};
	}
	const own = FORMATS[route.refusal];
	// Only errors about values and the token lack `success`.
	const other = own === 'BareError' ? 'FlatError' : own;
	const applies: Array<[status: number, format: string, holds: boolean]> = [
		[403, other, route.method !== 'GET' && !route.readOnly],
		[404, other, route.path.includes(':')],
		[422, own, route.query !== undefined || route.body !== undefined],
		[429, other, true],
	];
	return {
		401: { $ref: '#/components/responses/Unauthorized' },
		...Object.fromEntries(
			applies
				.filter(([, , holds]) => holds)
				.map(([status, format]) => [status, { $ref: `#/components/responses/${format}${status}` }]),
		),
	};
}

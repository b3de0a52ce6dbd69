import { type CommonStatus, refusalBodies } from '../../../sandbox/http/errorSchemas.mts';
import { ASSUMED } from '../../../sandbox/http/named.mts';
import type { Refusal } from '../../../sandbox/http/refusal.mts';
import type { Route } from '../../../sandbox/http/route.mts';
import type { Exchange } from './exchange.mts';
import { type Fields, refTo, type SchemaWriter } from './jsonSchema.mts';

/** Component name and description of the errors that many routes share. */
const COMMON: Record<CommonStatus, [name: string, description: string]> = {
	400: ['BadRequest', 'The body is not valid JSON'],
	401: ['Unauthorized', 'The token is missing, expired or unknown'],
	403: ['Forbidden', 'The token has no permission for this'],
	404: ['NotFound', 'Something in the path does not exist'],
	413: ['BodyTooLarge', `The body is larger than 10 MiB. ${ASSUMED}`],
	415: ['UnsupportedContentType', `The body is no JSON in UTF-8 by its headers, or is compressed. ${ASSUMED}`],
	422: ['Invalid', 'Values that are not accepted'],
	429: ['TooManyRequests', 'More requests than the rate limit allows'],
	500: ['ServerError', 'An internal error'],
};
const STATUSES = Object.keys(COMMON).map(Number) as CommonStatus[];

/** Routes with these formats share the body of an error, except those of a 401. */
const flat = { unauthenticated: 'Flat', unauthorized: 'Flat' };
const other = { bare: 'Bare', nested: 'Nested' };
const FAMILY: Record<Refusal, string> = {
	...flat,
	...other,
	authentication: 'Flat',
	message: 'Flat',
	coded: 'Flat',
	campaignCall: 'CampaignCall',
};
const TOKEN_FAMILY: Record<Refusal, string> = {
	...flat,
	...other,
	authentication: 'Authentication',
	message: 'Bare',
	coded: 'ApiKey',
	campaignCall: 'Flat',
};

/** The statuses of the errors that a route shares with others. */
function commonStatuses(route: Route): CommonStatus[] {
	const sends = route.method !== 'GET';
	const applies: Record<CommonStatus, boolean> = {
		400: sends,
		401: !route.open,
		403: !route.open,
		404: route.path.includes(':') && !route.path.startsWith('/voice-demos/'),
		413: sends,
		415: sends,
		422: route.query !== undefined || route.body !== undefined,
		429: !route.open,
		500: true,
	};
	return STATUSES.filter((status) => applies[status]);
}

/** The name of the component for an error that a route shares with others. */
export function commonName({ refusal }: Route, status: CommonStatus): string {
	const family = status === 401 ? TOKEN_FAMILY[refusal] : FAMILY[refusal];
	const own: Record<string, CommonStatus | undefined> = { Bare: 422, CampaignCall: 429 };
	const differs = status === 401 || family === 'Nested' || own[family] === status;
	return `${differs && status !== 404 && family !== 'Flat' ? family : ''}${COMMON[status][0]}`;
}

/**
 * Writes the error responses of the routes, and the components that they share.
 * @param exchanges the requests that were refused
 * @throws Error for an error without an example
 */
export function errorWriter(
	schemas: SchemaWriter,
	headers: Fields,
	exchanges: readonly Exchange[],
	bodyOf: (schema: Fields, examples: Record<string, unknown>) => Fields,
): { components: Record<string, Fields>; write(route: Route): Fields } {
	const components: Record<string, Fields> = {};
	const union = (bodies: Array<Fields>): Fields => (bodies.length === 1 ? bodies[0]! : { anyOf: bodies });

	function examplesOf(what: string, fits: (exchange: Exchange) => boolean): Record<string, unknown> {
		const examples: Record<string, unknown> = {};
		for (const { answer } of exchanges.filter(fits)) {
			examples[labelOf(answer)] ??= answer;
		}
		if (Object.keys(examples).length === 0) {
			throw new Error(`No example of ${what}. Provoke it in test/docs/openApi/errors.http.`);
		}
		return examples;
	}

	function common(route: Route, status: CommonStatus): Fields {
		const name = commonName(route, status);
		if (!(name in components)) {
			const bodies = refusalBodies(route.refusal)[status].map((body) => schemas.write(body));
			const examples = examplesOf(
				`${status} ${name}`,
				(exchange) =>
					exchange.status === status &&
					!exchange.route.errors?.[status as 400] &&
					!exchange.route.bareFailure &&
					commonStatuses(exchange.route).includes(status) &&
					commonName(exchange.route, status) === name,
			);
			const own = status === 401 ? { ...headers, 'WWW-Authenticate': refTo('headers', 'WWW-Authenticate') } : headers;
			components[name] = { description: COMMON[status][1], headers: own, content: bodyOf(union(bodies), examples) };
		}
		return refTo('responses', name);
	}

	return {
		components,
		write(route) {
			const shared = commonStatuses(route);
			const own = Object.keys(route.errors ?? {}).map(Number);
			const statuses = [...new Set([...shared, ...own])].sort((left, right) => left - right);
			return Object.fromEntries(
				statuses.map((status) => {
					const error = route.errors?.[status as 400];
					const isShared = shared.includes(status as CommonStatus);
					if (!error) {
						return [status, common(route, status as CommonStatus)];
					}
					// A route with a 404 of its own names the object that is missing in another way.
					const replaces = status === 404 || !isShared || status === 500;
					const before = replaces ? [] : refusalBodies(route.refusal)[status as CommonStatus];
					const bodies = [...new Set([...before, error.body])].map((body) => schemas.write(body));
					const description = replaces ? error.when : `${COMMON[status as CommonStatus][1]}. Or: ${error.when}`;
					const examples = examplesOf(
						`${status} of ${route.method} ${route.path}`,
						(exchange) => exchange.status === status && exchange.route === route,
					);
					return [status, { description, headers, content: bodyOf(union(bodies), examples) }];
				}),
			);
		},
	};
}

/** A name for an example: the error's code if it has one. */
function labelOf(answer: unknown): string {
	const { code, error, errors } = (answer ?? {}) as {
		code?: string;
		error?: { code?: string } | string;
		errors?: object;
	};
	const found = code ?? (typeof error === 'object' ? error.code : /^[A-Z_]+$/.test(error ?? '') ? error : undefined);
	return found ?? (errors ? 'INVALID_FIELDS' : 'ERROR');
}

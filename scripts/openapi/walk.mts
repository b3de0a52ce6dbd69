import axios from 'axios';
import { createCompoundSchema } from 'genson-js';

import type { Route } from '../../sandbox/http/route.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { Answered } from './document.mts';
import { type Ask, askAll } from './requests.mts';

/** Asks a sandbox of its own once or more for each route, and gives what it answered, by `METHOD path`. */
export async function walk(routes: Route[]): Promise<Map<string, Answered>> {
	const sandbox = await startSandbox({ minimumStatusMs: 0 });
	const seen = new Map<string, Array<{ status: number; body: unknown; contentType: string }>>();
	const client = axios.create({
		baseURL: sandbox.url,
		proxy: false,
		headers: { Authorization: `Bearer ${sandbox.token}` },
	});
	const ask: Ask = async (method, path, data) => {
		const route = byVariables(routes).find((one) => one.method === method && matches(one.path, path));
		if (!route) {
			throw new Error(`The sandbox has no route for ${method} ${path}`);
		}
		const { status, data: body, headers } = await client.request({ method, url: path, data });
		const key = `${method} ${route.path}`;
		const contentType = String(headers['content-type']).split(';')[0] as string;
		seen.set(key, [...(seen.get(key) ?? []), { status, body, contentType }]);
		return body;
	};
	const control = async (path: string, body: unknown) => {
		await client.post(`/_sandbox/${path}`, body);
	};
	try {
		await askAll(ask, control, sandbox.seed);
	} finally {
		await sandbox.close();
	}
	return new Map([...seen].map(([key, answers]) => [key, summary(answers)]));
}

function summary(answers: Array<{ status: number; body: unknown; contentType: string }>): Answered {
	const { status, contentType } = answers[0]!;
	if (contentType !== 'application/json') {
		return { status, contentType };
	}
	return { status, contentType, schema: createCompoundSchema(answers.map(({ body }) => body)) };
}

/** A fixed segment wins over a variable, as in the server. */
function byVariables(routes: Route[]): Route[] {
	const variables = ({ path }: Route) => path.split(':').length;
	return [...routes].sort((one, other) => variables(one) - variables(other));
}

function matches(pattern: string, path: string): boolean {
	const wanted = pattern.split('/');
	const given = path.split('?')[0]!.split('/');
	return wanted.length === given.length && wanted.every((part, index) => part.startsWith(':') || part === given[index]);
}

import axios, { type AxiosResponse } from 'axios';

import { type Action, absolute } from '../../world/agent.mts';
import type { ActionUse } from '../../world/call.mts';
import type { World } from '../../world/world.mts';
import { isTooLarge, RESPONSE_LIMIT } from '../deliveries/deliverer.mts';
import { mergeHeaders } from '../deliveries/headers.mts';
import { asText, fill } from '../deliveries/template.mts';

/** How much of a response is kept, in characters. */
const RESPONSE_KEPT = 10_000;
const MASK = '***';
/** Matches the characters that a header value must not contain. */
const INVALID_IN_HEADER = /[^\t\x20-\x7e\x80-\xff]/g;

type Values = Record<string, unknown>;

/**
 * Sends the request of a webhook action: a POST with the inputs as a JSON object and the action's headers, whose
 * templates are filled in. If the action has an `authorization_url`, a token is fetched from it first. Stores in `use`
 * the request, with the token masked, and the response or the error.
 */
export async function sendAction(
	world: World,
	use: ActionUse,
	action: Action,
	values: Values,
	input: Values,
): Promise<void> {
	const to = absolute(action.url, world.origin);
	if (to === null) {
		use.error = 'The action has no URL.';
		return;
	}
	const request = new AbortController();
	let late = false;
	const deadline = setTimeout(() => {
		late = true;
		request.abort();
	}, world.options.actionLimitMs);
	world.sending.add(request);
	try {
		const scheme = String(action.unshown.authorization_scheme ?? 'none');
		const token = scheme === 'none' ? null : await fetchToken(action, values, request.signal);
		const hide = (given: string) => (token === null ? given : given.replaceAll(token, MASK));
		const headers = headersOf(action, scheme, token, values);
		const body = JSON.stringify(input);
		use.request = { method: 'POST', url: to, headers: textsOf(headers, hide), body };
		const response = await post(to, body, headers, request.signal);
		const whole = hide(response.data);
		const text = whole.slice(0, RESPONSE_KEPT);
		use.response = { status: response.status, headers: textsOf(response.headers, hide), body: text };
		use.result = jsonOr(whole, text);
		if (response.status < 200 || response.status > 299) {
			use.result = null;
			use.error = `The action answered with the status ${response.status}.`;
		}
	} catch (error) {
		use.error = late
			? `The action did not answer within ${world.options.actionLimitMs / 1000} s.`
			: isTooLarge(error)
				? 'The response of the action is larger than 10 MB.'
				: `The action could not be reached: ${reasonOf(error)}.`;
	} finally {
		clearTimeout(deadline);
		world.sending.delete(request);
	}
}

/** @returns null for an action without an authorization URL. @throws if the response lacks a token */
async function fetchToken(action: Action, values: Values, signal: AbortSignal): Promise<string | null> {
	if (action.authorization_url === null) {
		return null;
	}
	const headers = mergeHeaders(customHeaders(action, null, values));
	const { data, status } = await post(action.authorization_url, '', headers, signal);
	const value = jsonOr(data, null);
	const fields = value !== null && typeof value === 'object' ? (value as Values) : {};
	const token = fields.access_token ?? fields.token;
	if (
		status < 200 ||
		status > 299 ||
		typeof token !== 'string' ||
		token === '' ||
		token.search(INVALID_IN_HEADER) >= 0
	) {
		throw new Error(`the authorization URL answered with the status ${status} and without an access_token`);
	}
	return token;
}

function post(url: string, body: string, headers: Values, signal: AbortSignal): Promise<AxiosResponse<string>> {
	return axios.request<string>({
		method: 'POST',
		url,
		data: Buffer.from(body, 'utf8'),
		headers: headers as Record<string, string>,
		signal,
		responseType: 'text',
		maxRedirects: 0,
		maxContentLength: RESPONSE_LIMIT,
		proxy: false,
		// Keeps the response as text; axios would parse JSON.
		transformResponse: (text: string) => text,
		validateStatus: () => true,
	});
}

function headersOf(action: Action, scheme: string, token: string | null, values: Values): Record<string, string> {
	const own: Record<string, string> = {
		'Content-Type': 'application/json',
		'User-Agent': 'voice-agent-calling-sandbox',
	};
	const authorization: Record<string, string> = {};
	if (token !== null && scheme === 'api_key') {
		authorization['X-API-Key'] = token;
	} else if (token !== null && scheme !== 'custom') {
		authorization.Authorization = `${scheme === 'basic' ? 'Basic' : 'Bearer'} ${token}`;
	}
	return mergeHeaders(own, authorization, customHeaders(action, token, values));
}

function customHeaders({ unshown }: Action, token: string | null, values: Values): Record<string, string> {
	const given = (unshown.custom_headers ?? []) as Array<{ key: string; value: string }>;
	return Object.fromEntries(
		given.map(({ key, value }) => {
			const filled = fill(value, { ...values, ...(token === null ? {} : { token }) });
			return [key, asText(filled).replace(INVALID_IN_HEADER, '')];
		}),
	);
}

function textsOf(headers: object, hide: (text: string) => string): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide(String(value))]));
}

function jsonOr<Other>(text: string, otherwise: Other): unknown | Other {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return otherwise;
	}
}

function reasonOf(error: unknown): string {
	if (axios.isAxiosError(error)) {
		return error.code ?? error.message;
	}
	return error instanceof Error ? error.message : String(error);
}

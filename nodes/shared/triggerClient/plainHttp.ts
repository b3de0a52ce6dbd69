import type { IHttpRequestOptions, IN8nHttpFullResponse, RequestHelperFunctions } from 'n8n-workflow';

import { fromJson } from '../lib/json';

/**
 * Sends a request without n8n's helpers. These keep the whole execution in memory as long as somebody has them, and a
 * message to this n8n may be due days after an execution has fallen asleep. Unlike them, it uses no proxy.
 */
export const plainHttp: Pick<RequestHelperFunctions, 'httpRequest'> = {
	async httpRequest({ url, method, headers, body, timeout = 20_000 }: IHttpRequestOptions) {
		const response = await fetch(url, {
			method,
			headers: headers as Record<string, string>,
			body: String(body),
			redirect: 'manual',
			signal: AbortSignal.timeout(timeout),
		});
		const full: IN8nHttpFullResponse = {
			statusCode: response.status,
			headers: Object.fromEntries(response.headers),
			body: fromJson(await response.text()) as IN8nHttpFullResponse['body'],
		};
		return full;
	},
};

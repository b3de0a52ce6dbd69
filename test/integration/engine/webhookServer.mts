import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Request, Response } from 'express';

import { n8n, requireFromCore } from './n8n.mts';

const { parseIncomingMessage } = requireFromCore('@n8n/backend-network') as {
	parseIncomingMessage(request: IncomingMessage): void;
};

/** Answers one request to a webhook path; `undefined` if the handler has sent the response itself. */
export type WebhookHandler = (
	request: Request,
	response: Response,
) => Promise<{ status: number; body?: unknown } | undefined>;

type N8nRequest = IncomingMessage & {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
	body?: unknown;
	contentType?: string;
	encoding?: BufferEncoding;
};

async function readRawBody(request: N8nRequest): Promise<void> {
	if (request.rawBody === undefined && request.readableEnded) {
		throw new Error('Request body stream was aborted or is not readable');
	}
	request.rawBody ??= await buffer(request);
}

/** n8n's parseBody, for JSON, and its parseFormData, which keeps no bytes. @throws for invalid JSON */
async function parseBody(request: N8nRequest): Promise<void> {
	if (request.contentType === 'multipart/form-data') {
		await buffer(request);
	}
	if (request.contentType === 'application/json') {
		await readRawBody(request);
		const text = request.rawBody?.toString(request.encoding) ?? '';
		request.body = text === '' ? undefined : n8n.jsonParse(text.replace(/^\uFEFF/, ''));
	}
}

/** Adds the parts of Express's request and response that n8n and this package use. */
function asExpress(message: IncomingMessage, answer: ServerResponse): [Request, Response] {
	const url = new URL(message.url ?? '/', 'http://127.0.0.1');
	const request = Object.assign(message as N8nRequest, {
		path: url.pathname,
		query: Object.fromEntries(url.searchParams),
	});
	request.readRawBody = async () => await readRawBody(request);
	const response = Object.assign(answer, {
		status(code: number) {
			answer.statusCode = code;
			return response;
		},
		send(body?: unknown) {
			if (typeof body === 'object' && body !== null && !Buffer.isBuffer(body)) {
				return response.json(body);
			}
			if (!answer.hasHeader('content-type')) {
				answer.setHeader('content-type', 'text/html; charset=utf-8');
			}
			answer.end(body);
			return response;
		},
		json(body?: unknown) {
			answer.setHeader('content-type', 'application/json; charset=utf-8');
			answer.end(JSON.stringify(body));
			return response;
		},
	});
	return [request as unknown as Request, response as unknown as Response];
}

/** Serves webhooks like n8n: parses the body before it calls the node, 422 for invalid JSON, 500 for any error. */
export async function startWebhookServer(handler: WebhookHandler) {
	const server = createServer((message, answer) => {
		const [request, response] = asExpress(message, answer);
		const send = ({ status, body }: { status: number; body?: unknown }) => {
			if (answer.headersSent) {
				return;
			}
			response.status(status);
			if (typeof body === 'string') {
				response.send(body);
			} else {
				response.json(body);
			}
		};
		const serve = async () => {
			parseIncomingMessage(message);
			try {
				await parseBody(message);
			} catch {
				send({ status: 422, body: { code: 422, message: 'Failed to parse request body' } });
				return;
			}
			const result = await handler(request, response);
			if (result) {
				send(result);
			}
		};
		serve().catch((error: Error) => send({ status: 500, body: { code: 0, message: error.message } }));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

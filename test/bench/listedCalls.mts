import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { contact } from './job.mts';

const MOST_PER_PAGE = 100;

/**
 * Starts a service that lists more calls than a sandbox keeps: one to each of the first contacts. The sandbox answers all
 * other requests.
 *
 * @param sandbox its address
 * @param total how many calls it lists
 * @returns its address, and a function that ends it
 */
export async function startListing(sandbox: string, total: number): Promise<{ url: string; stop: () => void }> {
	// Only the last two weeks are asked for: all calls are of yesterday.
	const created_at = new Date(Date.now() - 86_400_000).toISOString();
	const call = (index: number) => ({
		id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
		to: contact(index).to,
		from: '+12025550123',
		is_testing: false,
		direction: 'outbound',
		status: 'completed',
		duration: 60,
		agent: { id: '54a4d1da-ab34-4519-8c3e-0d20a2b9a25c', name: 'Dmitri', label: 'Invoice follow-up' },
		created_at,
		updated_at: created_at,
	});
	const list = (url: URL) => {
		const page = Number(url.searchParams.get('page') ?? 1);
		const per_page = Math.min(Number(url.searchParams.get('per_page') ?? 20), MOST_PER_PAGE);
		const first = (page - 1) * per_page;
		const length = Math.max(0, Math.min(per_page, total - first));
		return {
			success: true,
			data: Array.from({ length }, (_, index) => call(first + index)),
			pagination: { current_page: page, last_page: Math.ceil(total / per_page), per_page, total },
		};
	};
	const server = createServer((request, response) => {
		const url = new URL(request.url ?? '', sandbox);
		if (request.method === 'GET' && url.pathname === '/api/v1/calls') {
			response.setHeader('content-type', 'application/json').end(JSON.stringify(list(url)));
		} else {
			passOn(url, request, response).catch((error) => response.destroy(error as Error));
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const stop = () => {
		server.close();
		server.closeAllConnections();
	};
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

async function passOn(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
	const { method, headers } = request;
	const body = await buffer(request);
	const { authorization = '', 'content-type': type = 'application/json' } = headers;
	const answer = await fetch(url, {
		method,
		headers: { authorization, 'content-type': type },
		...(body.length > 0 && { body }),
	});
	response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
	response.end(Buffer.from(await answer.arrayBuffer()));
}

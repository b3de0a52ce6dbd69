import { createServer } from 'node:http';

import { listen } from '../../listen.mts';

/** What a service answers; without a status it cuts the connection. */
export interface Answer {
	status?: number;
	body?: object;
	headers?: Record<string, string>;
}

/** Starts a service for one run, until the test file ends. @returns its credential */
export async function startPlannedService(
	answer: (method: string, url: string, to: string) => Promise<Answer> | Answer,
) {
	const server = createServer(async (request, response) => {
		let text = '';
		for await (const chunk of request) {
			text += String(chunk);
		}
		const { to } = JSON.parse(text || '{}') as { to: string };
		const { status, body, headers } = await answer(String(request.method), String(request.url), to);
		if (status === undefined) {
			request.socket.destroy();
		} else {
			response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
		}
	});
	const baseUrl = `http://127.0.0.1:${await listen(server)}`;
	return { voiceAgentCallingApi: { baseUrl, environmentToken: 'TOKEN' } };
}

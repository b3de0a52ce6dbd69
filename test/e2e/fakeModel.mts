import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A tool as the model is told of it. */
export interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties?: Record<string, unknown> };
}

/** What the fake model does at one turn: call a tool, or answer. */
export type Turn = { tool: string; args: Record<string, unknown> } | { say: string };

/**
 * A model that does what a test has written down, behind the interface of OpenAI's chat completions.
 * It keeps what it was told.
 */
export async function startFakeModel(turns: Turn[]) {
	const offered: OfferedTool[][] = [];
	const toolAnswers: string[] = [];
	const server = createServer((request, response) => {
		let text = '';
		request.on('data', (chunk) => (text += chunk));
		request.on('end', () => {
			const { tools = [], messages = [] } = JSON.parse(text || '{}') as {
				tools?: Array<{ function: OfferedTool }>;
				messages?: Array<{ role: string; content: unknown }>;
			};
			offered.push(tools.map((tool) => tool.function));
			const answers = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
			toolAnswers.splice(0, toolAnswers.length, ...answers);
			const turn = turns.shift() ?? { say: 'Done.' };
			const message =
				'say' in turn
					? { role: 'assistant', content: turn.say }
					: {
							role: 'assistant',
							content: null,
							tool_calls: [
								{
									id: `call_${offered.length}`,
									type: 'function',
									function: { name: turn.tool, arguments: JSON.stringify(turn.args) },
								},
							],
						};
			response.setHeader('content-type', 'application/json');
			response.end(
				JSON.stringify({
					id: 'fake',
					object: 'chat.completion',
					created: 0,
					model: 'fake',
					choices: [{ index: 0, message, finish_reason: 'say' in turn ? 'stop' : 'tool_calls' }],
					usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
				}),
			);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/v1`,
		/** The tools of each request. */
		offered,
		/** What the tools have answered so far. */
		toolAnswers,
		close: () => new Promise<void>((resolve) => server.close(() => resolve())),
	};
}

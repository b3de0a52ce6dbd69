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

/** How OpenAI writes that a tool is called. */
const calling = ({ tool, args }: { tool: string; args: object }) => ({ name: tool, arguments: JSON.stringify(args) });

/** What is the same in all answers. */
const answer = { id: 'fake', created: 0, model: 'fake' };

/** What the model says, or asks for. */
interface Message {
	role: 'assistant';
	content: string | null;
	tool_calls?: Array<{ id: string; type: 'function'; function: { name: string; arguments: string } }>;
}

/**
 * A model that does what a test has written down, behind the interface of OpenAI's chat completions.
 * It keeps what it was told.
 *
 * @param turns one after the other, or what it does when a person has said something
 */
export async function startFakeModel(turns: Turn[] | ((said: string) => Turn)) {
	const offered: OfferedTool[][] = [];
	const toolAnswers: string[] = [];
	const server = createServer((request, response) => {
		// It has no other interface, such as OpenAI's newer one: n8n then takes this one.
		if (!request.url?.endsWith('/chat/completions')) {
			response.writeHead(404).end();
			return;
		}
		let text = '';
		request.on('data', (chunk) => (text += chunk));
		request.on('end', () => {
			const {
				tools = [],
				messages = [],
				stream = false,
			} = JSON.parse(text || '{}') as {
				stream?: boolean;
				tools?: Array<{ function: OfferedTool }>;
				messages?: Array<{ role: string; content: unknown }>;
			};
			offered.push(tools.map((tool) => tool.function));
			const answers = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
			toolAnswers.splice(0, toolAnswers.length, ...answers);
			const said = messages.findLast(({ role }) => role === 'user')?.content;
			const turn = (typeof turns === 'function' ? turns(String(said)) : turns.shift()) ?? { say: 'Done.' };
			const message: Message =
				'say' in turn
					? { role: 'assistant', content: turn.say }
					: {
							role: 'assistant',
							content: null,
							tool_calls: [{ id: `call_${offered.length}`, type: 'function', function: calling(turn) }],
						};
			const reason = 'say' in turn ? 'stop' : 'tool_calls';
			const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
			if (!stream) {
				const choices = [{ index: 0, message, finish_reason: reason }];
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify({ ...answer, object: 'chat.completion', choices, usage }));
				return;
			}
			// An older AI Agent always asks for a stream. This one has a single piece.
			const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
			const chunks = [
				{ choices: [{ index: 0, delta: { ...message, tool_calls: calls }, finish_reason: null }] },
				{ choices: [{ index: 0, delta: {}, finish_reason: reason }] },
				{ choices: [], usage },
			];
			response.setHeader('content-type', 'text/event-stream');
			for (const chunk of chunks) {
				response.write(`data: ${JSON.stringify({ ...answer, object: 'chat.completion.chunk', ...chunk })}\n\n`);
			}
			response.end('data: [DONE]\n\n');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	// It lives as long as the test file, and keeps no process.
	server.unref().on('connection', (socket) => socket.unref());
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/v1`,
		/** The tools of each request. */
		offered,
		/** What the tools have answered so far. */
		toolAnswers,
	};
}

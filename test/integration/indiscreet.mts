import { startChangedService } from './changedService.mts';
import type { Service } from './service.mts';

/** Private words, each in another place of the answers; none occurs there by chance. */
export const planted = {
	token: ['a', 'token', 'of', 'the', 'environment'].join('-'),
	resumeToken: ['resumes', 'a', 'wait'].join('-'),
	ownResumeToken: ['resumes', 'this', 'node'].join('-'),
	ticket: ['ticket', 'of', 'a', 'call'].join('-'),
};

const waiting = `https://n8n.example.com/webhook-waiting/17?signature=${planted.resumeToken}`;

/** The address of Wait Until Completed, in an n8n with another path for waits. */
const ownWaiting = `https://n8n.example.com/w/17/node-1?signature=${planted.ownResumeToken}&campaign=c-1`;

const told = `It got Bearer ${planted.token}, and calls ${ownWaiting}, once`;

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts private words wherever an object has a place for one, without changing what the nodes go by. */
function withPrivateWords(value: unknown): unknown {
	if (Array.isArray(value)) {
		return value.map(withPrivateWords);
	}
	if (!isRecord(value)) {
		return value;
	}
	const entries = Object.entries(value).map(([key, inner]) => [key, withPrivateWords(inner)]);
	const result: Record<string, unknown> = Object.fromEntries(entries);
	const { id, webhook_url: url, webhooks, message } = result;
	// Triggers have to be found, and what a test has put there has to come back.
	if (typeof url === 'string' && !url.includes('?') && !url.endsWith('/webhook')) {
		result.webhook_url = waiting;
	}
	if (Array.isArray(webhooks)) {
		webhooks.push({ id: 'waits', name: 'Waits', webhook_url: ownWaiting, events: [], enabled: true });
	}
	if (typeof message === 'string') {
		result.message = `${message} ${told}`;
	}
	if (id !== undefined) {
		result.note = told;
		result.context = { ...Object(result.context), 'n8n-nodes-voice-agent-calling': planted.ticket };
	}
	return result;
}

/** Starts a service that adds private words to every answer to the nodes. */
export async function startIndiscreetService(): Promise<Service> {
	return await startChangedService(withPrivateWords, { token: planted.token });
}

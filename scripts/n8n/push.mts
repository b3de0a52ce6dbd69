import { randomUUID } from 'node:crypto';

import { until } from '../lib/waiting.mts';

/** A push message of n8n to an editor tab, such as `testWebhookReceived`. */
export interface PushMessage {
	type: string;
	data: Record<string, unknown>;
}

/** The push connection of an editor tab, and all messages received. */
export class PushConnection {
	/** Identifies the tab in the header `push-ref` of its requests. */
	readonly ref: string;
	readonly messages: PushMessage[] = [];
	private readonly socket: WebSocket;

	private constructor(ref: string, socket: WebSocket) {
		this.ref = ref;
		this.socket = socket;
		// Long messages come as bytes.
		socket.binaryType = 'arraybuffer';
		socket.addEventListener('message', (event) => {
			const data = event.data as string | ArrayBuffer;
			const text = typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
			this.messages.push(JSON.parse(text) as PushMessage);
		});
	}

	/**
	 * @param url n8n's address without a trailing slash
	 * @param cookie the cookie of a logged-in user
	 */
	static async open(url: string, cookie: string): Promise<PushConnection> {
		const ref = randomUUID();
		const address = `${url.replace(/^http/, 'ws')}/rest/push?pushRef=${ref}`;
		const socket = new WebSocket(address, { headers: { cookie, origin: url } });
		await new Promise<void>((resolve, reject) => {
			socket.addEventListener('open', () => resolve());
			socket.addEventListener('error', () => reject(new Error(`No push connection to ${url}`)));
		});
		return new PushConnection(ref, socket);
	}

	/** Waits for a message of this type among those received since `from`. @returns its data */
	async next(type: string, from = 0): Promise<Record<string, unknown>> {
		const ask = async () => this.messages.slice(from).find((message) => message.type === type)?.data;
		const types = () => this.messages.slice(from).map((message) => message.type);
		const otherwise = () => new Error(`n8n sent no ${type}, only: ${types().join(', ')}`);
		return await until(ask, { seconds: 30, every: 50, otherwise });
	}

	close(): void {
		this.socket.close();
	}
}

import { createHmac, randomUUID } from 'node:crypto';
import axios from 'axios';

/** HMAC-SHA256 of a text, as the service signs. */
export function hmac(secret: string, text: string, encoding: 'hex' | 'base64' = 'hex'): string {
	return createHmac('sha256', secret).update(text).digest(encoding);
}

/** Seconds since 1970, some seconds from now. */
export function seconds(fromNow = 0): number {
	return Math.floor(Date.now() / 1000) + fromNow;
}

/** A signature with a timestamp, as `t=…,v1=…`. */
export function timestamped(secret: string, body: string, at = seconds()): string {
	return `t=${at},v1=${hmac(secret, `${at}.${body}`)}`;
}

/** The body of a new event. */
export function newEvent(more: object = {}): string {
	const timestamp = new Date().toISOString();
	return JSON.stringify({ event: 'campaign_call.completed', id: randomUUID(), timestamp, ...more });
}

/** Sends a request byte for byte as given; accepts any status. */
export async function sendRaw(
	method: string,
	url: string,
	body: string,
	headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
	const response = await axios.request<string>({
		method,
		url,
		data: Buffer.from(body),
		headers: { 'content-type': 'application/json', ...headers },
		responseType: 'text',
		transformResponse: (text: string) => text,
		validateStatus: () => true,
		proxy: false,
	});
	return { status: response.status, text: response.data };
}

/** Sends JSON. @param headers besides the content type */
export async function postJson(url: string, body: object, headers: object = {}) {
	const all = { 'content-type': 'application/json', ...headers };
	const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers: all });
	return { status: response.status, text: await response.text() };
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import { isRecord } from '../lib/isRecord';

/** Under this key the ticket travels in the `context` of a call; what the user puts into the context stays as it is. */
export const TICKET_FIELD = 'n8n-nodes-voice-agent-calling';

/** Which waiting execution a call belongs to, and how it is resumed. */
export interface Ticket {
	/** Address that resumes the execution; whoever has it can do so, which is why it travels encrypted. */
	url: string;
	/** Which execution, which of its nodes by ID, which run of the node and which item of the run waits for the call. */
	execution: string;
	node: string;
	run: number;
	item: number;
	/** The kinds of event that end the wait. */
	kinds: string[];
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Writes a ticket so that only who has the key can read it: every webhook of the call gets its `context`. */
export function seal(key: Buffer, ticket: Ticket): string {
	const nonce = randomBytes(NONCE_BYTES);
	const cipher = createCipheriv(ALGORITHM, key, nonce);
	const sealed = [nonce, cipher.update(JSON.stringify(ticket), 'utf8'), cipher.final(), cipher.getAuthTag()];
	return Buffer.concat(sealed).toString('base64url');
}

/** Reads a sealed ticket; undefined for whatever was not sealed with this key. */
export function unseal(key: Buffer, sealed: unknown): Ticket | undefined {
	if (typeof sealed !== 'string') {
		return undefined;
	}
	const bytes = Buffer.from(sealed, 'base64url');
	if (bytes.length <= NONCE_BYTES + TAG_BYTES) {
		return undefined;
	}
	const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
	decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
	try {
		const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
		return JSON.parse(text) as Ticket;
	} catch {
		return undefined;
	}
}

/** Looks for a sealed ticket anywhere in an event: a payload template may have moved the context. */
export function findTicket(value: unknown): unknown {
	if (Array.isArray(value)) {
		return value.map(findTicket).find((found) => found !== undefined);
	}
	if (!isRecord(value)) {
		return undefined;
	}
	return value[TICKET_FIELD] ?? findTicket(Object.values(value));
}

/** Key and value in a text that is JSON, or is JSON inside of JSON. */
const PAIR = `\\\\*"${TICKET_FIELD}\\\\*"\\s*:\\s*\\\\*"[\\w-]*\\\\*"`;

const IN_TEXT = new RegExp(`,\\s*${PAIR}|${PAIR}\\s*,?`, 'g');

/** The same value without tickets: what they are good for is nobody's business. */
export function withoutTickets<Value>(value: Value): Value;
export function withoutTickets(value: unknown): unknown {
	if (typeof value === 'string') {
		return value.includes(TICKET_FIELD) ? value.replace(IN_TEXT, '') : value;
	}
	if (Array.isArray(value)) {
		return value.map((inner: unknown) => withoutTickets(inner));
	}
	if (!isRecord(value)) {
		return value;
	}
	const entries = Object.entries(value).filter(([key]) => key !== TICKET_FIELD);
	return Object.fromEntries(entries.map(([key, inner]) => [key, withoutTickets(inner)]));
}

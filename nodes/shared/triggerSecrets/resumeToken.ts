import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import { isRecord } from '../lib/json';
import { type ChainedCall, callsInChain } from './callChain';

/**
 * The key that this package adds to the `context` of a call. Its value has up to three parts, divided by periods:
 * {@link TEST_MARK}, {@link CHAIN} with the calls, and the resume token of a waiting execution. The user's own keys are
 * kept.
 */
export const CONTEXT_FIELD = 'n8n-nodes-voice-agent-calling';

/** Marks a test call. The mark is not encrypted: events are signed, and a forged mark would only cause test calls. */
const TEST_MARK = 'test';

/** Precedes the calls that led to a call. */
const CHAIN = 'chain';

/** A value of {@link CONTEXT_FIELD}. */
const PARTS = new RegExp(`^(${TEST_MARK}(?:\\.|$))?(?:${CHAIN}\\.([\\w-]*)(?:\\.|$))?(.*)$`, 's');

/** Identifies the waiting execution of a call, and how it is resumed. */
export interface ResumeToken {
	/** The URL that resumes the execution. Anybody who has it can use it, so the resume token is encrypted. */
	url: string;
	/** ID of the execution. */
	execution: string;
	/** ID of the node. */
	node: string;
	/** Index of the node's run in the execution. */
	run: number;
	/** Index of the item in the run. */
	item: number;
	/** The event types that the execution waits for. */
	eventTypes: string[];
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts and authenticates a resume token, or another value: every webhook of a call receives its `context`. */
export function seal<Value = ResumeToken>(key: Buffer, value: Value): string {
	const nonce = randomBytes(NONCE_BYTES);
	const cipher = createCipheriv(ALGORITHM, key, nonce);
	const sealed = [nonce, cipher.update(JSON.stringify(value), 'utf8'), cipher.final(), cipher.getAuthTag()];
	return Buffer.concat(sealed).toString('base64url');
}

/** Decrypts a value of {@link seal}; undefined for a text that was not sealed with this key. */
export function unseal<Value = ResumeToken>(key: Buffer, sealed: unknown): Value | undefined {
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
		return JSON.parse(text) as Value;
	} catch {
		return undefined;
	}
}

/**
 * Matches key and value in JSON text, and in JSON text that is a string in other JSON. A match begins at the first of
 * several backslashes: otherwise a text with many backslashes would take long.
 */
const PAIR = `(?<!\\\\)\\\\*"${CONTEXT_FIELD}\\\\*"\\s*:\\s*\\\\*"([\\w.-]*)\\\\*"`;

const IN_TEXT = new RegExp(`,\\s*${PAIR}|${PAIR}\\s*,?`, 'g');

/**
 * Finds the values of {@link CONTEXT_FIELD} at any depth of an event, and in a context that is JSON text: the service
 * does not publish where and in which form events contain the context.
 */
function findValues(value: unknown): unknown[] {
	if (typeof value === 'string') {
		return value.includes(CONTEXT_FIELD) ? [...value.matchAll(new RegExp(PAIR, 'g'))].map(([, found]) => found) : [];
	}
	if (Array.isArray(value)) {
		return value.flatMap(findValues);
	}
	if (!isRecord(value)) {
		return [];
	}
	return Object.entries(value).flatMap(([key, inner]) => (key === CONTEXT_FIELD ? [inner] : findValues(inner)));
}

/** Splits a value of {@link CONTEXT_FIELD}. */
function partsOf(value: unknown): { isMarked: boolean; chain: ChainedCall[]; sealed: unknown } {
	const [, mark, chain = '', sealed = value] = (typeof value === 'string' && PARTS.exec(value)) || [];
	return { isMarked: mark !== undefined, chain: callsInChain(chain), sealed };
}

/** Finds the possible resume tokens, still sealed, at any depth of an event. */
export function findResumeTokens(event: unknown): unknown[] {
	return findValues(event)
		.map((value) => partsOf(value).sealed)
		.filter((sealed) => sealed !== '');
}

/** Whether an event has the mark of a test call, at any depth. */
export function isMarkedAsTest(event: unknown): boolean {
	return findValues(event).some((value) => partsOf(value).isMarked);
}

/** Returns the calls that led to an event. */
export function chainIn(event: unknown): ChainedCall[] {
	return findValues(event).flatMap((value) => partsOf(value).chain);
}

/**
 * Adds to the context of a call what the events of the call tell the trigger. A resume token in it is kept.
 *
 * @param chain the text of the calls that led to the call; undefined if no event began the execution
 */
export function withMarks(
	context: Record<string, unknown>,
	{ isTest, chain }: { isTest: boolean; chain: string | undefined },
): Record<string, unknown> {
	const { [CONTEXT_FIELD]: sealed } = context;
	const marks = [...(isTest ? [TEST_MARK] : []), ...(chain ? [CHAIN, chain] : [])];
	return marks.length === 0
		? context
		: { ...context, [CONTEXT_FIELD]: [...marks, ...(sealed === undefined ? [] : [String(sealed)])].join('.') };
}

/**
 * Copies a JSON value without the resume tokens and marks in it: they must neither be stored with an execution nor be
 * sent with another call. An object with `toJSON`, such as a date, is replaced with the result of that method.
 */
export function withoutResumeTokens<Value>(value: Value): Value;
export function withoutResumeTokens(value: unknown): unknown {
	if (typeof value === 'string') {
		return value.includes(CONTEXT_FIELD) ? value.replace(IN_TEXT, '') : value;
	}
	if (Array.isArray(value)) {
		return value.map((inner: unknown) => withoutResumeTokens(inner));
	}
	if (!isRecord(value)) {
		return value;
	}
	if (typeof value.toJSON === 'function') {
		return withoutResumeTokens(value.toJSON());
	}
	const entries = Object.entries(value).filter(([key]) => key !== CONTEXT_FIELD);
	return Object.fromEntries(entries.map(([key, inner]) => [key, withoutResumeTokens(inner)]));
}

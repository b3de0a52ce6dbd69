import { hkdfSync } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { invalid } from './errors/serviceError';

const PACKAGE_NAME = 'n8n-nodes-voice-agent-calling';

/**
 * Keys of nodes with the same credential: they can read each other's resume tokens and verify each other's messages.
 */
export interface Keys {
	/** Key of AES-256, for resume tokens. */
	resumeTokens: Buffer;
	/** Key of HMAC-SHA256, for messages. */
	messages: Buffer;
	/** Key of HMAC-SHA256, from which the signing secrets of webhooks are derived. */
	secrets: Buffer;
	/**
	 * Shows in the URL of a webhook whether it was registered with the same token. It is too short to confirm a guess of
	 * the token, and nothing else is derived from it.
	 */
	fingerprint: string;
}

/** The part of n8n's contexts that reads a credential. */
interface CredentialReader {
	getCredentials<Data extends object = ICredentialDataDecryptedObject>(type: string): Promise<Data>;
}

/** Two tokens of one environment almost never share a fingerprint of this length. */
const FINGERPRINT_BYTES = 3;

/**
 * Refuses a credential without a token, because anybody could compute the keys of an empty token, and a token that was
 * copied with more than itself.
 *
 * @throws ServiceError `INVALID_INPUT`
 */
export function assertToken(environmentToken: unknown): void {
	if (tokenOf(environmentToken) === '') {
		throw invalid("'Environment Token' is empty", 'Copy it from the dashboard (Account → Environments).');
	}
	const [found] = /^(bearer\s|["'`])/i.exec(String(environmentToken).trim()) ?? [];
	if (found !== undefined) {
		throw invalid(
			"'Environment Token' contains more than the token",
			found.length > 1 ? 'Remove Bearer before it.' : 'Remove the quotes around it.',
		);
	}
}

/**
 * Derives the keys from the environment token of the node's credential. The token cannot be computed from a key.
 *
 * @throws ServiceError if the token is empty
 */
export async function loadKeys(caller: CredentialReader): Promise<Keys> {
	const { environmentToken } = await caller.getCredentials('voiceAgentCallingApi');
	assertToken(environmentToken);
	const token = tokenOf(environmentToken);
	const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', token, '', `${PACKAGE_NAME} ${purpose}`, 32));
	return {
		resumeTokens: derive('resumeTokens'),
		messages: derive('messages'),
		secrets: derive('secrets'),
		fingerprint: derive('fingerprint').toString('hex', 0, FINGERPRINT_BYTES),
	};
}

/**
 * Returns the environment token without line breaks and invisible characters, which may have been copied with it. n8n's
 * HTTP library would drop some of them or fail, depending on its version.
 */
export function tokenOf(environmentToken: unknown): string {
	return String(environmentToken ?? '').replace(/[^\x21-\x7e]/g, '');
}

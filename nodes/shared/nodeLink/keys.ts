import { hkdfSync } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { tokenOf } from '../lib/token';

const PACKAGE_NAME = 'n8n-nodes-voice-agent-calling';

/** Keys of nodes with the same credential: they can read each other's tickets and verify each other's messages. */
export interface Keys {
	/** Key of AES-256, for tickets. */
	tickets: Buffer;
	/** Key of HMAC-SHA256, for messages. */
	messages: Buffer;
	/** Key of HMAC-SHA256, from which the signing secrets of webhooks are derived. */
	secrets: Buffer;
}

/** The part of n8n's contexts that reads a credential. */
interface CredentialReader {
	getCredentials<Data extends object = ICredentialDataDecryptedObject>(type: string): Promise<Data>;
}

/** Derives the keys from the environment token of the node's credential. The token cannot be computed from a key. */
export async function loadKeys(caller: CredentialReader): Promise<Keys> {
	const { environmentToken } = await caller.getCredentials('voiceAgentCallingApi');
	const token = tokenOf(environmentToken);
	const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', token, '', `${PACKAGE_NAME} ${purpose}`, 32));
	return { tickets: derive('tickets'), messages: derive('messages'), secrets: derive('secrets') };
}

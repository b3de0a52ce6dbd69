import { hkdfSync } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

const NAME = 'n8n-nodes-voice-agent-calling';

/** What only the nodes that share a credential can do: they read each other's tickets and believe each other's messages. */
export interface Keys {
	/** Key of AES-256, for tickets. */
	tickets: Buffer;
	/** Key of HMAC-SHA256, for messages. */
	messages: Buffer;
}

/** Wherever n8n lets a node read its credential. */
interface CredentialReader {
	getCredentials<Data extends object = ICredentialDataDecryptedObject>(type: string): Promise<Data>;
}

/** Derives the keys from the environment token of the node's credential; nobody gets from a key back to the token. */
export async function loadKeys(caller: CredentialReader): Promise<Keys> {
	const { environmentToken } = await caller.getCredentials('voiceAgentCallingApi');
	const token = String(environmentToken ?? '').trim();
	const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', token, '', `${NAME} ${purpose}`, 32));
	return { tickets: derive('tickets'), messages: derive('messages') };
}

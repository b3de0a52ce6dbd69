import { createHash, hash } from 'node:crypto';

/** The SHA-256 hash of a text or of bytes, in Base64 for URLs. */
export function sha256(text: string | Buffer): string {
	// `hash` is three times as fast. Node.js before 20.12 does not have it.
	return hash ? hash('sha256', text, 'base64url') : createHash('sha256').update(text).digest('base64url');
}

/**
 * The environment token as it is sent: without the line breaks and invisible characters that come with copying. n8n's
 * HTTP library would leave some of them out or fail, depending on its version.
 */
export function tokenOf(environmentToken: unknown): string {
	return String(environmentToken ?? '').replace(/[^\x21-\x7e]/g, '');
}

/** Where a redirect leads to, in words: the origin of an absolute URL, because the rest of it may hold a secret. */
export function targetOf(location: unknown): string {
	return typeof location === 'string' && URL.canParse(location) ? new URL(location).origin : 'another address';
}

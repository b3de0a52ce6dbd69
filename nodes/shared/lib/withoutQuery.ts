/** A URL without its query and fragment. */
export function withoutQuery(url: string): string {
	return url.replace(/[?#].*$/s, '');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text for hints and notices, which the editor shows as HTML. */
export function asHtml(text: string): string {
	return text.replace(/[&<>]/g, (sign) => ENTITIES[sign]);
}

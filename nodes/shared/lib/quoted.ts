/** Longer IDs and texts in a message are cut. */
const MAX_QUOTED = 60;

/** A text in quotation marks, cut if it is long. */
export function quoted(text: string): string {
	const line = text.replace(/\s+/g, ' ');
	return `"${line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line}"`;
}

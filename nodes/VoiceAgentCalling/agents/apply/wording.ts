/** A list in a sentence: `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
	return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** That some fields differ, such as `url and description differ`. */
export function differ(fields: readonly string[]): string {
	return `${listed(fields)} ${fields.length === 1 ? 'differs' : 'differ'}`;
}

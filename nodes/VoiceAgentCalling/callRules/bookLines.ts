// The parts of the lines of a book: see the table there.

/** What a line of a call says, besides its group. */
export interface SentLine {
	item: number;
	run: number;
	/** Hash of the phone. */
	phone: string;
	/** When the phone can ring, since 1970. */
	seconds: number;
}

/** The line of a call. @param group the number of its group */
export function lineOf(group: number, { item, run, phone, seconds }: SentLine): string {
	return [group, item, phone, seconds, ...(run === 0 ? [] : [run])].map(inBase36).join('.');
}

/** A number of a line; a text stays as it is. */
export function inBase36(value: number | string): string {
	return typeof value === 'number' ? value.toString(36) : value;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** A shorter text for an ID, without a dot or a line break. */
export function packed(id: string): string {
	return UUID.test(id)
		? `u${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}`
		: `t${Buffer.from(id).toString('base64url')}`;
}

/** The ID of a {@link packed} text. */
export function unpacked(text: string): string {
	const bytes = Buffer.from(text.slice(1), 'base64url');
	return text[0] === 'u'
		? bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
		: bytes.toString();
}

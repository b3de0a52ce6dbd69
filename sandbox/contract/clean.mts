/** The fields whose short texts a report shows, because they are words of the service. */
const WORDS = /(^|_)(status|state|code|error|type|event|events|direction|language|role|currency|source)$/;
/** Objects whose field names are chosen by users of the service. */
const FREE = ['payload', 'metadata', 'arguments', 'context'];

/** Removes secrets and personal data from a report. */
export class Cleaner {
	private readonly secrets: RegExp[];

	/** @param secrets removed from every text, in all common encodings */
	constructor(...secrets: string[]) {
		this.secrets = secrets.flatMap((secret) => {
			const bytes = Buffer.from(secret);
			const encoded = [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')];
			return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), ...encoded].map((form) => {
				const text = form.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
				// A short secret may occur within another word by chance, so it has to stand alone.
				return form.length >= 8 ? new RegExp(text, 'gi') : new RegExp(`(?<![\\w-])${text}(?![\\w-])`, 'g');
			});
		});
	}

	/** Removes the secrets from a text. */
	text(text: string): string {
		return this.secrets.reduce((clean, secret) => clean.replace(secret, '[removed]'), text);
	}

	/** Reduces a value to its form: without names, phone numbers, identifiers and texts. */
	value(value: unknown, name = ''): unknown {
		if (Array.isArray(value)) {
			return value.map((item) => this.value(item, name));
		}
		if (typeof value === 'object' && value !== null) {
			const fields = FREE.includes(name) ? [] : Object.entries(value);
			return Object.fromEntries(fields.map(([key, item]) => [fieldName(key), this.value(item, key)]));
		}
		if (typeof value === 'number') {
			return Math.abs(value) < 1e6 ? value : 1e6;
		}
		return typeof value === 'string' && !mayStay(value, name) ? 'text' : value;
	}
}

const fieldName = (name: string) => (/^[a-z_][\w.-]{0,60}$/i.test(name) && !/\d{4}/.test(name) ? name : 'field');

function mayStay(text: string, name: string): boolean {
	const isMoment = /^\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d:?\d\d)?)?$|^\d\d:\d\d(:\d\d)?$/.test(text);
	return (
		text === '' || isMoment || /^-?\d{1,4}(\.\d+)?$/.test(text) || (WORDS.test(name) && /^[a-z_. -]{1,40}$/i.test(text))
	);
}

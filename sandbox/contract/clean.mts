/** The fields of which a report shows short texts: words of the service. */
const WORDS = /(^|_)(status|state|code|error|type|event|events|direction|language|role|currency|source)$/;
/** Whoever uses the service chooses the names of their fields. */
const FREE = ['payload', 'metadata', 'arguments', 'context'];

/** Removes what a report may not have. */
export class Cleaner {
	private readonly secrets: RegExp[];

	/** @param secrets what is taken out of every text, in all usual forms */
	constructor(...secrets: string[]) {
		this.secrets = secrets.flatMap((secret) => {
			const bytes = Buffer.from(secret);
			const encoded = [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')];
			return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), ...encoded].map((form) => {
				const text = form.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
				// Within another word only if it is long enough for that to be no accident.
				return form.length >= 8 ? new RegExp(text, 'gi') : new RegExp(`(?<![\\w-])${text}(?![\\w-])`, 'g');
			});
		});
	}

	/** A text without secrets. */
	text(text: string): string {
		return this.secrets.reduce((clean, secret) => clean.replace(secret, '[removed]'), text);
	}

	/** A value with its form only: without names, numbers of people, identifiers and texts. */
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

/** Removes what a report and a recording may not have. */
export class Cleaner {
	private readonly vocabulary: ReadonlySet<string>;
	private readonly secrets = new Map<string, RegExp>();
	private readonly ids = new Map<string, string>();

	/** @param vocabulary the words that may stay */
	constructor(vocabulary: ReadonlySet<string>) {
		this.vocabulary = vocabulary;
	}

	/** Takes a value out of every text from now on, in all forms in which it may be quoted. */
	hide(secret: string): void {
		const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
		const bytes = Buffer.from(secret);
		for (const form of [...forms, bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]) {
			const text = form.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
			// Within another word only if it is long enough for that to be no accident.
			const isLong = form.length >= 8;
			this.secrets.set(form, new RegExp(isLong ? text : `(?<![\\w-])${text}(?![\\w-])`, isLong ? 'gi' : 'g'));
		}
	}

	/** A text without secrets. */
	text(text: string): string {
		return [...this.secrets.values()].reduce((clean, secret) => clean.replace(secret, '[removed]'), text);
	}

	/** A value with its form, without what it says: of texts stay words of the documentation, moments, and stand-ins. */
	value(value: unknown, key = ''): unknown {
		if (Array.isArray(value)) {
			return value.map((item) => this.value(item, key));
		}
		if (typeof value === 'object' && value !== null) {
			// Whoever uses the service gives their keys.
			if (['payload', 'metadata', 'arguments', 'context'].includes(key)) {
				return {};
			}
			return Object.fromEntries(
				Object.entries(value).map(([name, item]) => [this.fieldName(name), this.value(item, name)]),
			);
		}
		if (typeof value === 'number') {
			const isTime = /time|_at$|reset|^t$|^at$/i.test(key);
			return Math.abs(value) >= 1e6 && !isTime ? 1e6 : value;
		}
		return typeof value === 'string' ? this.cleanText(value, key) : value;
	}

	/** A path with stand-ins for what identifies an object. @param pattern the documented path, with `{variables}` */
	path(path: string, pattern: string): string {
		const parts = pattern.split('/');
		return path
			.split('/')
			.map((part, index) => (part === parts[index] ? part : this.standIn(part)))
			.join('/');
	}

	private fieldName(name: string): string {
		return /^[a-z_][\w.-]{0,60}$/i.test(name) && !/\d{4}/.test(name) ? this.text(name) : 'field';
	}

	private cleanText(text: string, key: string): string {
		if (this.isWord(text) || /^(\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d:?\d\d)?)?|\d\d:\d\d(:\d\d)?|)$/.test(text)) {
			return text;
		}
		if (/(^|_)(id|sid|uuid)$/.test(key) || /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) {
			return this.standIn(text);
		}
		if (/^[+\d][\d\s()-]{5,}$/.test(text)) {
			return /time|_at$|reset/i.test(key) ? text : '+10000000000';
		}
		if (/^-?\d+(\.\d+)?$/.test(text)) {
			return text;
		}
		return /^https?:/i.test(text) ? 'https://example.com/' : text.includes('@') ? 'person@example.com' : 'text';
	}

	private isWord(text: string): boolean {
		return this.vocabulary.has(text) && this.text(text) === text;
	}

	private standIn(id: string): string {
		const known = this.ids.get(id) ?? `00000000-0000-4000-8000-${String(this.ids.size + 1).padStart(12, '0')}`;
		this.ids.set(id, known);
		return known;
	}
}

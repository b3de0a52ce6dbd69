import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../shared/lib/json';
import { fieldsOf, keyedSections } from './agentFields';

/** What stands for a secret in an output. */
const HIDDEN = '[hidden]';

const secretFields = new Set(
	keyedSections.flatMap((section) =>
		fieldsOf(section)
			.filter(([, { isSecret }]) => isSecret)
			.map(([field]) => field),
	),
);

/** A copy of an object without signing secrets, the values of headers, and URLs that hold a secret, at any depth. */
export function withoutSecrets(values: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(name, value)])) as IDataObject;
}

/** The value of a field for an output. Of headers, the names remain. */
export function shown(field: string, value: unknown): unknown {
	if (secretFields.has(field)) {
		return Array.isArray(value) ? value.map((header) => ({ ...Object(header), value: HIDDEN })) : HIDDEN;
	}
	if (isRecord(value)) {
		return withoutSecrets(value as IDataObject);
	}
	return holdsSecret(value) ? HIDDEN : value;
}

/** Names of query parameters that usually hold a secret, such as `access_token`, `apiKey` and `X-Amz-Signature`. */
const SECRET_PARAMETER =
	/token|secret|passw|pwd|signature|credential|hmac|jwt|authorization|(api|access|auth|subscription)[-_]?key|auth[-_]?code|^(key|sig|auth|code|pass)$/i;

/** A user with or without a password before the host. */
const USER = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*@/i;

/** `{{ host }}`, with which a URL cannot be parsed. */
const PLACEHOLDER = /\{\{.*?\}\}/g;

/** The names of parameters, in the query and in the fragment. */
const PARAMETERS = /[?&#]([^=&#?]*)=/g;

/** Whether a URL has a password in it, or a parameter that usually holds a secret. Placeholders may be in it. */
export function holdsSecret(url: unknown): boolean {
	const text = typeof url === 'string' ? url.trim().replace(PLACEHOLDER, 'placeholder') : '';
	const names = [...text.matchAll(PARAMETERS)].map(([, name]) => decoded(name));
	return !/\s/.test(text) && (USER.test(text) || names.some((name) => SECRET_PARAMETER.test(name)));
}

function decoded(name: string): string {
	return [...new URLSearchParams(`${name}=`).keys()].join();
}

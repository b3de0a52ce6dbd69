import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../shared/lib/json';
import { fieldsOf, keyedSections } from './agentFields';

/** Replaces a secret in an output. */
const HIDDEN = '[hidden]';

const secretFields = new Set(
	keyedSections.flatMap((section) =>
		fieldsOf(section)
			.filter(([, { isSecret }]) => isSecret)
			.map(([field]) => field),
	),
);

/** Copies an object and hides signing secrets, the values of headers, and URLs that contain a secret, at any depth. */
export function withoutSecrets(values: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(name, value)])) as IDataObject;
}

/** Returns the value of a field for an output, with secrets hidden. The names of headers remain. */
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

/** A placeholder such as `{{ host }}`. */
const PLACEHOLDER = /\{\{.*?\}\}/g;

/** The names of parameters, in the query and in the fragment. */
const PARAMETERS = /[?&#]([^=&#?]*)=/g;

/** Whether a URL contains a user name, or a parameter that usually holds a secret. It may contain placeholders. */
export function holdsSecret(url: unknown): boolean {
	const text = typeof url === 'string' ? url.trim().replace(PLACEHOLDER, 'placeholder') : '';
	const names = [...text.matchAll(PARAMETERS)].map(([, name]) => decoded(name));
	return !/\s/.test(text) && (USER.test(text) || names.some((name) => SECRET_PARAMETER.test(name)));
}

function decoded(name: string): string {
	return [...new URLSearchParams(`${name}=`).keys()].join();
}

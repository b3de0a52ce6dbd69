import { unreadableFields } from './notReadable';

/** What stands for a secret in an output. */
export const HIDDEN = '[hidden]';

const secretFields = new Set(unreadableFields.filter(({ isSecret }) => isSecret).map(({ field }) => field));

/** Whether a field holds secrets, whatever its value is. */
export function isSecretField(field: string): boolean {
	return secretFields.has(field);
}

/** The value of a secret field for an output: of headers, the names remain. */
export function hideSecret(value: unknown): unknown {
	return Array.isArray(value) ? value.map((header) => ({ ...Object(header), value: HIDDEN })) : HIDDEN;
}

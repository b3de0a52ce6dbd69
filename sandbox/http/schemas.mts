import { isIP } from 'node:net';
import { DateTime, IANAZone } from 'luxon';
import { z } from 'zod';

/** An http or https URL that the service can call. @param longest in characters */
export function httpUrl(longest?: number) {
	const url = longest === undefined ? z.string().url() : z.string().url().max(longest);
	// An invalid URL already has a message.
	return url.refine((text) => /^https?:\/\//i.test(text) || !URL.canParse(text), 'The URL must begin with http.');
}

/** An item of `custom_headers`. */
export const httpHeader = z.object({
	key: z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/),
	value: z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/),
});

/** A host name or IP address, without scheme, port and path. */
export const hostName = z
	.string()
	.min(1)
	.max(255)
	.refine(
		(name) => isIP(name) !== 0 || /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?\.?$/i.test(name),
		'The host must be a host name or an IP address.',
	);

/** A JSON object with any members. */
export const anyObject = z.record(z.unknown());

/** An integer in a query, small enough for an exact JavaScript number. */
export const queryInteger = z
	.string()
	.regex(/^-?\d{1,15}$/)
	.transform(Number);

/** Returns the schemas of `page` (from 1) and `per_page` (1 to 100). */
export function pagesOf(perPage: number) {
	return {
		page: queryInteger.pipe(z.number().min(1)).default('1'),
		per_page: queryInteger.pipe(z.number().min(1).max(100)).default(String(perPage)),
	};
}

/** The schemas of `page` and `per_page` for most lists: 20 items per page by default. */
export const pageQuery = pagesOf(20);

/** An existing calendar date, YYYY-MM-DD. */
export const isoDate = z.string().date();

const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]([01]\d|2[0-3])(:?[0-5]\d)?)?)?$/;

/** A moment in ISO 8601, in UTC unless it has an offset. The output is in milliseconds since 1970, in whole seconds. */
export const isoMoment = z
	.string()
	.regex(MOMENT)
	.describe('ISO 8601. In UTC unless it has an offset.')
	.transform((text, context) => {
		const time = DateTime.fromISO(text, { zone: 'utc' });
		if (time.isValid && time.year >= 1 && time.year <= 9999) {
			return Math.floor(time.toSeconds()) * 1000;
		}
		context.addIssue({ code: 'custom', message: 'The date does not exist.' });
		return z.NEVER;
	});

/** An IANA timezone; fixed offsets are not accepted. */
export const timezoneName = z
	.string()
	.max(50)
	.refine((zone) => !/^[+-]/.test(zone) && IANAZone.isValidZone(zone), 'The timezone must be a valid timezone.');

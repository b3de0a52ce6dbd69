/** The first moment that cannot be represented: the service writes years with four digits. */
export const END_OF_TIME = Date.UTC(10_000, 0);

/** Formats a moment (milliseconds since 1970) in ISO 8601, in UTC with whole seconds. */
export function iso(time: number): string {
	return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Formats a moment like `iso`, with milliseconds. */
export function isoMillis(time: number): string {
	return new Date(time).toISOString();
}

/** As `iso`, with the six decimal places that agent webhooks show. */
export function isoMicros(time: number): string {
	return isoMillis(time).replace('Z', '000Z');
}

/** Whether a moment is within the days from `from` to `to` (YYYY-MM-DD, UTC, both inclusive, both optional). */
export function withinDays(time: number, from?: string, to?: string): boolean {
	const day = iso(time).slice(0, 10);
	return (!from || day >= from) && (!to || day <= to);
}

/** Resolves after `ms` real milliseconds. */
export function sleep(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The end of a trigger's URL: the ID of the node's webhook, then the path that all of these triggers have. */
const TRIGGER_PATH = /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/webhook$/i;

const TEST_PATH = /\/webhook-test\//;

/** Whether a URL is one of n8n's test URLs. */
export function isTestUrl(url: string): boolean {
	return TEST_PATH.test(url);
}

/** Whether a URL has the form of the production URL of a trigger. */
export function isTriggerUrl(url: string): boolean {
	return URL.canParse(url) && !isTestUrl(url) && TRIGGER_PATH.test(new URL(url).pathname);
}

/**
 * Which trigger a URL leads to, on whatever n8n: the end of its path. A change of n8n's host, of its folder or of the
 * name of its endpoint leaves it as it is, and so does a copy of the workflow in another n8n.
 *
 * @returns the whole path, if the URL has not the form of a trigger's
 */
export function triggerPathOf(url: string): string {
	const { pathname } = new URL(url);
	return TRIGGER_PATH.exec(pathname)?.[0] ?? pathname;
}

/** Whether two URLs are the same but for the query: same origin, same path. */
export function isSameAddress(one: string, other: string): boolean {
	const [left, right] = [one, other].map((url) => (URL.canParse(url) ? new URL(url) : undefined));
	return left !== undefined && right !== undefined && left.origin + left.pathname === right.origin + right.pathname;
}

/** Whether two URLs lead to one trigger, on whatever n8n, in production or in a test run. */
export function hasSamePath(one: string, other: string): boolean {
	return [one, other].every((url) => URL.canParse(url)) && triggerPathOf(one) === triggerPathOf(other);
}

/** Whether a URL leads to the trigger of another URL, on whatever n8n, but not to its test URL. */
export function isSameTrigger(one: string, other: string): boolean {
	return isTestUrl(one) === isTestUrl(other) && hasSamePath(one, other);
}

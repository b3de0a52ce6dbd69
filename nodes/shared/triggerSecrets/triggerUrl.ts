import { isRecord } from '../lib/json';

/** The end of a trigger's URL: the ID of the node's webhook, and the path that is the same for all triggers. */
const TRIGGER_PATH = /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/webhook$/i;

const TEST_PATH = /\/webhook-test\//;

/** Whether a URL is one of n8n's test URLs. */
export function isTestUrl(url: string): boolean {
	return TEST_PATH.test(url);
}

/** Returns a URL's path without a slash at its end: the service may list a URL with one. */
function pathOf(url: string): string {
	return new URL(url).pathname.replace(/\/$/, '');
}

/** Whether the path of a URL ends like that of every trigger, in production or in a test run. */
export function hasTriggerPath(url: string): boolean {
	return URL.canParse(url) && TRIGGER_PATH.test(pathOf(url));
}

/** Whether a URL has the form of the production URL of a trigger. */
export function isTriggerUrl(url: string): boolean {
	return !isTestUrl(url) && hasTriggerPath(url);
}

/**
 * Returns the end of a URL's path, which identifies the trigger on any n8n. It stays the same if n8n's host, its folder
 * or the name of its endpoint changes, or if the workflow is copied to another n8n.
 *
 * @returns the whole path, if the URL is not that of a trigger
 */
export function triggerPathOf(url: string): string {
	const path = pathOf(url);
	return TRIGGER_PATH.exec(path)?.[0] ?? path;
}

/** Whether two URLs have the same origin and path; their queries may differ. */
export function isSameAddress(one: string, other: string): boolean {
	const [left, right] = [one, other].map((url) => (URL.canParse(url) ? new URL(url).origin + pathOf(url) : undefined));
	return left !== undefined && left === right;
}

/** Whether a webhook, as the service returns it, has another URL than the one that it was given. */
export function isOtherUrl(webhook: unknown, given: string): boolean {
	return isRecord(webhook) && typeof webhook.webhook_url === 'string' && !isSameAddress(webhook.webhook_url, given);
}

/** Whether two URLs are those of one trigger, on any n8n, in production or in a test run. */
export function hasSamePath(one: string, other: string): boolean {
	return [one, other].every((url) => URL.canParse(url)) && triggerPathOf(one) === triggerPathOf(other);
}

/** Whether two URLs are those of one trigger, on any n8n, and both production URLs or both test URLs. */
export function isSameTrigger(one: string, other: string): boolean {
	return isTestUrl(one) === isTestUrl(other) && hasSamePath(one, other);
}

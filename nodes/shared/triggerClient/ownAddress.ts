import { type Evaluator, resumeAddress, webhookBaseOf } from '../n8nInternals';
import { triggerPathOf } from '../triggerSecrets/triggerUrl';

/** Returns the URL below which this n8n resumes executions. It ends with a slash, before the ID of the execution. */
function waitingBase(caller: Evaluator): URL {
	return new URL('./', resumeAddress(caller));
}

/** Whether a URL resumes an execution of this n8n. */
export function resumesHere(caller: Evaluator, url: string): boolean {
	return isBelow(waitingBase(caller), url);
}

/** Returns the URL below which this n8n has the URLs of triggers, without a slash at the end. */
function webhookBase(caller: Evaluator): string {
	return webhookBaseOf(caller) ?? new URL('../webhook', waitingBase(caller)).href;
}

/** Whether a URL is on this n8n: same origin, and in the folder of the URLs of triggers. */
export function isOwnAddress(caller: Evaluator, url: string): boolean {
	return isBelow(new URL('./', webhookBase(caller)), url);
}

/** Returns the URL that the trigger of another URL would have on this n8n, with the same query. */
export function addressHere(caller: Evaluator, url: string): string {
	return `${webhookBase(caller)}${triggerPathOf(url)}${new URL(url).search}`;
}

function isBelow(base: URL, url: string): boolean {
	if (!URL.canParse(url)) {
		return false;
	}
	const { origin, pathname } = new URL(url);
	return origin === base.origin && pathname.startsWith(base.pathname);
}

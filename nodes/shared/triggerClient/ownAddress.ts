import { type Evaluator, resumeAddress, webhookBaseOf } from '../n8nInternals';
import { triggerPathOf } from '../triggerSecrets/triggerUrl';

/** The URL below which this n8n resumes executions: it ends with a slash, where the execution's ID would follow. */
function waitingBase(caller: Evaluator): URL {
	return new URL('./', resumeAddress(caller));
}

/** Whether a URL resumes an execution of this n8n. */
export function resumesHere(caller: Evaluator, url: string): boolean {
	return isBelow(waitingBase(caller), url);
}

/** The URL below which this n8n has the URLs of triggers, without a slash at its end. */
function webhookBase(caller: Evaluator): string {
	return webhookBaseOf(caller) ?? new URL('../webhook', waitingBase(caller)).href;
}

/** Whether a URL is on this n8n: same origin, and below the folder of the URLs of triggers. */
export function isOwnAddress(caller: Evaluator, url: string): boolean {
	return isBelow(new URL('./', webhookBase(caller)), url);
}

/** The URL that the trigger of another URL has on this n8n, if this n8n has it, with the query of the other one. */
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

import { type Evaluator, resumeAddress } from '../lib/n8nInternals';

/** The URL below which this n8n resumes executions: it ends with a slash, where the execution's ID would follow. */
function waitingBase(caller: Evaluator): URL {
	return new URL('./', resumeAddress(caller));
}

/** Whether a URL resumes an execution of this n8n. */
export function resumesHere(caller: Evaluator, url: string): boolean {
	return isBelow(waitingBase(caller), url);
}

/** Whether a URL is on this n8n: same origin, and below the same path. */
export function isOwnAddress(caller: Evaluator, url: string): boolean {
	return isBelow(new URL('../', waitingBase(caller)), url);
}

function isBelow(base: URL, url: string): boolean {
	if (!URL.canParse(url)) {
		return false;
	}
	const { origin, pathname } = new URL(url);
	return origin === base.origin && pathname.startsWith(base.pathname);
}

import type { Execution } from './executions.mts';

/** The node that sent a request, and in which of its rounds. */
interface Sender {
	node: string;
	round: number;
}

// What the product allows today, as its documentation says. Each place goes when the product promises more.

/** Whose call counts once: each round of a loop and each use of a tool, also when an agent is tried again, may call a number. */
export const callerOf = ({ node = '', round = 0 }: { node?: string; round?: number }): string =>
	`${node}, round ${round}`;

/** Executions at the same moment do not know of each other's calls of the day. */
export const mayExceedDay = ({ isBeside }: Execution): boolean => isBeside;

/** Whether a phone may be called again after a request without a clear answer: by Call Each Time, in the same run of a node. */
export function isSentAgain({ callers }: Execution, earlier: Sender, request: Sender): boolean {
	return callers[request.node]?.eachTime === true && earlier.node === request.node && earlier.round === request.round;
}

/**
 * A Retry does not tell all of an agent's tools: n8n forgets those of a canceled execution, and runs one that has failed
 * without its arguments, so that it calls nobody. Of another execution it leaves a node out that n8n canceled between two
 * tries of Retry On Fail.
 */
export function isForgottenByRetry({ step, callers, tries }: Execution): boolean {
	const isBetweenTries =
		tries.some(({ canceled }) => canceled !== undefined) &&
		Object.values(callers).some(({ retryOnFail }) => retryOnFail);
	return tries.length > 1 && (step.agent !== undefined || isBetweenTries);
}

/** After a restart, only another event wakes an execution before n8n does, which is not part of the engine that runs here. */
export const isLeftWaiting = ({ isRestarted }: Execution): boolean => isRestarted;

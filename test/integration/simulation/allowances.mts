import type { Execution } from './executions.mts';

/** The node that sent a request, and in which of its rounds. */
interface Sender {
	node: string;
	round: number;
}

// What the product allows today, as its documentation says. Each place goes when the product promises more.

/** Each run of a node may call a number once: a round of a loop, and each use of a tool, also when an agent is tried again. */
export const allowedRings = (): number => 1;

/** Whether a phone may be called again after a request without a clear answer: by Call Each Time, in the same run of a node. */
export function isSentAgain({ callers }: Execution, earlier: Sender, request: Sender): boolean {
	return callers[request.node]?.eachTime === true && earlier.node === request.node && earlier.round === request.round;
}

/** A retry of a canceled execution knows nothing of the tools that its agent has used: they are used again. */
export const isForgottenByRetry = ({ step, tries }: Execution): boolean =>
	step.agent !== undefined && tries.some(({ canceled }) => canceled !== undefined);

/** After a restart, only another event wakes an execution before n8n does, which is not part of the engine that runs here. */
export const isLeftWaiting = ({ isRestarted }: Execution): boolean => isRestarted;

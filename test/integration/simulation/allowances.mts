import type { Execution } from './executions.mts';

/** A request, by the node that sent it and in which of its rounds. */
interface Sender {
	node: string;
	round: number;
}

// What no node can know, and what n8n does not tell. Each place goes when that changes.

/** Processes do not see each other's requests in flight. */
export const isElsewhere = ({ process }: Execution, other: Execution | undefined): boolean =>
	other !== undefined && other.process !== process;

/** Whether a request may have been sent before an earlier one had its response: only Call Each Time does not wait for it. */
export function isSentAtOnce({ callers, step }: Execution, earlier: Sender, request: Sender): boolean {
	const [first, second] = [earlier, request].map(({ node }) => callers[node]);
	const isSameRun = step.agent?.older === true || (earlier.node === request.node && earlier.round === request.round);
	return (
		first?.eachTime === true && second?.eachTime === true && isSameRun && (!second.inTurn || step.agent !== undefined)
	);
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

/** Without credits a campaign calls nobody, and its calls fail. */
export const mayNotRing = ({ lacksCredits }: Execution, outcome: unknown): boolean =>
	lacksCredits && outcome === 'failed';

/** If n8n itself ends a wait, after a restart or when the clock has jumped, nobody asks the service. */
export const isNotAsked = ({ isEndedByN8n }: Execution, outcome: unknown): boolean =>
	isEndedByN8n === true && outcome === 'timedOut';

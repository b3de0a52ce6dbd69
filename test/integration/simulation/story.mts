import { reportsOf, sentBy } from './auditExecutions.mts';
import type { CallRequest, Execution, Try } from './executions.mts';
import type { Step } from './steps.mts';

/** What happened, for a person who reads a failure: each step, and of an execution its requests and what it reports. */
export function storyOf(steps: ReadonlyArray<Step | Execution[]>, requests: readonly CallRequest[]): string[] {
	return steps.flatMap((step, index) => {
		const told = Array.isArray(step) ? step.flatMap((execution) => tell(execution, requests)) : [JSON.stringify(step)];
		return told.map((line, at) => `${at === 0 ? `${index + 1}. ` : '   '}${line}`);
	});
}

function tell(execution: Execution, requests: readonly CallRequest[]): string[] {
	const { id, step, callers, tries } = execution;
	const { mode, inSubWorkflow, inWorker, credential, rounds } = step;
	const how = [mode, inSubWorkflow && 'sub-workflow', inWorker && 'in the worker', JSON.stringify(credential)];
	return [
		`${id}: ${how.filter(Boolean).join(', ')}`,
		...Object.entries(callers).map(([name, caller]) => `  ${name}: ${JSON.stringify(caller)}`),
		...(rounds > 1 && !step.agent ? [`  Call 0 runs ${rounds} rounds`] : []),
		...(step.agent ? [`  the agent: ${JSON.stringify(step.agent.turns)}`] : []),
		...tries.flatMap((attempt, index) => [
			...(index > 0 ? ['  Retry'] : []),
			...sentIn(attempt, sentBy(execution, requests)),
			`  ends with ${attempt.run.status} ${attempt.run.error?.message ?? ''}`.trimEnd(),
			...reportsOf(execution, attempt).map(({ node, round, item, to, result, json }) =>
				`    ${node}, round ${round}, item ${item}: ${result} ${to} ${String(json.message ?? json.error ?? '')}`.trimEnd(),
			),
		]),
	];
}

function sentIn({ began, ended, canceled }: Try, sent: ReturnType<typeof sentBy>): string[] {
	const own = sent.filter(({ at }) => at >= began && at < ended);
	return [
		...own.map(
			({ node, round, item, to, status, fate }) =>
				`  ${node}, round ${round}, item ${item} calls ${to}: ${status ?? 'no answer'}, ${fate}`,
		),
		...(canceled === undefined ? [] : [`  canceled after ${canceled} of these`]),
	];
}

import type { INodeExecutionData } from 'n8n-workflow';

import type { Calls } from '../callRules/calls';
import type { Operation } from '../operation/operation';
import { failItem, type OperationRun } from '../operation/operationRun';

/** A part of a run that only some operations have. */
export interface Phase {
	/** Runs before anything is sent: what must not be sent gets another state. @throws ServiceError if nothing may be sent */
	prepare(): Promise<void>;
	/** Runs after the requests. */
	after?(): Promise<void>;
	/**
	 * Runs last. It may put the execution to sleep: then `items` are what n8n outputs if it ends the wait itself.
	 *
	 * @param items the output of the node
	 * @param hints what n8n shows above the output
	 */
	finish?(items: INodeExecutionData[], hints: string[]): Promise<void>;
}

/** The phases in their order: each begins when those before it are prepared. */
export const phases: ReadonlyArray<{
	appliesTo(operation: Operation): boolean;
	begin(operationRun: OperationRun, calls: Calls): Promise<Phase>;
}> = [
	{
		appliesTo: () => true,
		begin: async (_operationRun, calls) => ({ prepare: async () => await calls.prepare() }),
	},
	{
		appliesTo: ({ fields }) => fields.some(({ key }) => key === 'agentVariables'),
		begin: async (operationRun) => ({
			async prepare() {
				const { prepareVariables } = await import('../callRules/variables.js');
				for (const [itemIndex, error] of await prepareVariables(operationRun)) {
					failItem(operationRun, itemIndex, error);
				}
			},
		}),
	},
	{
		appliesTo: ({ waitsFor }) => waitsFor === 'calls',
		begin: async (operationRun) => new (await import('../waiting/callWait.js')).CallWait(operationRun),
	},
	{
		appliesTo: ({ waitsFor }) => waitsFor === 'campaigns',
		begin: async (operationRun) => new (await import('../waiting/campaignWait.js')).CampaignWait(operationRun),
	},
	// Last, so that only calls count that nothing else holds back.
	{
		appliesTo: () => true,
		begin: async (_operationRun, calls) => ({ prepare: async () => await calls.planCalls() }),
	},
];

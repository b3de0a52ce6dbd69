import type { INodeExecutionData } from 'n8n-workflow';

import type { Operation } from '../operation/operation';
import { type OperationRun, refuseItem } from '../operation/operationRun';
import { limitCalls } from './limitCalls';
import { tryFirst } from './tryFirst';
import { withholdCalls } from './withholdCalls';

/** A part of a run that only some operations have. */
export interface Phase {
	/** Runs before anything is sent: what must not be sent gets an error. @throws ServiceError if nothing may be sent */
	prepare(): Promise<void>;
	/** Runs after the requests. */
	after?(): Promise<void>;
	/**
	 * Runs last. It may put the execution to sleep: then `items` are what n8n outputs if it ends the wait itself.
	 *
	 * @param items the output of the node
	 */
	finish?(items: INodeExecutionData[]): Promise<void>;
}

/** The phases in their order: each begins when those before it are prepared. */
export const phases: ReadonlyArray<{
	appliesTo(operation: Operation): boolean;
	begin(operationRun: OperationRun): Promise<Phase>;
}> = [
	{
		appliesTo: ({ callerIdField, checksCall }) => callerIdField !== undefined || checksCall,
		begin: async (operationRun) => ({ prepare: async () => await withholdCalls(operationRun) }),
	},
	{
		appliesTo: ({ fields }) => fields.some(({ key }) => key === 'agentVariables'),
		begin: async (operationRun) => ({
			async prepare() {
				const { prepareVariables } = await import('../readiness/variables.js');
				for (const [itemIndex, error] of await prepareVariables(operationRun)) {
					refuseItem(operationRun.items[itemIndex], error);
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
	// The last two count only calls that nothing else holds back.
	{
		appliesTo: ({ callerIdField }) => callerIdField !== undefined,
		begin: async (operationRun) => ({ prepare: async () => await tryFirst(operationRun) }),
	},
	{
		appliesTo: () => true,
		begin: async (operationRun) => ({ prepare: async () => await limitCalls(operationRun) }),
	},
];

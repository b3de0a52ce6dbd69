import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isTool } from '../../shared/errors/nodeError';
import { contextOfTool } from '../../shared/n8nInternals';

/**
 * What n8n keeps between the tries of Retry On Fail, and between the runs of the node in one execution; with `flow`, what
 * all nodes of the execution share.
 */
export function contextOf(caller: IExecuteFunctions, of: 'node' | 'flow'): IDataObject {
	return isTool(caller.getNode()) ? contextOfTool(caller, of) : caller.getContext(of);
}

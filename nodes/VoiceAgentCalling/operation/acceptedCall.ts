import type { IDataObject } from 'n8n-workflow';

import type { ItemResult } from './items';
import type { CalledBy } from './operation';

/** The output item of a call that the service took. @param calledBy the kind of the caller, if it is known */
export function acceptedCall(call: IDataObject, calledBy: CalledBy | undefined): IDataObject {
	const result: ItemResult = calledBy === 'campaignId' ? 'queued' : 'placed';
	return { ...call, result };
}

import type { IDataObject } from 'n8n-workflow';

import { CallBook } from '../../../../nodes/VoiceAgentCalling/callRules/book.ts';
import type { WantedCall } from '../../../../nodes/VoiceAgentCalling/callRules/bookEntries.ts';

export const PHONE = '+390549886377';
/** Another number of the same phone. */
export const TWIN = '+3780549886377';
export const OTHER_PHONE = '+12025550111';
export const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** A call that the first item of a node asks for. */
export const wanted = (changes: Partial<WantedCall> = {}): WantedCall => ({
	credential: 'credential',
	node: 'Call',
	run: 0,
	isTool: false,
	ownerField: 'agentId',
	owner: 'ada',
	isTest: false,
	to: PHONE,
	item: 0,
	isEachTime: false,
	...changes,
});

/** What n8n stores of a context: text. */
export const stored = (flow: IDataObject): IDataObject => JSON.parse(JSON.stringify(flow));

/** A book of execution 77, and n8n's context with it. */
export function newBook(flow: IDataObject = {}, execution = '77') {
	return { book: CallBook.of(flow, execution), flow };
}

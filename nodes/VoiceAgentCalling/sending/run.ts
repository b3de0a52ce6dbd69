import type { IExecuteFunctions } from 'n8n-workflow';

import type { Connection } from '../../shared/service/transport';
import type { Pace } from './pace';
import type { SentRequests } from './sentRequests';

/** What all items of one run of the node share. */
export interface Run {
	caller: IExecuteFunctions;
	connection: Connection;
	pace: Pace;
	sent: SentRequests;
	timeoutSeconds: number;
	maxWaitSeconds: number;
	/** What is the same for all items, by a name. */
	remembered: Map<string, Promise<unknown>>;
	/** What the user is to be told beside the items, each once. */
	notes: Set<string>;
}

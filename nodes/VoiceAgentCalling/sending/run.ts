import type { IExecuteFunctions } from 'n8n-workflow';

import type { Connection } from '../../shared/service/transport';
import type { Pace } from './pace';
import type { SentRequests } from './sentRequests';
import type { SharedReads } from './sharedReads';

/** What all items of one run of the node share. */
export interface Run {
	caller: IExecuteFunctions;
	connection: Connection;
	pace: Pace;
	sent: SentRequests;
	timeoutSeconds: number;
	maxWaitSeconds: number;
	remembered: SharedReads;
	/** Notes for the user beside the items, each once. */
	notes: Set<string>;
}

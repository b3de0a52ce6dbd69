import type { IExecuteFunctions } from 'n8n-workflow';

import type { Connection } from '../../shared/service/transport';
import type { Pace } from './pace';
import type { SentRequests } from './sentRequests';
import type { SharedReads } from './sharedReads';

/** What all items of one run of the node share. Times in seconds. */
export interface Run {
	caller: IExecuteFunctions;
	connection: Connection;
	pace: Pace;
	sent: SentRequests;
	/** How long a request waits for a response. */
	timeoutSeconds: number;
	/** How long a request waits for the rate limit. */
	maxWaitSeconds: number;
	remembered: SharedReads;
	/** Hints that n8n shows above the output. */
	notes: Set<string>;
}

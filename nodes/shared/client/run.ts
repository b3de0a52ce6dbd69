import type { IExecuteFunctions } from 'n8n-workflow';

import type { Pace } from './pace';
import type { RequestLog } from './requestLog';
import type { RunStop } from './runStop';
import type { SharedReads } from './sharedReads';
import type { Connection } from './transport';

/** What all items of one run of the node share. Times in seconds. */
export interface Run {
	caller: IExecuteFunctions;
	connection: Connection;
	pace: Pace;
	/** The requests other than calls that must not be sent twice. */
	log: RequestLog;
	/** Why nothing more is sent. */
	stop: RunStop;
	/** How long a request waits for a response. */
	timeoutSeconds: number;
	/** How long a request waits for the rate limit. */
	maxWaitSeconds: number;
	remembered: SharedReads;
	/** Hints that n8n shows above the output. */
	notes: Set<string>;
}

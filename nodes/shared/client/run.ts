import type { IExecuteFunctions } from 'n8n-workflow';

import type { Pace } from './pace';
import type { RequestLog } from './requestLog';
import type { RunStop } from './runStop';
import type { SharedReads } from './sharedReads';
import type { Connection, ServiceCaller } from './transport';

/** Who sends requests to the service, and how long they may take. Times in seconds. */
export interface Sender {
	caller: ServiceCaller;
	connection: Connection;
	pace: Pace;
	/** How long a request waits for a response. */
	timeoutSeconds: number;
	/** How long a request waits for the rate limit, or for a service that does not work. */
	maxWaitSeconds: number;
}

/** What all items of one run of the node share. */
export interface Run extends Sender {
	caller: IExecuteFunctions;
	/** The requests other than calls that must not be sent twice. */
	log: RequestLog;
	/** Why nothing more is sent. */
	stop: RunStop;
	cache: SharedReads;
	/** Hints that n8n shows above the output. */
	notes: Set<string>;
}

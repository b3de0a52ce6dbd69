import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceError } from '../../shared/errors/serviceError';
import type { Connection } from '../../shared/service/transport';
import type { Pace } from './pace';
import type { SentRequests } from './sentRequests';
import type { SharedReads } from './sharedReads';

/** Counts calls for the limits of the credential. */
export interface CallCount {
	/** Why a call must not be sent now; undefined if it may be. */
	reached(isTest: boolean): ServiceError | undefined;
	/** Counts a call that is sent. @returns takes it back, if the service refuses the call */
	count(isTest: boolean): () => void;
}

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
	/** The limits of the credential; absent without any. */
	limits?: CallCount;
	/** Hints that n8n shows above the output. */
	notes: Set<string>;
}

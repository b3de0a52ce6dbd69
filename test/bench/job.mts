/** The node that sends the requests; omitted values have n8n's defaults. */
export interface Step {
	type: string;
	typeVersion?: number;
	parameters?: Record<string, unknown>;
	onError?: 'continueRegularOutput';
}

/** The campaign in which the calls are queued. */
export interface Target {
	url: string;
	token: string;
	campaignId: string;
}

/** One run, in a process of its own with n8n's engine. */
export interface Job {
	step: Step;
	target: Target;
	/** The number of calls to queue. */
	items: number;
	/** How many calls the process queues before. */
	warmUp?: number;
	/** How many executions queue the calls at the same time; by default one. */
	executions?: number;
	/** Whether to measure memory. It slows the run down, so the times are not meaningful then. */
	memory?: boolean;
}

/** The result of a run. */
export interface Measured {
	/** The execution time of the node. */
	milliseconds: number;
	/** CPU time of the whole run, in user and system mode. */
	cpuMilliseconds: number;
	/** Peak of the used heap after garbage collections, above that before the run. */
	heapBytes: number;
	/** Peak of the resident memory of the process. */
	residentBytes: number;
	/** The number of output items. */
	output: number;
}

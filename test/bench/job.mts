/** A node of a benchmarked workflow; omitted values have n8n's defaults. */
export interface Step {
	name: string;
	type: string;
	typeVersion?: number;
	parameters?: Record<string, unknown>;
	onError?: 'continueRegularOutput';
}

/** What sends the requests: a workflow, or a loop without n8n with `bare` requests in flight. */
export type Sender = { steps: Step[] } | { bare: number };

/** The campaign in which the calls are queued. */
export interface Target {
	url: string;
	token: string;
	campaignId: string;
}

/** One run in a process that {@link Worker} started. */
export interface Job {
	sender: Sender;
	target: Target;
	/** The number of calls to queue. */
	items: number;
	/** How many executions queue them at the same time; by default one. */
	executions?: number;
	/** Whether to count how often nodes read a parameter. It takes time, too. */
	countReads?: boolean;
	/** Whether to measure memory. It slows the run down, so the times are not meaningful then. */
	memory?: boolean;
}

/** The result of a run. */
export interface Measured {
	/** The execution time of the sending node, or of the whole run if it contains a loop. */
	milliseconds: number;
	/** CPU time of the whole run, in user and system mode. */
	cpuMilliseconds: number;
	/** Peak of the used heap after garbage collections, above that before the run. */
	heapBytes?: number;
	/** Peak of the resident memory of the process. */
	residentBytes: number;
	/** How often nodes have read a parameter with n8n's `getNodeParameter`. */
	parameterReads?: number;
	/** The number of output items. */
	output: number;
}

/** Returns the item of a contact, like a row of a spreadsheet. */
export function contact(index: number): { id: number; to: string; name: string } {
	return { id: index + 1, to: `+1202${5_550_100 + index}`, name: `Contact ${index + 1}` };
}

/** Returns the request body for a contact, the same for all senders. */
export function callBody({ id, to, name }: ReturnType<typeof contact>): object {
	return { to, payload: { name }, context: { contact: id }, is_testing: false };
}

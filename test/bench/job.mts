/** A node of a benchmarked workflow; omitted values have n8n's defaults. */
export interface Step {
	name: string;
	type: string;
	typeVersion?: number;
	parameters?: Record<string, unknown>;
	onError?: 'continueRegularOutput';
}

/** What sends the requests: a workflow, or a loop without n8n with `bare` requests in flight. */
export type Sender = { steps: Step[]; connections?: Record<string, string[][]> } | { bare: number };

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
	/** Whether to measure memory. It slows the run down, so the times are not meaningful then. */
	memory?: boolean;
	/** Whether to find out what the time of the processor is spent on. It slows the run down, too. */
	profile?: boolean;
}

/** What the time of the processor is spent on, in milliseconds. */
export interface Parts {
	/** n8n reads the parameters of the items, and evaluates their expressions. */
	parameters: number;
	/** The code of the sending node itself, and what it calls outside n8n. */
	own: number;
	/** n8n's helper for requests, the network, and all the rest. */
	request: number;
	/** Garbage collections. */
	garbage: number;
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
	/** The number of output items. */
	output: number;
	/** For a job with `profile`. */
	parts?: Parts;
}

/** Returns the item of a contact, like a row of a spreadsheet. */
export function contact(index: number): { id: number; to: string; name: string } {
	return { id: index + 1, to: `+1202${5_550_100 + index}`, name: `Contact ${index + 1}` };
}

/** Returns the request body for a contact, the same for all senders. */
export function callBody({ id, to, name }: ReturnType<typeof contact>): object {
	return { to, payload: { name }, context: { contact: id }, is_testing: false };
}

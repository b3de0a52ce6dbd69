/** A node of a workflow that is measured; what is not said has n8n's defaults. */
export interface Step {
	name: string;
	type: string;
	typeVersion?: number;
	parameters?: Record<string, unknown>;
	onError?: 'continueRegularOutput';
}

/** What sends the requests: a workflow, or a loop without n8n that keeps so many in flight. */
export type Sender = { steps: Step[]; connections?: Record<string, string[][]> } | { bare: number };

/** Where the calls go. */
export interface Target {
	url: string;
	token: string;
	campaignId: string;
}

/** One run in a process that {@link Worker} started. */
export interface Job {
	sender: Sender;
	target: Target;
	/** How many calls are to be queued. */
	items: number;
	/** Looks at the memory that is in use while it runs, which takes time: no time is measured then. */
	memory?: boolean;
}

/** What a run came to. */
export interface Measured {
	/** The time of the node that sends; where several nodes take turns, of all. */
	milliseconds: number;
	/** Time of the processor for the whole run, in user and system mode. */
	cpuMilliseconds: number;
	/** The most that was in use after a garbage collection, above what was before the run. */
	heapBytes?: number;
	/** The most memory that the process ever had. */
	residentBytes: number;
	/** Items at the end. */
	output: number;
}

/** The item of each contact: what a spreadsheet of them might have. */
export function contact(index: number): { id: number; to: string; name: string } {
	return { id: index + 1, to: `+120255501${String(index).padStart(5, '0')}`, name: `Contact ${index + 1}` };
}

/** What is sent for a contact, whoever sends it. */
export function callBody({ id, to, name }: ReturnType<typeof contact>): object {
	return { to, payload: { name }, context: { contact: id }, is_testing: false };
}

import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../shared/errors/serviceError';

/** How many more calls a tool may place in this run of the workflow. */
export class CallBudget {
	private readonly context: IDataObject;

	private readonly maxCalls: number;

	/**
	 * @param context n8n's context of the node, which lasts as long as the execution
	 * @param maxCalls the maximum number of calls in one execution
	 */
	constructor(context: IDataObject, maxCalls: number) {
		this.context = context;
		this.maxCalls = maxCalls;
	}

	private get placed(): number {
		return Number(this.context.callsPlaced ?? 0);
	}

	/** Counts a call; to be called before it is sent. @returns the error if no calls are left */
	take(): ServiceError | undefined {
		if (this.placed >= this.maxCalls) {
			return new ServiceError(`This tool has placed all the calls that it may place in one run: ${this.maxCalls}`, {
				code: 'CALL_LIMIT_REACHED',
				advice: "Place no more calls now. Whoever built the workflow can raise 'Max Calls per Run'.",
				accepted: 'no',
			});
		}
		this.context.callsPlaced = this.placed + 1;
		return undefined;
	}

	/** Uncounts a call that the service refused. */
	giveBack(): void {
		this.context.callsPlaced = this.placed - 1;
	}
}

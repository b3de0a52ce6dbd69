import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../shared/errors/serviceError';

/** How many more calls a tool may place in this run of the workflow. */
export class CallBudget {
	private readonly context: IDataObject;

	private readonly most: number;

	/** @param context n8n's context of the node, which lasts as long as the execution @param most the most calls */
	constructor(context: IDataObject, most: number) {
		this.context = context;
		this.most = most;
	}

	private get placed(): number {
		return Number(this.context.callsPlaced ?? 0);
	}

	/** To be called before a call is sent. @returns the error where none is left */
	take(): ServiceError | undefined {
		if (this.placed >= this.most) {
			return new ServiceError(`This tool has placed all the calls that it may place in one run: ${this.most}`, {
				code: 'CALL_LIMIT_REACHED',
				advice: "Place no more calls now. Whoever built the workflow can raise 'Max Calls per Run'.",
				accepted: 'no',
			});
		}
		this.context.callsPlaced = this.placed + 1;
		return undefined;
	}

	/** To be called when the service refused the call. */
	giveBack(): void {
		this.context.callsPlaced = this.placed - 1;
	}
}

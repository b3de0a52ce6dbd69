import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ServiceError } from '../../shared/errors/serviceError';
import { takeHourlyCall } from './hourlyCalls';

/** How many calls a tool may place or queue. */
export interface CallLimits {
	/** In one run of the workflow. */
	maxCalls: number;
	/** In any 60 minutes, over all runs. */
	maxCallsPerHour: number;
}

const MINUTE_MS = 60_000;

/** How many more calls a tool may place. */
export class CallBudget {
	private readonly context: IDataObject;

	private readonly limits: CallLimits;

	private readonly scope: string;

	/**
	 * @param caller the tool; all tools of its workflow with the same credential share the calls of an hour
	 * @param context n8n's context of the node, which lasts as long as the execution
	 */
	constructor(caller: IExecuteFunctions, context: IDataObject, limits: CallLimits) {
		this.context = context;
		this.limits = limits;
		const { id: credential } = caller.getNode().credentials?.voiceAgentCallingApi ?? {};
		this.scope = JSON.stringify([credential, caller.getWorkflow().id]);
	}

	private get placed(): number {
		return Number(this.context.callsPlaced ?? 0);
	}

	/**
	 * Counts a call; to be called before it is sent.
	 *
	 * @returns the error if no calls are left; otherwise `giveBack`, which uncounts a call that the service refused
	 */
	take(): { error: ServiceError } | { giveBack(): void; error?: undefined } {
		const { maxCalls, maxCallsPerHour } = this.limits;
		if (this.placed >= maxCalls) {
			const message = `This tool has reached its limit of ${calls(maxCalls)} per run`;
			return {
				error: noneLeft(
					message,
					"Do not place more calls now. The author of the workflow can raise 'Max Calls per Run'.",
				),
			};
		}
		const hourly = takeHourlyCall(this.scope, maxCallsPerHour);
		if ('wait' in hourly) {
			const minutes = Math.ceil(hourly.wait / MINUTE_MS);
			return {
				error: noneLeft(
					`This tool has reached its limit of ${calls(maxCallsPerHour)} per hour`,
					`Do not place more calls now: the next one is possible in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. The author of the workflow can raise 'Max Calls per Hour'.`,
				),
			};
		}
		this.context.callsPlaced = this.placed + 1;
		return {
			giveBack: () => {
				this.context.callsPlaced = this.placed - 1;
				hourly.giveBack();
			},
		};
	}
}

function calls(count: number): string {
	return `${count} ${count === 1 ? 'call' : 'calls'}`;
}

function noneLeft(message: string, advice: string): ServiceError {
	return new ServiceError(message, { code: 'CALL_LIMIT_REACHED', advice, accepted: 'no' });
}

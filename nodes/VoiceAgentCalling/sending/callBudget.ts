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
	/** How many calls the tools of this execution have placed, by the ID of their credential. */
	private readonly placed: Record<string, number>;

	private readonly credential: string;

	private readonly limits: CallLimits;

	private readonly scope: string;

	/**
	 * @param caller the tool; all tools of its workflow with the same credential share the calls of an hour
	 * @param context n8n's context of the execution, which all its tools share
	 */
	constructor(caller: IExecuteFunctions, context: IDataObject, limits: CallLimits) {
		this.placed = (context.callsOfTools ??= {}) as Record<string, number>;
		this.limits = limits;
		const { id } = caller.getNode().credentials?.voiceAgentCallingApi ?? {};
		this.credential = String(id);
		this.scope = JSON.stringify([id, caller.getWorkflow().id]);
	}

	/**
	 * Counts a call; to be called before it is sent.
	 *
	 * @returns the error if no calls are left; otherwise `giveBack`, which uncounts a call that the service refused
	 */
	take(): { error: ServiceError } | { giveBack(): void; error?: undefined } {
		const { maxCalls, maxCallsPerHour } = this.limits;
		const { placed, credential } = this;
		const before = placed[credential] ?? 0;
		if (before >= maxCalls) {
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
		placed[credential] = before + 1;
		return {
			giveBack: () => {
				placed[credential] = (placed[credential] ?? 1) - 1;
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

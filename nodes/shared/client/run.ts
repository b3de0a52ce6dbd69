import type { IExecuteFunctions } from 'n8n-workflow';

import { type ServiceError, toResult, unwrap } from '../errors/serviceError';
import type { ChainedCall } from '../triggerSecrets/callChain';
import { canceled, NOT_TRIED } from './itemErrors';
import type { Pace } from './pace';
import type { RequestLog } from './requestLog';
import type { Connection, ServiceCaller } from './transport';

/** The parts that send a request to the service, and the limits on its time, in seconds. */
export interface Sender {
	caller: ServiceCaller;
	connection: Connection;
	pace: Pace;
	/** How long a request waits for a response. */
	timeoutSeconds: number;
	/** How long a request waits for the rate limit, or for a service that is down. */
	maxWaitSeconds: number;
}

/** The state that all items of one run of the node share. */
export interface Run extends Sender {
	caller: IExecuteFunctions;
	/** The requests other than calls that must not be sent twice. */
	log: RequestLog;
	/** Decides whether anything more is sent. */
	stop: RunStop;
	cache: SharedReads;
	/** Hints that n8n shows above the output. */
	hints: Set<string>;
	/** The calls that led to the event that began the execution; undefined if no event began it. */
	chain: readonly ChainedCall[] | 'unknown' | undefined;
}

/** The values of an item, as its request sends them. */
type Values = Record<string, unknown>;

/**
 * Stores why a run sends nothing more: one reason for the whole run, or reasons for the items that an error concerns.
 */
export class RunStop {
	private readonly isCanceledByUser: () => boolean;

	private readonly forSome: Array<{ error: ServiceError; appliesTo: (values: Values) => boolean }> = [];

	private forAll: ServiceError | undefined;

	/** @param isCanceled whether somebody has stopped the execution */
	constructor(isCanceled: () => boolean) {
		this.isCanceledByUser = isCanceled;
	}

	/** Whether somebody, or n8n, has stopped the execution. */
	get isCanceled(): boolean {
		return this.isCanceledByUser();
	}

	/** Whether the run is over: the remaining items are not processed. */
	get isForAll(): boolean {
		return this.forAll !== undefined || this.isCanceled;
	}

	/** Ends the run. Only the first reason is kept. @param reason the error for the remaining items */
	all(reason: ServiceError): void {
		this.forAll ??= reason;
	}

	/** Stops items that would get the same error as a failed one. @param cause the values of the failed item */
	some(error: ServiceError, appliesTo: (values: Values) => boolean, cause: Values): void {
		if (!this.forSome.some((earlier) => earlier.appliesTo(cause))) {
			this.forSome.push({ error, appliesTo });
		}
	}

	/** Returns why an item must not be sent; undefined if it may be sent. */
	reasonFor(values: Values): ServiceError | undefined {
		if (this.isCanceled) {
			return canceled();
		}
		return this.forAll ?? this.forSome.find(({ appliesTo }) => appliesTo(values))?.error;
	}

	/** @throws ServiceError if somebody has stopped the execution */
	throwIfCanceled(): void {
		if (this.isCanceled) {
			throw canceled();
		}
	}
}

/** Caches objects that all items of a run need, such as the agent that places the calls. */
export class SharedReads {
	private readonly reads = new Map<string, Promise<unknown>>();

	/**
	 * Returns the cached value, or reads it. A failed read is not cached.
	 *
	 * @param name the cache key, unique in the operation
	 * @throws ServiceError the error of `read`
	 */
	async read<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
		for (let earlier = this.reads.get(name); earlier !== undefined; earlier = this.reads.get(name)) {
			const { value, error } = await toResult(earlier as Promise<Value>);
			if (error === undefined) {
				return value as Value;
			}
			// NOT_TRIED concerns only the item that was reading, so the first waiting item reads again.
			if (error.code !== NOT_TRIED) {
				throw error;
			}
		}
		const reading = read();
		this.reads.set(name, reading);
		const result = await toResult(reading);
		if (result.error) {
			this.reads.delete(name);
		}
		return unwrap(result);
	}
}

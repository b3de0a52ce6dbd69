import type { IExecuteFunctions } from 'n8n-workflow';

import { type ServiceError, toResult, unwrap } from '../errors/serviceError';
import { canceled, NOT_TRIED } from './itemErrors';
import type { Pace } from './pace';
import type { RequestLog } from './requestLog';
import type { Connection, ServiceCaller } from './transport';

/** Who sends requests to the service, and how long they may take. Times in seconds. */
export interface Sender {
	caller: ServiceCaller;
	connection: Connection;
	pace: Pace;
	/** How long a request waits for a response. */
	timeoutSeconds: number;
	/** How long a request waits for the rate limit, or for a service that does not work. */
	maxWaitSeconds: number;
}

/** What all items of one run of the node share. */
export interface Run extends Sender {
	caller: IExecuteFunctions;
	/** The requests other than calls that must not be sent twice. */
	log: RequestLog;
	/** Why nothing more is sent. */
	stop: RunStop;
	cache: SharedReads;
	/** Hints that n8n shows above the output. */
	notes: Set<string>;
}

/** What an item asks for: the values to send. */
type Values = Record<string, unknown>;

/** Why a run sends nothing more: one reason for the whole run, or reasons for the items that an error concerns. */
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

	/** Whether the run is over: the items that are left stay as they are. */
	get isForAll(): boolean {
		return this.forAll !== undefined || this.isCanceled;
	}

	/** Ends the run. The first reason stays. @param reason the error of an item that is no longer tried */
	all(reason: ServiceError): void {
		this.forAll ??= reason;
	}

	/** Stops items that would get the same error as another one. @param cause the values of that one */
	some(error: ServiceError, appliesTo: (values: Values) => boolean, cause: Values): void {
		if (!this.forSome.some((earlier) => earlier.appliesTo(cause))) {
			this.forSome.push({ error, appliesTo });
		}
	}

	/** Why an item must not be sent; undefined if it may be. */
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

/** A cache of objects that all items of a run need, such as the agent that places the calls. */
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
			// NOT_TRIED is only about the item that was reading: the first of those that waited for it reads again.
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

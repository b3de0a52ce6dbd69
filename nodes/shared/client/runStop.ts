import type { ServiceError } from '../errors/serviceError';
import { canceled } from './itemErrors';

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

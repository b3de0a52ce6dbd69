import type { IDataObject, INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { SendRequest } from '../../shared/client/request';
import type { Keys } from '../../shared/keys';
import type { WaitMemory } from './memory';
import type { WaitState } from './state';

/** A wait for which a request has arrived. */
export interface RunningWait<State = WaitState> {
	caller: IWebhookFunctions;
	keys: Keys;
	state: State;
	memory: WaitMemory;
	/** Sends a request to the service. */
	sendRequest: SendRequest;
}

/** What an execution waits for: calls, or campaigns. */
export interface WaitTarget {
	/**
	 * Takes an event, if it is authentic and belongs to this wait.
	 *
	 * @param message that a trigger has sent; undefined for a request of the service
	 * @returns the response, if the event is refused or needs nothing more
	 * @throws ServiceError
	 */
	take(message: IDataObject | undefined): Promise<IWebhookResponseData | undefined>;
	/** Whether everything that is awaited is known. */
	isComplete(): boolean;
	/** Whether {@link poll} can find anything: the service knows more, or a late event may come. */
	needsLook(): boolean;
	/**
	 * How long a late event may still come, in milliseconds; undefined if none is awaited. 0 means that its time is over:
	 * {@link poll} settles what it could have said.
	 */
	lateEventsMs(): number | undefined;
	/**
	 * Asks the service for what is not known, unless this process has received every event. What a late event could have
	 * said is settled if its time is over.
	 *
	 * @param timeIsUp whether the execution continues afterwards, whatever was found
	 * @param isLastTime whether it cannot be looked again: then nothing that fails ends it
	 * @returns whether what the events have said was found; if not, they have to come again
	 * @throws ServiceError
	 */
	poll(timeIsUp: boolean, isLastTime?: boolean): Promise<boolean>;
	/** The items with which the execution continues. */
	items(): INodeExecutionData[];
	/** Called when the execution has been resumed. */
	ended?(): void;
}

/** What the node says to an event with which it does not resume the execution. */
export const ACKNOWLEDGED = 'OK';

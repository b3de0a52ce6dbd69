import type { Field } from '../../shared/fields/field';
import type { Repeat } from '../../shared/service/request';
import type { Api } from '../sending/api';
import type { Output } from './items';

/** What the editor and AI agents read about an operation. */
export interface Texts {
	name: string;
	value: string;
	/**
	 * Verb and resource, as n8n's node panel shows it. A model that uses the node as a tool gets this text and no other
	 * one, so it has to say when a phone rings.
	 */
	action: string;
	/** What happens, as the editor shows it below the name. */
	description: string;
}

/** The value that says who calls. */
export type CalledBy = 'agentId' | 'campaignId';

/** An operation as the runner and the node's description use it. */
export interface Operation extends Texts {
	fields: readonly Field[];
	updates: readonly Field[];
	options: readonly Field[];
	filters: readonly Field[];
	/** Whether its requests may be sent again after an unclear answer; undefined: by the HTTP method. */
	repeat: Repeat | undefined;
	/** Whether a phone rings and money is spent. */
	placesCall: boolean;
	/** Where it calls the number `to`: which value says who calls. */
	calledBy: CalledBy | undefined;
	/** Whether it waits for the outcome of the calls. */
	waits: boolean;
	/** Whether an AI agent may use it. */
	forTools: boolean;
	/** The fields that the output has while Simplify is on; none where there is no Simplify. */
	simplified: readonly string[];
	/** @throws ServiceError where values that are valid one by one contradict each other */
	check: ((input: Record<string, unknown>) => void) | undefined;
	/**
	 * @param input the values for requests
	 * @param local the values of the fields that this node alone reads
	 */
	run(api: Api, input: Record<string, unknown>, local: Record<string, unknown>): Promise<Output>;
}

/** A resource of the service: its name in the node, and its operations. */
export interface Resource {
	name: string;
	value: string;
	operations: readonly Operation[];
	/** The operation that is chosen until the user chooses; by default the first by name. */
	firstOperation?: string;
}

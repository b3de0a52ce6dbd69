import type { Api } from '../../shared/client/api';
import type { Repeat } from '../../shared/client/request';
import type { Field } from '../../shared/fields/field';
import type { Call, CallerIdField } from './call';
import type { Output } from './items';

/** The texts of an operation in the editor and for AI agents. */
export interface Texts {
	name: string;
	value: string;
	/** Verb and resource, without articles: n8n's node panel shows it, and n8n names new nodes after it. */
	action: string;
	/**
	 * The description of the operation for AI agents, by default the action. For an operation that always places a call,
	 * the cost and the limits of calls are appended.
	 */
	toolDescription?: string;
	/** What happens, as the editor shows it below the name. */
	description: string;
	/** A warning at the top of the panel, for what people must know before they execute the node. */
	notice?: string;
}

/** The fields of an object with more than ten fields, from which the user chooses. */
export interface Outputs {
	/** The fields of the output by default, the most important fields first. */
	simplified: readonly string[];
	/** All fields that the object can have. */
	all: readonly string[];
	/** The fields in the editor. */
	fields: readonly Field[];
}

/** An operation as the execution and the node description use it. */
export interface Operation extends Texts {
	fields: readonly Field[];
	updates: readonly Field[];
	options: readonly Field[];
	/** The label of the collection with the options. */
	optionsTitle: string;
	filters: readonly Field[];
	/** The fields of the collection Sending. Without it, the pace of the requests is automatic. */
	sending: readonly Field[];
	/** Whether its requests may be sent again after an unknown outcome; if undefined, the HTTP method decides. */
	repeat: Repeat | undefined;
	/** Whether it places calls, which cost money. */
	placesCall: boolean;
	/** For calls to the number `to`: the field with the agent or campaign that calls. */
	callerIdField: CallerIdField | undefined;
	/** Returns the call that the checked values request; undefined if they do not place a call. */
	callIn(values: Record<string, unknown>): Call | undefined;
	/** Whether it only checks if a call can be placed: the `result` of its items is `ready` or `notReady`. */
	checksCall: boolean;
	/** Whether it waits for the outcome of the calls that it places, or for the end of campaigns. */
	waitsFor: 'calls' | 'campaigns' | undefined;
	/** Whether it runs once for all input items, as if there were only the first. */
	oncePerRun: boolean;
	/** Whether an AI agent may use it. */
	forTools: boolean;
	/** The choices of the field Output; undefined without that field. */
	outputs: Outputs | undefined;
	/** Validates fields that depend on each other. @throws ServiceError `INVALID_INPUT` */
	check: ((input: Record<string, unknown>) => void) | undefined;
	/**
	 * Runs the operation for one item.
	 *
	 * @param input the values to send
	 * @param local the values of the local fields
	 * @throws ServiceError
	 */
	run(api: Api, input: Record<string, unknown>, local: Record<string, unknown>): Promise<Output>;
}

/** A resource of the service: its name in the node, and its operations. */
export interface Resource {
	name: string;
	value: string;
	operations: readonly Operation[];
	/** The default operation, if it is not Get Many. */
	firstOperation?: string;
}

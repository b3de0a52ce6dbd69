import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../shared/client/api';
import { outcomeUnknown } from '../../shared/client/itemErrors';
import { messageIn } from '../../shared/client/refusals';
import type { Repeat, ServiceRequest } from '../../shared/client/request';
import { isRepeatable } from '../../shared/client/requests';
import { type ServiceError, unreadable } from '../../shared/errors/serviceError';
import type { Field, InputOf, LocalField, LocalOf } from '../../shared/fields/field';
import { idsLast } from '../../shared/outputJson';
import { publishAfterwards, repeatedNumber } from '../fields/common';
import { sendingFields } from '../fields/sending';
import type { Call, CallerIdField } from './call';
import type { Output } from './items';
import type { Operation, Outputs, Texts } from './operation';
import { thenPick } from './outputChoice';
import { thenPublish } from './publishAfterwards';
import { acceptedCall } from './responses';

type Fields = readonly Field[];

/** The types of the four lists of fields in a declaration. */
interface Lists {
	fields: Fields;
	updates: Fields;
	options: Fields;
	filters: Fields;
}

type Added<Of extends Lists> = [...Of['updates'], ...Of['options'], ...Of['filters']];

/** The values to send. */
type In<Of extends Lists> = InputOf<Of['fields']> & Partial<InputOf<Added<Of>>>;

/** The values of the local fields. */
type Local<Of extends Lists> = LocalOf<Of['fields']> & Partial<LocalOf<Added<Of>>>;

/** The type of a property that a declaration may only have if it declares the fields for it. */
type Needs<Values, Condition, Property> = [Values] extends [Condition] ? Property : never;

/** Rejects a key that is in `fields` and in a collection: one value would replace the other. */
type UniqueKeys<Of extends Lists> = [Extract<Of['fields'][number]['key'], Added<Of>[number]['key']>] extends [never]
	? unknown
	: { fields: never };

interface Common<Of extends Lists> extends Texts {
	/** Shown above the collections. */
	fields?: Of['fields'];
	/** Shown in the collection Update Fields. Only fields that the user adds are sent; at least one is required. */
	updates?: Of['updates'];
	/** Shown in the collection Options; absent unless the user adds them. */
	options?: Of['options'];
	/** The label of the collection Options, if its fields have something in common. */
	optionsTitle?: string;
	/** Shown in the collection Filters; absent unless the user adds them. */
	filters?: Of['filters'];
	/** True for operations that place calls or run while a caller waits: adds the collection Sending. */
	sending?: true;
	/** Whether requests may be sent again after an unknown outcome; by default POST and PATCH may not. */
	repeat?: Repeat;
	/**
	 * False if an AI agent must not use the operation because it deletes or ends something, or sends a secret. False by
	 * default if it makes an agent a draft, which takes the agent out of service.
	 */
	forTools?: boolean;
	/** True if it runs once for all input items, see {@link Operation.oncePerRun}. */
	oncePerRun?: true;
	/** True if it only checks calls, see {@link Operation.checksCall}. */
	checksCall?: true;
	/** For an object with more than ten fields: the fields to choose from; adds the field Output. */
	outputs?: Outputs;
	/** Set if the operation edits the agent `agentId` or a part, which makes it a draft. Adds Publish Afterwards. */
	drafts?: Needs<In<Of>, { agentId: string }, 'agent' | 'part'>;
	/** Validates fields that depend on each other, before anything is sent; throws `invalid`. */
	check?: (input: In<Of>) => void;
}

/** For operations that place calls to the number `to`: who calls, and whether the operation waits for the call. */
type Calling<Of extends Lists> =
	| {
			callerIdField?: never;
			waits?: never;
			/** For an operation that waits for a campaign; needs the fields of `fields/waiting.ts`. */
			waitsFor?: Needs<
				In<Of> & Required<Local<Of>>,
				{
					campaignId: string;
					waitBy: unknown;
					timeLimit: number | undefined;
					pollInterval: number | undefined;
				},
				'campaigns'
			>;
			/** For a request that places a call only with some values: returns the call. Adds the option Repeated Number. */
			callIn?: (input: In<Of>) => Call | undefined;
	  }
	| {
			/** The field with the agent or campaign that calls. Adds the option Repeated Number. */
			callerIdField: { [By in CallerIdField]: Needs<In<Of>, { to: string } & Record<By, string>, By> }[CallerIdField];
			/** True if it waits for the call; needs the fields of `fields/waiting.ts`. */
			waits?: Needs<
				Required<Local<Of>>,
				{ waitBy: unknown; timeLimit: number | undefined; pollInterval: number | undefined },
				true
			>;
			waitsFor?: never;
			callIn?: never;
	  };

/** One request, and the output from its response. */
interface SingleRequest<Of extends Lists> {
	request(input: In<Of>): ServiceRequest;
	/** Returns the result in the body; by default the whole body. */
	output?: (body: IDataObject, input: In<Of>) => unknown;
	/** Turns an error into a result; undefined keeps the error. */
	recover?: (error: ServiceError, input: In<Of>, local: Local<Of>) => Output | undefined;
	items?: never;
	keep?: never;
	run?: never;
}

/** A listing, read page by page up to the limit of the field `returnAll`. */
interface Listing<Of extends Lists> {
	request(input: In<Of>): ServiceRequest;
	/** Returns the items in the body of a page. */
	items: Needs<Local<Of>, { limit: number }, (body: IDataObject) => unknown>;
	/** Returns a filter that the service lacks; undefined for all items. */
	keep?: (input: In<Of>) => ((item: IDataObject) => boolean) | undefined;
	output?: never;
	recover?: never;
	run?: never;
}

/** An operation with more than one request. */
interface SeveralRequests<Of extends Lists> {
	run(api: Api, input: In<Of>, local: Local<Of>): Promise<Output>;
	request?: never;
	output?: never;
	recover?: never;
	items?: never;
	keep?: never;
}

type Declaration<Of extends Lists> = Common<Of> &
	Calling<Of> &
	(SingleRequest<Of> | Listing<Of> | SeveralRequests<Of>) &
	UniqueKeys<Of>;

/**
 * Declares an operation: a single request with the output from its response, a listing, or `run` for several requests.
 * Contradictory declarations do not compile.
 */
export function defineOperation<
	const F extends Fields = [],
	const U extends Fields = [],
	const O extends Fields = [],
	const L extends Fields = [],
>(declaration: Declaration<{ fields: F; updates: U; options: O; filters: L }>): Operation {
	const { fields = [], updates = [], options = [], filters = [], callerIdField, outputs } = declaration;
	const placesCall = callerIdField !== undefined;
	const callIn = (declaration.callIn ??
		(callerIdField && callBy(callerIdField)) ??
		(() => undefined)) as Operation['callIn'];
	const work = workOf(declaration as unknown as AnyWork, callerIdField, declaration.repeat);
	const edited = declaration.drafts ? thenPublish(work, declaration.drafts === 'agent') : work;
	return {
		name: declaration.name,
		value: declaration.value,
		action: declaration.action,
		toolDescription: declaration.toolDescription,
		description: declaration.description,
		notice: declaration.notice,
		fields: [...fields, ...(declaration.drafts ? [publishAfterwards] : []), ...(outputs?.fields ?? [])],
		updates,
		options: [...options, ...(placesCall || declaration.callIn ? [repeatedNumber] : [])],
		optionsTitle: declaration.optionsTitle ?? 'Options',
		filters,
		sending: declaration.sending ? sendingFields : [],
		repeat: declaration.repeat,
		placesCall,
		callerIdField,
		callIn,
		checksCall: declaration.checksCall ?? false,
		waitsFor: declaration.waits ? 'calls' : declaration.waitsFor,
		oncePerRun: declaration.oncePerRun ?? false,
		forTools: declaration.forTools ?? !declaration.drafts,
		outputs,
		check: declaration.check as Operation['check'],
		run: outputs ? thenPick(edited, outputs) : edited,
	};
}

/** Returns the call of an operation that always places one. */
function callBy(callerIdField: CallerIdField) {
	return (values: Record<string, unknown>): Call => ({
		callerIdField,
		callerId: String(values[callerIdField]),
		to: String(values.to),
		isTest: values.is_testing === true,
	});
}

/** A listing with the field `limit`. */
type AnyListing = Listing<Lists & { fields: [LocalField<'limit', number>] }>;

/** The requests of a declaration, without the types of its fields. */
type AnyWork = SingleRequest<Lists> | AnyListing | SeveralRequests<Lists>;

function workOf(
	work: AnyWork,
	callerIdField: Operation['callerIdField'],
	repeat: Repeat | undefined,
): Operation['run'] {
	if (work.run) {
		return (api, input, local) => work.run(api, input, local);
	}
	if (work.items) {
		const { request, items, keep } = work as AnyListing;
		return async (api, input, local) => {
			const listed = await api.pages(request(input), items, local.limit as number, keep?.(input));
			return listed.map(idsLast);
		};
	}
	return sendOne(work, callerIdField, repeat);
}

function sendOne(
	{ request, output, recover }: SingleRequest<Lists>,
	callerIdField: Operation['callerIdField'],
	repeat: Repeat | undefined,
): Operation['run'] {
	const placesCall = callerIdField !== undefined;
	return async (api, input, local): Promise<Output> => {
		const serviceRequest = request(input);
		const { value: body, error } = await api.tryRequest(serviceRequest);
		if (error === undefined) {
			const result = output ? output(body, input) : body;
			if (placesCall) {
				return acceptedCall(result, callerIdField, String((input as IDataObject).to), body);
			}
			if (result !== undefined) {
				return result as Output;
			}
			const unreadableError = unreadable(messageIn(body) ?? 'without the data that belong there');
			throw isRepeatable(serviceRequest, repeat) ? unreadableError : outcomeUnknown(false, unreadableError);
		}
		const result = recover?.(error, input, local);
		if (result === undefined) {
			throw error;
		}
		return result;
	};
}

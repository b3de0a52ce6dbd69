import type { IDataObject } from 'n8n-workflow';

import { type ServiceError, unreadable } from '../../shared/errors/serviceError';
import type { Field, InputOf, LocalField, LocalOf } from '../../shared/fields/field';
import { isRecord } from '../../shared/lib/isRecord';
import { messageIn } from '../../shared/service/refusals';
import type { Repeat, ServiceRequest } from '../../shared/service/request';
import { publishAfterwards, repeatedNumber, simplify } from '../fields/common';
import type { Api } from '../sending/api';
import { outcomeUnknown } from '../sending/itemErrors';
import { ItemWithFile, type Output } from './items';
import type { CalledBy, Operation, Texts } from './operation';
import { thenPublish } from './publishAfterwards';
import type { ResponseField } from './responseFields';

type Fields = readonly Field[];

/** The types of a declaration's four lists of fields. */
interface Lists {
	fields: Fields;
	updates: Fields;
	options: Fields;
	filters: Fields;
}

type Added<Of extends Lists> = [...Of['updates'], ...Of['options'], ...Of['filters']];

/** The values for requests. */
type In<Of extends Lists> = InputOf<Of['fields']> & Partial<InputOf<Added<Of>>>;

/** The values of the fields that this node alone reads. */
type Local<Of extends Lists> = LocalOf<Of['fields']> & Partial<LocalOf<Added<Of>>>;

/** The fields that operations add to the service's objects. */
type AddedField = 'changed';

/** What a declaration may say only if it has the fields for it. */
type Needs<Values, Wanted, Said> = [Values] extends [Wanted] ? Said : never;

/** Rejects a key that stands in `fields` and in a collection: one value would replace the other. */
type UniqueKeys<Of extends Lists> = [Extract<Of['fields'][number]['key'], Added<Of>[number]['key']>] extends [never]
	? unknown
	: { fields: never };

interface Common<Of extends Lists> extends Texts {
	/** Shown at the top. */
	fields?: Of['fields'];
	/** Shown in the collection Update Fields. Only what the user adds is sent, and something has to be added. */
	updates?: Of['updates'];
	/** Shown in the collection Options; absent unless the user adds them. */
	options?: Of['options'];
	/** Shown in the collection Filters; absent unless the user adds them. */
	filters?: Of['filters'];
	/** Whether an unclear request may be sent again; by default POST and PATCH may not. */
	repeat?: Repeat;
	/** False where an AI agent must not use it: what it deletes or ends is gone, or it sends a secret. */
	forTools?: boolean;
	/** Of an object with more than ten fields, those that the output has while Simplify is on. */
	simplified?: ReadonlyArray<ResponseField | AddedField>;
	/** True where the agent `agentId` becomes a draft; adds the option Publish Afterwards. */
	drafts?: Needs<In<Of>, { agentId: string }, true>;
	/** What no field can check alone: throws `invalid` before anything is sent. */
	check?: (input: In<Of>) => void;
}

/** Where a phone rings: who calls the number `to`, and whether the operation waits for the outcome of the call. */
type Calling<Of extends Lists> =
	| { calledBy?: never; waits?: never }
	| {
			/** The value that says who calls. Adds the option Repeated Number. */
			calledBy: { [By in CalledBy]: Needs<In<Of>, { to: string } & Record<By, string>, By> }[CalledBy];
			/** True where it waits, by the fields of `fields/waiting.ts`. */
			waits?: Needs<Local<Of>, { waitBy: unknown; timeLimit: number; pollInterval?: number }, true>;
	  };

/** One request, and what to take from its answer. */
interface SingleRequest<Of extends Lists> {
	request(input: In<Of>): ServiceRequest;
	/** What has to succeed before the request is sent; skipped where an earlier try has sent it. */
	before?: (api: Api, input: In<Of>, local: Local<Of>) => Promise<void>;
	/** Where the result is in the body; by default the body itself. */
	output?: (body: IDataObject, input: In<Of>) => unknown;
	/** Turns a refusal into a result; undefined leaves it a refusal. */
	recover?: (error: ServiceError, input: In<Of>, local: Local<Of>) => Output | undefined;
	items?: never;
	keep?: never;
	run?: never;
}

/** A listing, read page by page up to the limit of the field `returnAll`. */
interface Listing<Of extends Lists> {
	request(input: In<Of>): ServiceRequest;
	/** Where the items are in a page. */
	items: Needs<Local<Of>, { limit: number }, (body: IDataObject) => unknown>;
	/** Which items count, where the service has no filter for them; undefined: all. */
	keep?: (input: In<Of>) => ((item: IDataObject) => boolean) | undefined;
	before?: never;
	output?: never;
	recover?: never;
	run?: never;
}

/** What takes more than one request. */
interface SeveralRequests<Of extends Lists> {
	run(api: Api, input: In<Of>, local: Local<Of>): Promise<Output>;
	request?: never;
	before?: never;
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
 * Declares an operation: one request and what to take from its answer, a listing, or `run` for what takes more than one
 * request. What does not fit together does not compile.
 */
export function defineOperation<
	const F extends Fields = [],
	const U extends Fields = [],
	const O extends Fields = [],
	const L extends Fields = [],
>(declaration: Declaration<{ fields: F; updates: U; options: O; filters: L }>): Operation {
	const { fields = [], updates = [], options = [], filters = [], calledBy, simplified } = declaration;
	const placesCall = calledBy !== undefined;
	const work = workOf(declaration as unknown as AnyWork, placesCall);
	const shown = simplified ? thenSimplify(work, simplified) : work;
	return {
		name: declaration.name,
		value: declaration.value,
		action: declaration.action,
		description: declaration.description,
		fields: simplified ? [...fields, simplify] : fields,
		updates,
		options: [...options, ...(declaration.drafts ? [publishAfterwards] : []), ...(placesCall ? [repeatedNumber] : [])],
		filters,
		repeat: declaration.repeat,
		placesCall,
		calledBy,
		waits: declaration.waits ?? false,
		forTools: declaration.forTools ?? true,
		simplified: simplified ?? [],
		check: declaration.check as Operation['check'],
		// The result of publishing is added after the fields were picked.
		run: declaration.drafts ? thenPublish(shown) : shown,
	};
}

/** A listing whose fields have `limit`. */
type AnyListing = Listing<Lists & { fields: [LocalField<'limit', number>] }>;

/** A declaration's work, after the compiler has checked that it fits its fields. */
type AnyWork = SingleRequest<Lists> | AnyListing | SeveralRequests<Lists>;

function workOf(work: AnyWork, placesCall: boolean): Operation['run'] {
	if (work.run) {
		return (api, input, local) => work.run(api, input, local);
	}
	if (work.items) {
		const { request, items, keep } = work as AnyListing;
		return (api, input, local) => api.pages(request(input), items, local.limit as number, keep?.(input));
	}
	return sendOne(work, placesCall);
}

function sendOne({ request, before, output, recover }: SingleRequest<Lists>, placesCall: boolean): Operation['run'] {
	return async (api, input, local): Promise<Output> => {
		const wanted = request(input);
		const { value: body, error } = await api.tryRequest(wanted, before && (() => before(api, input, local)));
		if (error === undefined) {
			const result = output ? output(body, input) : body;
			if (result !== undefined) {
				return result as Output;
			}
			const odd = unreadable(messageIn(body) ?? 'without the data that belong there');
			throw placesCall ? outcomeUnknown(placesCall, odd) : odd;
		}
		const result = recover?.(error, input, local);
		if (result === undefined) {
			throw error;
		}
		// The reason for the refusal may be gone at the next try: the phone must not ring then.
		if (placesCall) {
			api.settle(wanted, error);
		}
		return result;
	};
}

/** Leaves the items of an operation the fields `keys` while Simplify is on. */
function thenSimplify(work: Operation['run'], keys: readonly string[]): Operation['run'] {
	const pick = (item: IDataObject | ItemWithFile) =>
		isRecord(item) && !(item instanceof ItemWithFile)
			? Object.fromEntries(keys.filter((key) => key in item).map((key) => [key, item[key]]))
			: item;
	return async (api, input, local) => {
		const output = await work(api, input, local);
		if (local.simplify !== true) {
			return output;
		}
		return Array.isArray(output) ? output.map(pick) : pick(output);
	};
}

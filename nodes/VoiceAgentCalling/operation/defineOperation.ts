import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { attempt, isRecord, type ServiceError, unreadable } from '../../shared/errors/serviceError';
import type { Field, InputOf } from '../../shared/fields/field';
import { messageIn } from '../../shared/service/refusals';
import type { Repeat, ServiceRequest } from '../../shared/service/request';
import { publishAfterwards, repeatedNumber, simplify } from '../fields/common';
import { WAITING_KEYS } from '../fields/waiting';
import type { Api } from '../sending/api';
import { outcomeUnknown } from '../sending/itemErrors';

/** An item with a file. */
export class ItemWithFile {
	readonly json: IDataObject;

	readonly binary: IBinaryKeyData;

	constructor(json: IDataObject, binary: IBinaryKeyData) {
		this.json = json;
		this.binary = binary;
	}
}

type Output = IDataObject | ItemWithFile | Array<IDataObject | ItemWithFile>;

interface Texts {
	name: string;
	value: string;
	/**
	 * Verb and resource, as n8n's node panel shows it. To a model that uses the node as a tool n8n shows
	 * this text and no other, so it has to say when a phone rings.
	 */
	action: string;
	/** What happens, as the editor shows it below the name. */
	description: string;
}

/** The value that says who calls. */
type CalledBy = 'agentId' | 'campaignId';

/** An operation as the runner and the description use it. */
export interface Operation extends Texts {
	fields: readonly Field[];
	updates: readonly Field[];
	options: readonly Field[];
	filters: readonly Field[];
	repeat: Repeat | undefined;
	/** Whether a phone rings and money is spent. */
	spends: boolean;
	/** Where it calls the number `to`: which value says who calls. */
	calledBy: CalledBy | undefined;
	/** Whether it waits for what becomes of the calls. */
	waits: boolean;
	forTools: boolean;
	/** The fields that the output has while Simplify is on; none where there is no Simplify. */
	simplified: readonly string[];
	/** @throws ServiceError where values that are right by themselves do not fit together */
	check: ((input: Record<string, unknown>) => void) | undefined;
	/** @returns one item, several, or none */
	run(api: Api, input: Record<string, unknown>): Promise<Output>;
}

interface Declaration<
	Fields extends readonly Field[],
	Updates extends readonly Field[],
	Options extends readonly Field[],
	Filters extends readonly Field[],
> extends Texts {
	/** Shown at the top. */
	fields?: Fields;
	/** Shown in the collection Update Fields: only what the user adds is sent. One has to be added. */
	updates?: Updates;
	/** Shown in the collection Options; absent unless the user adds them. */
	options?: Options;
	/** Shown in the collection Filters; absent unless the user adds them. */
	filters?: Filters;
	/** Whether an unclear request may be sent again; by default POST and PATCH may not. */
	repeat?: Repeat;
	/**
	 * Where a phone rings and money is spent: which value says who calls. The number is the value `to`. Adds the
	 * option Repeated Number.
	 */
	calledBy?: CalledBy;
	/** True where it waits for what becomes of the calls, by the fields of `waiting/fields.ts`. */
	waits?: true;
	/** False where an AI agent must not do it: what it deletes or ends is gone, or it sends a secret. */
	forTools?: boolean;
	/** Of an object with more than ten fields, the ones that the output has while Simplify is on. */
	simplified?: readonly string[];
	/** True where the agent `agentId` becomes a draft; adds the option Publish Afterwards. */
	drafts?: boolean;
}

type Input<
	Fields extends readonly Field[],
	Updates extends readonly Field[],
	Options extends readonly Field[],
	Filters extends readonly Field[],
> = InputOf<Fields> & Partial<InputOf<Updates>> & Partial<InputOf<Options>> & Partial<InputOf<Filters>>;

interface Checked<In> {
	/** What no field can tell by itself: throws `invalid` before anything is sent. */
	check?: (input: In) => void;
}

interface SingleRequest<In> {
	request(input: In): ServiceRequest;
	/** What has to go well before the request is sent, unless an earlier try has sent it. */
	before?: (api: Api, input: In) => Promise<void>;
	/** Where the result is in the body; by default the body itself. */
	output?: (body: IDataObject, input: In) => unknown;
	/** For a listing: where the items are in a page. It has to have the field `limit`. */
	items?: (body: IDataObject) => unknown;
	/** For a listing that the service cannot filter: which items count; undefined: all. */
	keep?: (input: In) => ((item: IDataObject) => boolean) | undefined;
	/** Turns a refusal into a result; undefined leaves it a refusal. */
	recover?: (error: ServiceError, input: In) => Output | undefined;
}

interface SeveralRequests<In> {
	run(api: Api, input: In): Promise<Output>;
}

/**
 * Declares an operation: one request and what to take from its answer, or `run` for what takes more
 * than one request.
 */
export function defineOperation<
	const Fields extends readonly Field[] = [],
	const Updates extends readonly Field[] = [],
	const Options extends readonly Field[] = [],
	const Filters extends readonly Field[] = [],
>(
	declaration: Declaration<Fields, Updates, Options, Filters> &
		Checked<Input<Fields, Updates, Options, Filters>> &
		(
			| SingleRequest<Input<Fields, Updates, Options, Filters>>
			| SeveralRequests<Input<Fields, Updates, Options, Filters>>
		),
): Operation {
	type In = Input<Fields, Updates, Options, Filters>;
	const { fields = [], updates = [], options = [], filters = [], calledBy, simplified } = declaration;
	const spends = calledBy !== undefined;
	const work = 'run' in declaration ? declaration.run : sendOne<In>(declaration, spends);
	const shown = simplified ? thenPick(work, simplified) : work;
	// What became of the publishing is added to what was picked.
	const run = declaration.drafts ? thenPublish(shown) : shown;
	return {
		name: declaration.name,
		value: declaration.value,
		action: declaration.action,
		description: declaration.description,
		fields: simplified ? [...fields, simplify] : fields,
		updates,
		options: [...options, ...(declaration.drafts ? [publishAfterwards] : []), ...(spends ? [repeatedNumber] : [])],
		filters,
		repeat: declaration.repeat,
		spends,
		calledBy,
		waits: declaration.waits ?? false,
		forTools: declaration.forTools ?? true,
		simplified: simplified ?? [],
		check: declaration.check as Operation['check'],
		// What the runner alone has to know is no value of the service.
		run: (api, input) => run(api, (spends ? { ...input, ...forRunner } : input) as In),
	};
}

/** Takes away what only the runner reads. */
const forRunner = Object.fromEntries(['repeatedNumber', ...WAITING_KEYS].map((key) => [key, undefined]));

/** Leaves the items some of their fields while Simplify is on. */
function thenPick<In>(work: (api: Api, input: In) => Promise<Output>, keys: readonly string[]) {
	const pick = (item: IDataObject | ItemWithFile) =>
		isRecord(item) && !(item instanceof ItemWithFile)
			? Object.fromEntries(keys.filter((key) => key in item).map((key) => [key, item[key]]))
			: item;
	return async (api: Api, input: In): Promise<Output> => {
		const { simplify: wanted, ...rest } = input as In & { simplify?: boolean };
		const output = await work(api, rest as In);
		if (!wanted) {
			return output;
		}
		return Array.isArray(output) ? output.map(pick) : pick(output);
	};
}

/**
 * Publishes the agent after an edit where the user wants it so. The edit stays done if that fails: what
 * became of the publishing is in the output.
 */
function thenPublish<In>(edit: (api: Api, input: In) => Promise<Output>) {
	return async (api: Api, input: In): Promise<Output> => {
		const { publishAfterwards: wanted, ...rest } = input as In & { publishAfterwards?: boolean };
		const edited = await edit(api, rest as In);
		if (!wanted) {
			return edited;
		}
		const { agentId } = input as { agentId: string };
		const { error } = await attempt(api.request(publishRequest(agentId)));
		const publishing = error
			? { published: false, publishCode: error.code, publishMessage: error.message }
			: { published: true, current_status: 'published' };
		return { ...(edited as IDataObject), ...publishing };
	};
}

/** Makes an agent active. One that is published stays so: asking twice does no harm. */
export function publishRequest(agentId: string): ServiceRequest {
	return {
		method: 'POST',
		path: ['agents', agentId, 'publish'],
		codes: { 404: 'AGENT_NOT_FOUND' },
		advice: {
			422: 'Complete what is named above with Agent, Update Voice, Update Knowledge or Update Calling Settings, then run this again.',
		},
		repeat: 'safe',
	};
}

function sendOne<In>({ request, before, output, items, keep, recover }: SingleRequest<In>, spends: boolean) {
	return async (api: Api, input: In): Promise<Output> => {
		if (items) {
			const { limit } = input as { limit: number };
			return await api.pages(request(input), items, limit, keep?.(input));
		}
		const wanted = request(input);
		const { value: body, error } = await attempt(api.request(wanted, before && (() => before(api, input))));
		if (error === undefined) {
			const result = output ? output(body, input) : body;
			if (result !== undefined) {
				return result as Output;
			}
			const odd = unreadable(messageIn(body) ?? 'without the data that belong there');
			throw spends ? outcomeUnknown(spends, odd) : odd;
		}
		const result = recover?.(error, input);
		if (result === undefined) {
			throw error;
		}
		// What stands against a second call may be over at the next try: it must not ring then.
		if (spends) {
			api.settle(wanted, error);
		}
		return result;
	};
}

/** A resource of the service: its name in the node, and its operations. */
export interface Resource {
	name: string;
	value: string;
	operations: readonly Operation[];
	/** The operation that is chosen until the user chooses; by default the first by name. */
	firstOperation?: string;
}

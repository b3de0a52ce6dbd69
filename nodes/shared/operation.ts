import type { IDataObject } from 'n8n-workflow';

import { outcomeUnknown, type Api, type Repeat } from './api';
import { attempt, unreadable, type ServiceError } from './errors';
import type { Field, InputOf } from './field';
import { messageIn } from './refusals';
import type { ServiceRequest } from './transport';

type Output = IDataObject | IDataObject[];

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

/** An operation as the runner and the description use it. */
export interface Operation extends Texts {
	fields: readonly Field[];
	options: readonly Field[];
	filters: readonly Field[];
	repeat: Repeat | undefined;
	spends: boolean;
	forTools: boolean;
	/** @returns one item, several, or none */
	run(api: Api, input: Record<string, unknown>): Promise<Output>;
}

interface Declaration<
	Fields extends readonly Field[],
	Options extends readonly Field[],
	Filters extends readonly Field[],
> extends Texts {
	/** Shown at the top. */
	fields?: Fields;
	/** Shown in the collection Options; absent unless the user adds them. */
	options?: Options;
	/** Shown in the collection Filters; absent unless the user adds them. */
	filters?: Filters;
	/** Whether an unclear request may be sent again; by default POST and PATCH may not. */
	repeat?: Repeat;
	/** True where a phone rings and money is spent. */
	spends?: boolean;
	/** False where an AI agent must not do it: what it deletes or ends is gone. */
	forTools?: boolean;
}

type Input<
	Fields extends readonly Field[],
	Options extends readonly Field[],
	Filters extends readonly Field[],
> = InputOf<Fields> & Partial<InputOf<Options>> & Partial<InputOf<Filters>>;

interface SingleRequest<In> {
	request(input: In): ServiceRequest;
	/** Where the result is in the body; by default the body itself. */
	output?: (body: IDataObject) => unknown;
	/** For a listing: where the items are in a page. It has to have the field `limit`. */
	items?: (body: IDataObject) => unknown;
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
	const Options extends readonly Field[] = [],
	const Filters extends readonly Field[] = [],
>(
	declaration: Declaration<Fields, Options, Filters> &
		(
			| SingleRequest<Input<Fields, Options, Filters>>
			| SeveralRequests<Input<Fields, Options, Filters>>
		),
): Operation {
	type In = Input<Fields, Options, Filters>;
	const spends = declaration.spends ?? false;
	const run = 'run' in declaration ? declaration.run : sendOne<In>(declaration, spends);
	return {
		name: declaration.name,
		value: declaration.value,
		action: declaration.action,
		description: declaration.description,
		fields: declaration.fields ?? [],
		options: declaration.options ?? [],
		filters: declaration.filters ?? [],
		repeat: declaration.repeat,
		spends,
		forTools: declaration.forTools ?? true,
		run: async (api, input) => await run(api, input as In),
	};
}

function sendOne<In>({ request, output, items, recover }: SingleRequest<In>, spends: boolean) {
	return async (api: Api, input: In): Promise<Output> => {
		if (items) {
			const { limit } = input as { limit: number };
			return await api.pages(request(input), items, limit);
		}
		const { value: body, error } = await attempt(api.request(request(input)));
		if (error === undefined) {
			const result = output ? output(body) : body;
			if (result !== undefined) return result as Output;
			const odd = unreadable(messageIn(body) ?? 'without the data that belong there');
			throw spends ? outcomeUnknown(spends, odd) : odd;
		}
		const result = recover?.(error, input);
		if (result === undefined) throw error;
		return result;
	};
}

/** A resource of the service: its name in the node, and its operations. */
export interface Resource {
	name: string;
	value: string;
	operations: readonly Operation[];
}

import type { IDataObject } from 'n8n-workflow';

import { isTool } from '../../shared/errors/aiTool';
import { type Result, ServiceError, toResult } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import { itemRanges } from '../../shared/lib/itemRanges';
import { withoutTickets } from '../../shared/nodeLink/ticket';
import type { Mapping } from '../fields/agentVariables';
import { failed, type ItemInput, ItemWithFile, type Outcome } from '../operation/items';
import type { Operation } from '../operation/operation';
import { type Api, createApi } from '../sending/api';
import { canceled } from '../sending/itemErrors';
import type { Run } from '../sending/run';
import { agentState } from './agent';
import { campaignState } from './campaign';
import { ADVICE_ON_MISSING, type CheckedFirst, MISSING_VARIABLES } from './findings';
import { missingFrom, valuesFor } from './placeholders';

/** How many variables a hint names, and how many ranges of items for each. */
const MAX_SHOWN = 10;

/** The part of a run that has to do with variables. */
interface VariablesRun {
	run: Run;
	operation: Operation;
	/** The inputs of the items; {@link Variables.prepare} adds the `payload` to their values. */
	inputs: ReadonlyArray<ItemInput | ServiceError>;
	/** How many agents are read at the same time. */
	concurrency: number;
	isCanceled(): boolean;
}

/** An item with the field Agent Variables. */
type VariableInput = ItemInput & {
	local: CheckedFirst & {
		agentVariables: Mapping;
		moreVariables?: Record<string, unknown>;
		variablesJson?: Record<string, unknown>;
	};
};

/** The values for the variables of the agents: what is sent, and what is missing. */
export class Variables {
	private readonly variablesRun: VariablesRun;

	/** For requests that all items share. */
	private readonly api: Api;

	/** What was read, by the agent or campaign. */
	private readonly names = new Map<string, Result<string[]>>();

	constructor(variablesRun: VariablesRun) {
		this.variablesRun = variablesRun;
		this.api = createApi({
			run: variablesRun.run,
			itemIndex: 0,
			repeat: 'safe',
			placesCall: false,
			budget: undefined,
			assertWanted: () => {
				if (variablesRun.isCanceled()) {
					throw canceled();
				}
			},
		});
	}

	/**
	 * Sets the payload of each item; to be called before anything is sent. Reads the variables of an agent where Map
	 * Automatically or Missing Variables: Fail needs them.
	 *
	 * @returns errors by item: these calls must not be placed
	 */
	async prepare(): Promise<Map<number, ServiceError>> {
		const { run, operation } = this.variablesRun;
		const items = this.items();
		const needsNames = ({ local }: VariableInput) =>
			local.agentVariables.automatic || local.missingVariables === 'fail';
		await this.read(items.filter(([, input]) => needsNames(input)));
		const given = run.caller.getInputData();
		const errors = new Map<number, ServiceError>();
		for (const [item, input] of items) {
			const { values, local } = input;
			const { value: names = [], error } = (needsNames(input) && this.names.get(ownerOf(input))) || {};
			const { automatic, values: mapped } = local.agentVariables;
			const own = automatic ? withoutTickets(valuesFor(names, given[item].json)) : mapped;
			const payload = { ...own, ...local.moreVariables, ...local.variablesJson };
			values.payload = Object.keys(payload).length > 0 ? payload : undefined;
			const refused = error ? cannotTell(error) : missing(local, missingFrom(payload, names));
			// An operation that only checks calls reports the reasons itself.
			if (refused === undefined || operation.calledBy === undefined) {
				continue;
			}
			if (run.sent.earlierItems.has(item)) {
				// If an earlier try has placed this call, that call is the result.
				local.variablesError = refused;
			} else {
				errors.set(item, refused);
			}
		}
		return errors;
	}

	/**
	 * Adds hints about calls that lack variables; to be called after the calls were sent, so that the check delays none.
	 * An AI agent does not see hints, so a tool has the names in its output.
	 */
	async warn(outcomes: Array<Outcome | undefined>): Promise<void> {
		const { run, operation, isCanceled } = this.variablesRun;
		const wantsWarning = ([item, { local }]: [number, VariableInput]) =>
			(local.missingVariables ?? 'warn') === 'warn' && mayBePlaced(outcomes[item]);
		const items = operation.calledBy === undefined ? [] : this.items().filter(wantsWarning);
		await this.read(items);
		if (isCanceled()) {
			return;
		}
		const itemsByName = new Map<string, number[]>();
		for (const [item, input] of items) {
			const { value: names = [], error } = this.names.get(ownerOf(input)) ?? {};
			if (error) {
				run.notes.add(`Cannot tell whether variables are missing: ${error.message}`);
			}
			const absent = missingFrom(input.values.payload, names);
			for (const name of absent) {
				const known = itemsByName.get(name) ?? [];
				known.push(item);
				itemsByName.set(name, known);
			}
			const outcome = outcomes[item];
			if (absent.length > 0 && isTool(run.caller.getNode()) && outcome && !failed(outcome)) {
				outcome.items = outcome.items.map((call) => withMissing(call, absent));
			}
		}
		if (itemsByName.size > 0) {
			run.notes.add(inWords(itemsByName));
		}
	}

	/** The items that can be sent, with their indexes. */
	private items(): Array<[number, VariableInput]> {
		return [...this.variablesRun.inputs.entries()].filter(
			(entry): entry is [number, VariableInput] => !(entry[1] instanceof ServiceError),
		);
	}

	/** Reads the variables of the agents of some items, each once. */
	private async read(items: ReadonlyArray<[number, VariableInput]>): Promise<void> {
		const unread = new Map(items.map(([, input]) => [ownerOf(input), input.values] as const));
		for (const owner of this.names.keys()) {
			unread.delete(owner);
		}
		const queue = [...unread];
		const work = async () => {
			for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
				const [owner, values] = next;
				this.names.set(owner, await toResult(namesOf(this.api, values)));
			}
		};
		await Promise.all(Array.from({ length: Math.min(this.variablesRun.concurrency, queue.length) }, work));
	}
}

/** Identifies the agent or campaign of an item. */
function ownerOf({ values }: VariableInput): string {
	return JSON.stringify([values.agentId, values.campaignId]);
}

/** Reads the names of all variables of an agent, or of a campaign's agent. @throws ServiceError if they cannot be read */
async function namesOf(api: Api, { agentId, campaignId }: Record<string, unknown>): Promise<string[]> {
	const campaign = campaignId === undefined ? undefined : await campaignState(api, String(campaignId));
	const id = campaign ? campaign.agentId : String(agentId);
	if (id === undefined) {
		const [reason] = campaign?.findings ?? [];
		throw notRead(reason?.what ?? 'The campaign has no agent', reason?.advice ?? 'Give it one with Campaign, Update.');
	}
	const { exists, findings, placeholders, readsFlow } = await agentState(api, id);
	if (!exists) {
		throw notRead(findings[0].what, findings[0].advice);
	}
	if (!readsFlow) {
		const advice = "Use a token that may read flows, or map the variables manually with 'Missing Variables': Ignore.";
		throw notRead("The token may not read the agent's flow, which can have more variables", advice);
	}
	return placeholders;
}

function notRead(message: string, advice: string): ServiceError {
	return new ServiceError(message, { code: 'VARIABLES_NOT_READ', advice, accepted: 'no' });
}

/** The error of an item that needs names which could not be read: its call was not sent. */
function cannotTell({ message, advice }: ServiceError): ServiceError {
	return notRead(`Not sent, because the variables of the agent could not be read: ${message}`, advice);
}

/** The error of an item that lacks variables and is to fail then. */
function missing({ missingVariables }: CheckedFirst, names: readonly string[]): ServiceError | undefined {
	if (missingVariables !== 'fail' || names.length === 0) {
		return undefined;
	}
	return new ServiceError(`Variables of the agent have no value: ${shortList(names)}`, {
		code: MISSING_VARIABLES,
		advice: ADVICE_ON_MISSING,
		accepted: 'no',
	});
}

/** Whether the service has, or may have, the call of an item. */
function mayBePlaced(outcome: Outcome | undefined): boolean {
	return outcome !== undefined && (!failed(outcome) || outcome.error.accepted === 'unknown');
}

function withMissing(call: IDataObject | ItemWithFile, names: string[]): IDataObject | ItemWithFile {
	return isRecord(call) && !(call instanceof ItemWithFile) ? { ...call, missingVariables: names } : call;
}

/** Up to {@link MAX_SHOWN} texts. */
function shortList(texts: readonly string[]): string {
	const more = texts.length - MAX_SHOWN;
	return [...texts.slice(0, MAX_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** "Variables without a value: first_name in items 0, 3-5." */
function inWords(itemsByName: ReadonlyMap<string, number[]>): string {
	const parts = [...itemsByName].map(([name, items]) => {
		const word = items.length === 1 ? 'item' : 'items';
		return `${name} in ${word} ${itemRanges(items, MAX_SHOWN)}`;
	});
	const shown = parts.slice(0, MAX_SHOWN).join('; ');
	const more = parts.length - MAX_SHOWN;
	return `Variables without a value: ${shown}${more > 0 ? `; and ${more} more variables` : ''}. ${ADVICE_ON_MISSING}`;
}

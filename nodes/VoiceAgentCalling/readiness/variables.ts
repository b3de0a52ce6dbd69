import { type IDataObject, sleep } from 'n8n-workflow';

import { isTool } from '../../shared/errors/aiTool';
import { type Result, ServiceError, toResult } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import { itemRanges } from '../../shared/lib/itemRanges';
import { withoutTickets } from '../../shared/nodeLink/ticket';
import type { Mapping } from '../fields/agentVariables';
import { failed, type ItemInput, ItemWithFile, type Outcome } from '../operation/items';
import type { Operation } from '../operation/operation';
import { type Api, createSharedApi } from '../sending/api';
import { concurrently } from '../sending/concurrently';
import { canceled } from '../sending/itemErrors';
import { Pace } from '../sending/pace';
import type { Run } from '../sending/run';
import { agentState } from './agent';
import { campaignState } from './campaign';
import { ADVICE_ON_MISSING, type CheckedFirst, MISSING_VARIABLES } from './findings';
import { missingFrom, valuesFor } from './placeholders';

/** How many variables a hint names, and how many ranges of items for each. */
const MAX_SHOWN = 10;

/** How long a read for a hint may take: the calls and their results do not depend on it. */
const MAX_READ_SECONDS = 5;

/** How long the hint is waited for where an event can come that ends the wait for a call. */
const SHORT_READ_MS = 1000;

/** The names of an agent's variables, as far as they could be read. */
interface Names {
	names: string[];
	/** Why there may be more names. */
	incomplete?: ServiceError;
}

/** How many requests for warnings are sent at the same time: they have no time to find out how many would do. */
const MAX_READS_FOR_HINTS = 5;

/** How often a wait for the reads checks whether the run was canceled. */
const CHECK_INTERVAL_MS = 100;

const CANNOT_TELL = 'Cannot tell whether variables are missing';

const NOT_READ_IN_TIME = notRead('The agent was not read in time', 'Use Check Before Calling to find out.');

/** The part of a run that has to do with variables. */
interface VariablesRun {
	run: Run;
	operation: Operation;
	/** The inputs of the items; {@link Variables.prepare} adds the `payload` to their values. */
	inputs: ReadonlyArray<ItemInput | ServiceError>;
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

/** What reads the agents, and how many requests it sends at the same time. */
interface Reader {
	api: Api;
	concurrency: { readonly limit: number };
}

/** The values for the variables of the agents: what is sent, and what is missing. */
export class Variables {
	private readonly variablesRun: VariablesRun;

	/** For requests that all items share. */
	private readonly api: Api;

	/** What was read, by the agent or campaign. */
	private readonly names = new Map<string, Result<Names>>();

	/** Whether the reads for a warning are no longer waited for. */
	private gaveUp = false;

	constructor(variablesRun: VariablesRun) {
		this.variablesRun = variablesRun;
		this.api = createSharedApi(variablesRun.run, () => {
			if (variablesRun.isCanceled()) {
				throw canceled();
			}
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
		await this.read(
			items.filter(([, input]) => needsNames(input)),
			{ api: this.api, concurrency: run.pace.concurrency },
		);
		const given = run.caller.getInputData();
		const errors = new Map<number, ServiceError>();
		for (const [item, input] of items) {
			const { values, local } = input;
			const { value, error = value?.incomplete } = (needsNames(input) && this.names.get(ownerOf(input))) || {};
			const { names = [] } = value ?? {};
			const { automatic, values: mapped } = local.agentVariables;
			const own = automatic ? withoutTickets(valuesFor(names, given[item].json)) : mapped;
			const payload = { ...own, ...local.moreVariables, ...local.variablesJson };
			values.payload = Object.keys(payload).length > 0 ? payload : undefined;
			const refused = error ? cannotTell(error, operation) : missing(local, missingFrom(payload, names));
			if (refused === undefined) {
				continue;
			}
			if (operation.calledBy === undefined) {
				// An operation that only checks calls reports what else it finds, and other errors of its own reads.
				local.variablesError = value?.incomplete && refused;
			} else if (run.sent.earlierItems.has(item)) {
				// If an earlier try has placed this call, that call is the result.
				local.variablesError = refused;
			} else {
				errors.set(item, refused);
			}
		}
		return errors;
	}

	/**
	 * Adds hints about calls that lack variables; to be called after the calls were sent. A read that is slow or fails
	 * changes no result. An AI agent does not see hints, so a tool has the names in its output.
	 *
	 * @param isHurried whether the run has to go on after {@link SHORT_READ_MS}
	 */
	async warn(outcomes: Array<Outcome | undefined>, isHurried: boolean): Promise<void> {
		const { run, isCanceled } = this.variablesRun;
		const items = this.warned().filter(([item]) => mayBePlaced(outcomes[item]));
		let isOver = items.length === 0;
		const reads = this.read(items, this.readerForHints()).then(() => {
			isOver = true;
		});
		const until = Date.now() + (isHurried ? SHORT_READ_MS : MAX_READ_SECONDS * 1000);
		while (!isOver && !isCanceled() && Date.now() < until) {
			await Promise.race([reads, sleep(CHECK_INTERVAL_MS)]);
		}
		this.gaveUp = true;
		const itemsByName = new Map<string, number[]>();
		const unread = new Set<string>();
		for (const [item, input] of items) {
			const { value, error = value?.incomplete } = this.names.get(ownerOf(input)) ?? { error: NOT_READ_IN_TIME };
			const { names = [] } = value ?? {};
			const absent = missingFrom(input.values.payload, names);
			if (error) {
				unread.add(error.message);
			}
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
		const what = itemsByName.size > 0 ? 'There may be more variables without a value' : CANNOT_TELL;
		for (const reason of unread) {
			run.notes.add(`${what}: ${reason}`);
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

	/** The items whose missing variables lead to a hint. */
	private warned(): Array<[number, VariableInput]> {
		const items = this.variablesRun.operation.calledBy === undefined ? [] : this.items();
		return items.filter(([, { local }]) => (local.missingVariables ?? 'warn') === 'warn');
	}

	/**
	 * For reads whose failure changes nothing. They neither wait for the rate limit nor take the turn of a call.
	 */
	private readerForHints(): Reader {
		const { run, isCanceled } = this.variablesRun;
		const { maxRequestsPerMinute, concurrency } = run.pace;
		const timeoutSeconds = Math.min(run.timeoutSeconds, MAX_READ_SECONDS);
		const maxConcurrentRequests = Math.min(concurrency.limit, MAX_READS_FOR_HINTS);
		const pace = new Pace({ maxRequestsPerMinute, maxConcurrentRequests, maxWaitSeconds: 0 });
		const api = createSharedApi({ ...run, pace, timeoutSeconds, maxWaitSeconds: 0 }, () => {
			if (this.gaveUp || isCanceled()) {
				throw canceled();
			}
		});
		return { api, concurrency: pace.concurrency };
	}

	/** Reads the variables of the agents of some items, each once. */
	private async read(items: ReadonlyArray<[number, VariableInput]>, { api, concurrency }: Reader): Promise<void> {
		const unread = new Map(items.map(([, input]) => [ownerOf(input), input.values] as const));
		for (const owner of this.names.keys()) {
			unread.delete(owner);
		}
		const queue = [...unread];
		await concurrently(concurrency, () => {
			const [owner, values] = queue.shift() ?? [];
			return owner === undefined || values === undefined
				? undefined
				: toResult(namesOf(api, values)).then((names) => void this.names.set(owner, names));
		});
	}
}

/** Identifies the agent or campaign of an item. */
function ownerOf({ values }: VariableInput): string {
	return JSON.stringify([values.agentId, values.campaignId]);
}

/** Reads the names of the variables of an agent, or of a campaign's agent. @throws ServiceError if they cannot be read */
async function namesOf(api: Api, { agentId, campaignId }: Record<string, unknown>): Promise<Names> {
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
		const incomplete = notRead("The token may not read the agent's flow, which can have more variables", advice);
		return { names: placeholders, incomplete };
	}
	return { names: placeholders };
}

function notRead(message: string, advice: string): ServiceError {
	return new ServiceError(message, { code: 'VARIABLES_NOT_READ', advice, accepted: 'no' });
}

/** The error of an item that needs names which could not be read: its call was not sent. */
function cannotTell({ message, advice }: ServiceError, { calledBy }: Operation): ServiceError {
	const what = calledBy === undefined ? 'The' : 'Not sent, because the';
	return notRead(`${what} variables of the agent could not be read: ${message}`, advice);
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

/** Whether the service has, or may have, a call with the variables of an item: its own call, and not another's. */
function mayBePlaced(outcome: Outcome | undefined): boolean {
	if (outcome === undefined || outcome.sameNumberAsItem !== undefined) {
		return false;
	}
	return failed(outcome)
		? outcome.error.accepted === 'unknown'
		: outcome.result === 'placed' || outcome.result === 'queued';
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

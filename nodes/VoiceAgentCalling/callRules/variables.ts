import { type Api, createSharedApi } from '../../shared/client/api';
import { concurrently } from '../../shared/client/concurrently';
import { concernsAllItems, notTried } from '../../shared/client/itemErrors';
import { type Result, ServiceError, toResult } from '../../shared/errors/serviceError';
import { asHtml } from '../../shared/lib/text';
import { withoutResumeTokens } from '../../shared/triggerSecrets/resumeToken';
import type { Mapping } from '../fields/agentVariables';
import type { ItemInput } from '../operation/items';
import type { Operation } from '../operation/operation';
import { type OperationRun, readyItems } from '../operation/operationRun';
import { agentState } from './agent';
import { campaignState } from './campaign';
import {
	assertExists,
	FLOW_NOT_READ,
	MISSING_VARIABLES,
	missingVariables,
	NO_AGENT,
	type VariableSettings,
} from './findings';
import { type MissingValue, missingFrom, valuesFor } from './placeholders';

/** The names of an agent's variables, as far as they could be read. */
interface Names {
	names: string[];
	/** Why there may be more names. */
	incomplete?: ServiceError;
	/** Names texts that may be variables too. */
	note?: string;
}

/** The part of a run that concerns variables. */
type VariablesRun = Pick<OperationRun, 'run' | 'operation' | 'items'>;

/** An item with the field Agent Variables. */
type VariableInput = ItemInput & {
	local: VariableSettings & {
		agentVariables: Mapping;
		variablesJson?: Record<string, unknown>;
	};
};

/**
 * Sets the `payload` in the values of each item, before anything is sent. Reads the variables of an agent, unless the
 * user maps them manually and ignores missing variables.
 *
 * @returns errors by item: these calls must not be placed
 */
export async function prepareVariables(variablesRun: VariablesRun): Promise<Map<number, ServiceError>> {
	const { run, operation } = variablesRun;
	const inputs = readyItems(variablesRun).map(({ itemIndex, input }) => [itemIndex, input as VariableInput] as const);
	const isChecked = ({ local }: VariableInput) =>
		operation.callerIdField !== undefined && local.missingVariables !== 'ignore';
	const needsNames = (input: VariableInput) => input.local.agentVariables.automatic || isChecked(input);
	const namesByOwner = await readNames(
		variablesRun,
		inputs.flatMap(([, input]) => (needsNames(input) ? [input] : [])),
	);
	const given = run.caller.getInputData();
	const errors = new Map<number, ServiceError>();
	let common: ServiceError | undefined;
	for (const [itemIndex, input] of inputs) {
		const { values, local } = input;
		const { value, error = value?.incomplete } = (needsNames(input) && namesByOwner.get(ownerOf(input))) || {};
		const { names = [], note } = value ?? {};
		if (note !== undefined && local.missingVariables !== 'ignore') {
			run.hints.add(asHtml(note));
		}
		const { automatic, values: mapped } = local.agentVariables;
		const own = automatic ? withoutResumeTokens(valuesFor(names, given[itemIndex].json)) : mapped;
		const payload = { ...own, ...local.variablesJson };
		values.payload = Object.keys(payload).length > 0 ? payload : undefined;
		const reason = error
			? unreadableVariablesError(error, operation)
			: missingVariablesError(isChecked(input) ? missingFrom(payload, names) : []);
		const isCommon = error !== undefined && concernsAllItems(error);
		const refused = isCommon && common ? common : reason;
		common ??= isCommon ? notTried(error, itemIndex) : undefined;
		if (refused === undefined) {
			continue;
		}
		if (operation.callerIdField === undefined) {
			// An operation that only checks calls reports its other findings as well, and errors of its own reads.
			local.variablesError = value?.incomplete && refused;
		} else {
			errors.set(itemIndex, refused);
		}
	}
	return errors;
}

/** Reads the variables of the agents of some items, each agent once. @returns the variables by {@link ownerOf} */
async function readNames(
	variablesRun: VariablesRun,
	inputs: readonly VariableInput[],
): Promise<Map<string, Result<Names>>> {
	const { run } = variablesRun;
	const api = createSharedApi(run);
	const namesByOwner = new Map<string, Result<Names>>();
	const queue = [...new Map(inputs.map((input) => [ownerOf(input), input.values] as const))];
	await concurrently(run.pace, () => {
		const [owner, values] = queue.shift() ?? [];
		return owner === undefined || values === undefined
			? undefined
			: toResult(namesOf(api, values)).then((names) => void namesByOwner.set(owner, names));
	});
	return namesByOwner;
}

/** Identifies the agent or campaign of an item. */
function ownerOf({ values }: VariableInput): string {
	return JSON.stringify([values.agentId, values.campaignId]);
}

/**
 * Reads the names of the variables of an agent, or of a campaign's agent.
 *
 * @throws ServiceError if they cannot be read
 */
async function namesOf(api: Api, { agentId, campaignId }: Record<string, unknown>): Promise<Names> {
	const campaign = campaignId === undefined ? undefined : await campaignState(api, String(campaignId));
	assertExists('CAMPAIGN_NOT_FOUND', campaign);
	const id = campaign ? campaign.agentId : String(agentId);
	if (id === undefined) {
		throw notRead(NO_AGENT.what, NO_AGENT.advice);
	}
	const agent = await agentState(api, id);
	assertExists('AGENT_NOT_FOUND', agent);
	const { placeholders: names, note, readsFlow } = agent;
	return { names, note, incomplete: readsFlow ? undefined : notRead(FLOW_NOT_READ.what, FLOW_NOT_READ.advice) };
}

function notRead(message: string, advice: string, httpStatus?: number): ServiceError {
	return new ServiceError(message, { code: 'VARIABLES_NOT_READ', advice, accepted: 'no', httpStatus });
}

/** Returns the error of an item that needs unreadable variable names: its call is not sent. */
function unreadableVariablesError(error: ServiceError, { callerIdField }: Operation): ServiceError {
	const { message, advice, httpStatus, code } = error;
	// Ignoring the variables would not help: every request would fail, or the agent or campaign does not exist.
	if (concernsAllItems(error) || httpStatus === 404 || code === 'INVALID_INPUT') {
		return error.with({ accepted: 'no' });
	}
	if (callerIdField === undefined) {
		return notRead(`The variables of the agent could not be read: ${message}`, advice, httpStatus);
	}
	const wayOut = "To call without this check, map the variables manually and set 'Missing Variables' to Ignore.";
	return notRead(
		`Not sent, because the variables of the agent could not be read: ${message}`,
		[advice, wayOut].filter((text) => text).join(' '),
		httpStatus,
	);
}

/** Returns the error of an item whose call lacks variables. */
function missingVariablesError(values: readonly MissingValue[]): ServiceError | undefined {
	if (values.length === 0) {
		return undefined;
	}
	const { what, advice } = missingVariables(values);
	return new ServiceError(`Not sent: ${what}`, { code: MISSING_VARIABLES, advice, accepted: 'no' });
}

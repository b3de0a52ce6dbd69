import type { CallerIdField } from '../operation/operation';
import type { Api } from '../sending/api';
import type { LastCheck } from '../sending/requests';
import type { VariableSettings } from './findings';
import type { CallRules, CallToCheck } from './mayCall';

/** Imports the checks on first use: n8n does not need them to describe the node. */
export async function readiness() {
	return await import('./checks.js');
}

/** Imports the user's rules for calls on first use. */
export async function callRules() {
	return await import('./mayCall.js');
}

/** Imports the counting of calls on first use. */
export async function frequency() {
	return await import('./frequency.js');
}

/**
 * Returns what is checked before each call of an operation: the user's rules.
 *
 * @returns what has to be checked again right before the request is sent
 * @throws Withheld; ServiceError why the variables are refused
 */
export function checkBefore(callerIdField: CallerIdField) {
	return async (
		api: Api,
		call: CallToCheck,
		{ variablesError, ...rules }: VariableSettings & CallRules,
	): Promise<LastCheck | undefined> => {
		const lastCheck = await (await callRules()).mayCall(api, callerIdField, call, rules);
		if (variablesError) {
			throw variablesError;
		}
		return lastCheck;
	};
}

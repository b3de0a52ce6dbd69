import { missingVariables, variablesJson } from './agentVariables';
import { blockedNumbers } from './blockedNumbers';
import { callingHours } from './callingHours';
import { callMetadata } from './common';
import { defaultCountry } from './phoneNumbers';

/** The options of all operations that place, queue or check a call. */
export const callRestrictions = [defaultCountry, blockedNumbers, callingHours] as const;

/** The options of all operations that place or queue a call. */
export const callOptions = [...callRestrictions, callMetadata, missingVariables, variablesJson] as const;

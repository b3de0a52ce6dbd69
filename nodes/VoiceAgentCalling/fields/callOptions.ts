import { missingVariables, variablesJson } from './agentVariables';
import { blockedNumbers } from './blockedNumbers';
import { callingHours } from './callingHours';
import { callMetadata } from './common';
import { consent } from './consent';
import { frequencyCap } from './frequencyCap';
import { defaultCountry } from './phoneNumbers';

/** The options of all operations that place, queue or check a call. */
export const checkOptions = [
	defaultCountry,
	blockedNumbers,
	callingHours,
	consent,
	frequencyCap,
	missingVariables,
	variablesJson,
] as const;

/** The options of all operations that place or queue a call. */
export const callOptions = [...checkOptions, callMetadata] as const;

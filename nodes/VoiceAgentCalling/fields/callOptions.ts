import { missingVariables, variablesJson } from './agentVariables';
import { blockedNumbers } from './blockedNumbers';
import { callingHours } from './callingHours';
import { callMetadata } from './common';
import { consent } from './consent';
import { frequencyCap } from './frequencyCap';
import { defaultCountry } from './phoneNumbers';

/** The options of all operations that place, queue or check a call. */
export const callOptions = [
	defaultCountry,
	blockedNumbers,
	callingHours,
	consent,
	frequencyCap,
	missingVariables,
	variablesJson,
	callMetadata,
] as const;

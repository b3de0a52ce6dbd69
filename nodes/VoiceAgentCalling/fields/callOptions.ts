import { missingVariables, variableOptions } from './agentVariables';
import { blockedNumberOptions } from './blockedNumbers';
import { callingHours } from './callingHours';
import { callMetadata, checkFirst } from './common';
import { defaultCountry } from './phoneNumbers';

/** The options of all operations that place, queue or check a call. */
export const whomAndWhen = [defaultCountry, ...blockedNumberOptions, callingHours] as const;

/** The options of all operations that place or queue a call. */
export const callOptions = [...whomAndWhen, checkFirst, callMetadata, missingVariables, ...variableOptions] as const;

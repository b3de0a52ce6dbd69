import { missingVariables, variableOptions } from './agentVariables';
import { callMetadata, checkFirst } from './common';
import { defaultCountry } from './phoneNumbers';

/** The options of all operations that place or queue a call. */
export const callOptions = [checkFirst, defaultCountry, callMetadata, missingVariables, ...variableOptions] as const;

import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../../shared/client/request';
import type { ServiceError } from '../../../shared/errors/serviceError';
import { isRecord } from '../../../shared/lib/json';

/** What the service says about a flow. */
export interface Validity {
	valid: boolean;
	/** What is wrong, in the service's words. */
	errors: string[];
}

/** The request that validates a flow for an agent. It saves nothing, so it may be sent again. */
export function validation(agentId: string, flow_config: Record<string, unknown>): ServiceRequest {
	return {
		method: 'POST',
		path: ['agents', agentId, 'flow', 'validate'],
		body: { flow_config: flow_config as IDataObject },
		codes: { 404: 'AGENT_NOT_FOUND' },
		repeat: 'safe',
		readsFailure: true,
	};
}

/** The result of a validation; undefined if the body has none. */
export function validityIn({ success, errors, message }: IDataObject): Validity | undefined {
	const errorTexts = textsIn(errors);
	if (success === true) {
		return { valid: true, errors: errorTexts ?? [] };
	}
	// Whatever a failure with a message means, the service does not say that the flow is valid.
	const said = success === false && typeof message === 'string' ? [message] : undefined;
	const texts = errorTexts ?? said;
	return texts && { valid: false, errors: texts };
}

/**
 * The result of a validation that failed; undefined for any other failure. Which HTTP status an invalid flow has is not
 * documented: it may be an error with a list of texts, or with the lists of several fields.
 */
export function validityInError({ httpStatus, body }: ServiceError): Validity | undefined {
	const errors = (httpStatus === 422 || httpStatus === 400) && isRecord(body) ? textsIn(body.errors) : undefined;
	return errors && { valid: false, errors };
}

/** The errors in a list, or in the lists of fields, each as a text; undefined for anything else. */
function textsIn(errors: unknown): string[] | undefined {
	if (Array.isArray(errors)) {
		return errors.map(textOf);
	}
	return isRecord(errors)
		? Object.entries(errors).flatMap(([field, texts]) => [texts].flat().map((text) => `${field}: ${textOf(text)}`))
		: undefined;
}

/** An error as a text: itself, its message, or all of it as JSON. */
function textOf(error: unknown): string {
	const text = isRecord(error) ? error.message : error;
	return typeof text === 'string' && text !== '' ? text : String(JSON.stringify(error));
}

import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { NOT_TRIED } from '../../../shared/client/itemErrors';
import type { ServiceRequest } from '../../../shared/client/request';
import { type ServiceError, toResult, unreadable, unwrap } from '../../../shared/errors/serviceError';
import { isRecord } from '../../../shared/lib/json';
import { sha256 } from '../../../shared/lib/text';

/** The result of the service's validation. */
export interface Validity {
	valid: boolean;
	/** The messages of the service. */
	errors: string[];
}

/** Validates a flow for an agent, once per run. The service saves nothing. */
export async function validityOf(api: Api, agentId: string, flow: Record<string, unknown>): Promise<Validity> {
	const digest = sha256(JSON.stringify(flow));
	return await api.remember(`validity of ${digest} for agent ${agentId}`, async () => {
		const request: ServiceRequest = {
			method: 'POST',
			path: ['agents', agentId, 'flow', 'validate'],
			body: { flow_config: flow as IDataObject },
			codes: { 404: 'AGENT_NOT_FOUND' },
			repeat: 'check',
			readsFailure: true,
		};
		const { value: body, error } = await toResult(api.request(request));
		const validity = error === undefined ? validityIn(body) : validityInError(error);
		return unwrap(
			validity ? { value: validity } : { error: error ?? unreadable('without the result of the validation') },
		);
	});
}

/** Whether the service refuses the token, or the run has ended: then a check of the flow is pointless. */
export function endsItem({ code, httpStatus }: ServiceError): boolean {
	return code === 'CANCELED' || code === NOT_TRIED || httpStatus === 401;
}

/** Reads the result of a validation; undefined if the body lacks it. */
function validityIn({ success, errors, message }: IDataObject): Validity | undefined {
	const errorTexts = textsIn(errors);
	if (success === true) {
		return { valid: true, errors: errorTexts ?? [] };
	}
	// Whatever the message of a failure means, the flow is not valid.
	const failure = success === false && typeof message === 'string' ? [message] : undefined;
	const texts = errorTexts ?? failure;
	return texts && { valid: false, errors: texts };
}

/**
 * Reads the result of a validation that failed; undefined for any other failure. The HTTP status for an invalid flow is
 * not documented: it may be an error status with a list of texts, or with a list for each field.
 */
function validityInError({ httpStatus, body }: ServiceError): Validity | undefined {
	const errors = (httpStatus === 422 || httpStatus === 400) && isRecord(body) ? textsIn(body.errors) : undefined;
	return errors && { valid: false, errors };
}

/** Returns the errors in a list, or in the lists of fields, as texts; undefined for anything else. */
function textsIn(errors: unknown): string[] | undefined {
	if (Array.isArray(errors)) {
		return errors.map(textOf);
	}
	return isRecord(errors)
		? Object.entries(errors).flatMap(([field, texts]) => [texts].flat().map((text) => `${field}: ${textOf(text)}`))
		: undefined;
}

/** Returns an error as text: the text, its message, or the whole error as JSON. */
function textOf(error: unknown): string {
	const text = isRecord(error) ? error.message : error;
	return typeof text === 'string' && text !== '' ? text : String(JSON.stringify(error));
}

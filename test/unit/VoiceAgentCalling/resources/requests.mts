import { z } from 'zod/v3';

import type { ServiceRequest } from '../../../../nodes/shared/client/request.ts';
import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { assertSomethingToUpdate, readFields } from '../../../../nodes/shared/fields/readFields.ts';
import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import type { Operation } from '../../../../nodes/VoiceAgentCalling/operation/operation.ts';
import { sourceOf } from '../../../readField.mts';
import { fakeApi } from '../api.mts';

/** The response to requests that an operation sends before it writes. */
const present = {
	id: 'x',
	enabled: true,
	status: 'draft',
	description: 'Books appointments',
	voice: { template: { id: 'y' } },
	interrupt_sensitivity: 'low',
	ask_if_human_present_on_idle: true,
	llm_temperature: 1,
	initial_message_delay: 0,
	conversation_speed: 1,
	who_speaks_first: 'user',
};

/** Returns the requests that the operation sends for these parameters; none if the node rejects them. */
export async function requestsFor(
	operation: Operation,
	parameters: Record<string, unknown>,
): Promise<ServiceRequest[]> {
	const { fields, updates, filters, options } = operation;
	const source = sourceOf(parameters, { isConstant: () => true, timezone: 'Europe/Berlin' });
	const sent: ServiceRequest[] = [];
	const request = async (wanted: ServiceRequest) => {
		sent.push(wanted);
		return { success: true, data: present };
	};
	const list = async (wanted: ServiceRequest) => {
		sent.push(wanted);
		return [];
	};
	const api = fakeApi(request, { pages: list, whole: list, isOwnAddress: async (url) => URL.canParse(url) });
	await loadCountries();
	try {
		const { input, local } = readFields(z, fields, { updateFields: updates, filters, options }, source);
		assertSomethingToUpdate(updates, input);
		operation.check?.(input);
		await operation.run(api, input, local);
	} catch (error) {
		if (!(error instanceof ServiceError)) {
			throw error;
		}
	}
	return sent;
}

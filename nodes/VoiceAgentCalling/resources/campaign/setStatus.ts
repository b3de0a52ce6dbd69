import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { objectIn } from '../../../shared/client/refusals';
import { statusWord } from '../../../shared/client/statuses';
import { ServiceError, toResult, unreadable } from '../../../shared/errors/serviceError';
import { choice, NOT_AS_TOOL } from '../../../shared/fields/field';
import { isRecord } from '../../../shared/lib/json';
import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

/** The status changes that the service allows. */
const TRANSITIONS: Record<string, readonly string[]> = {
	draft: ['active', 'cancelled'],
	active: ['paused', 'completed', 'cancelled'],
	paused: ['active', 'completed', 'cancelled'],
	completed: [],
	cancelled: [],
};

const NOT_PLACED = 'calls that are still queued are not placed. Campaign → Get Calls lists them.';

/** What a status means for the calls of a campaign. */
const NOTES: Readonly<Record<string, string>> = {
	active:
		'Set to Active: queued calls are placed when the schedule allows it. Phones ring, and real calls cost credits.',
	paused: 'Set to Paused: no new calls start, and calls in progress go on. Call → Stop All Calls ends them.',
	completed: `Set to Completed: ${NOT_PLACED}`,
	cancelled: `Set to Cancelled: ${NOT_PLACED}`,
};

const status = choice('status', {
	displayName: 'Status',
	name: 'status',
	options: [
		{
			name: 'Active',
			value: 'active',
			description:
				'From draft or paused. Calls start according to the schedule: real phones ring and credits are spent.',
		},
		{
			name: 'Cancelled',
			value: 'cancelled',
			description: 'From draft, active or paused. Queued calls are not placed. This cannot be undone.',
			displayOptions: NOT_AS_TOOL,
		},
		{
			name: 'Completed',
			value: 'completed',
			description: 'From active or paused. Queued calls are not placed. This cannot be undone.',
			displayOptions: NOT_AS_TOOL,
		},
		{
			name: 'Paused',
			value: 'paused',
			description: 'From active. New calls stop; calls in progress continue.',
		},
	],
	default: 'paused',
	required: true,
	description: 'New status of the campaign',
});

/** Returns the error for a status change that the service does not allow, with the possible changes. */
function invalidTransition(from: string, to: string, { httpStatus, body }: ServiceError): ServiceError {
	const possible = (TRANSITIONS[from] ?? []).join(', ').replace(/, (?=[^,]*$)/, ' or ');
	return new ServiceError(`The campaign is ${from} and cannot become ${to}`, {
		code: 'INVALID_TRANSITION',
		advice: possible
			? `From ${from} it can become ${possible}.`
			: `A ${from} campaign cannot change its status: create a new one with Campaign → Create.`,
		httpStatus,
		accepted: 'no',
		body,
	});
}

/** Returns the error for a success response whose campaign has another status. */
function otherStatus(now: unknown, wanted: string): ServiceError {
	return unreadable(`the campaign is ${now === undefined ? 'without a status' : String(now)}, not ${wanted}`).with({
		advice: 'Check the campaign with Campaign → Get, then set its status again.',
	});
}

/** Returns the fields about the status, even if the service answers with the whole campaign. */
function statusOf({ id, name, status, updated_at }: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries({ id, name, status, updated_at }).filter(([, value]) => value !== undefined),
	);
}

/**
 * Sets the status of a campaign.
 *
 * @returns the campaign, with whether this has changed its status
 * @throws ServiceError
 */
export async function changeStatus(api: Api, input: { campaignId: string; status: string }): Promise<IDataObject> {
	const path = ['campaigns', input.campaignId];
	const { value: response, error } = await toResult(
		api.request({
			method: 'PATCH',
			path: [...path, 'status'],
			body: { status: input.status },
			codes: { 404: 'CAMPAIGN_NOT_FOUND' },
		}),
	);
	if (error === undefined) {
		const isShown = isRecord(response.data) && response.data.status !== undefined;
		const shown = isShown ? response : await api.request({ method: 'GET', path });
		const data = objectIn(shown, 'the campaign');
		if (statusWord(data.status) !== input.status) {
			throw otherStatus(data.status, input.status);
		}
		return { ...statusOf(data), changed: true };
	}
	// The sources disagree on the HTTP status of an invalid transition: 400 or 409.
	if (error.httpStatus !== 400 && error.httpStatus !== 409) {
		throw error;
	}
	const { value: campaignResponse } = await toResult(api.request({ method: 'GET', path }));
	const data = campaignResponse?.data;
	if (!isRecord(data) || typeof data.status !== 'string') {
		throw error;
	}
	const now = statusWord(data.status);
	// A valid transition failed for another reason, which the service's message explains.
	if (TRANSITIONS[now]?.includes(input.status)) {
		throw error;
	}
	// The service also returns this error if the campaign already has the status, perhaps from an attempt before.
	if (now !== input.status) {
		throw invalidTransition(now, input.status, error);
	}
	return { ...statusOf(data as IDataObject), changed: error.accepted === 'unknown' ? null : false };
}

export const setStatus = defineOperation({
	name: 'Set Status',
	value: 'setStatus',
	action: 'Set campaign status',
	toolDescription:
		'Set the status of a campaign. A campaign that becomes active calls its contacts: real phones ring, and the calls cost money.',
	description: 'Start (real phones ring), pause, complete or cancel a campaign. To pause all, use Stop All Calls.',
	fields: [campaign, status],
	repeat: 'safe',
	async run(api, input) {
		const changed = await changeStatus(api, input);
		const note = NOTES[input.status];
		if (note !== undefined && changed.changed !== false) {
			api.note(note);
		}
		return changed;
	},
});

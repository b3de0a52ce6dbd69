import { attempt, isRecord } from '../../../shared/errors';
import { choice } from '../../../shared/field';
import { campaign } from '../../../shared/locators';
import { defineOperation } from '../../../shared/operation';

const status = choice('status', {
	displayName: 'Status',
	name: 'status',
	options: [
		{ name: 'Active', value: 'active', description: 'Calls start by the schedule: phones ring' },
		{
			name: 'Cancelled',
			value: 'cancelled',
			description: 'All future calls stop. This cannot be undone.',
			forTools: false,
		},
		{
			name: 'Completed',
			value: 'completed',
			description: 'The campaign ends. This is final.',
			forTools: false,
		},
		{
			name: 'Paused',
			value: 'paused',
			description: 'New calls stop; calls in progress go on',
		},
	],
	default: 'paused',
	description: 'The status to bring the campaign to',
});

export const setStatus = defineOperation({
	name: 'Set Status',
	value: 'setStatus',
	action: 'Set the status of a campaign where active makes real phones ring',
	description:
		'Start, pause, complete or cancel a campaign. Making it active starts its calls: real phones ring. A campaign that has the status already is given back unchanged.',
	fields: [campaign, status],
	repeat: 'safe',
	async run(api, input) {
		const path = ['campaigns', input.campaignId];
		const { value: moved, error } = await attempt(
			api.request({
				method: 'PATCH',
				path: [...path, 'status'],
				body: { status: input.status },
				codes: { 400: 'INVALID_TRANSITION', 404: 'CAMPAIGN_NOT_FOUND' },
			}),
		);
		if (error === undefined) return { ...Object(moved.data), changed: true };
		if (error.httpStatus !== 400) throw error;
		// The service refuses a move to where the campaign already is ("States and transitions").
		const { data } = await api.request({ method: 'GET', path });
		if (!isRecord(data) || data.status !== input.status) throw error;
		const present = Object.entries(data).filter(([key]) => key !== 'calls' && key !== 'files');
		return { ...Object.fromEntries(present), changed: false };
	},
});

import { attempt, ServiceError } from '../../../shared/errors/serviceError';
import { choice } from '../../../shared/fields/field';
import { isRecord } from '../../../shared/lib/isRecord';
import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

/** The moves that there are ("States and transitions", Campaign). */
const MOVES: Record<string, readonly string[]> = {
	draft: ['active', 'cancelled'],
	active: ['paused', 'completed', 'cancelled'],
	paused: ['active', 'completed', 'cancelled'],
	completed: [],
	cancelled: [],
};

const status = choice('status', {
	displayName: 'Status',
	name: 'status',
	options: [
		{
			name: 'Active',
			value: 'active',
			description: 'From draft or paused. Calls start by the schedule: phones ring.',
		},
		{
			name: 'Cancelled',
			value: 'cancelled',
			description: 'From draft, active or paused. All future calls stop. This cannot be undone.',
			forTools: false,
		},
		{
			name: 'Completed',
			value: 'completed',
			description: 'From active or paused. The campaign ends. This is final.',
			forTools: false,
		},
		{
			name: 'Paused',
			value: 'paused',
			description: 'From active. New calls stop; calls in progress go on.',
		},
	],
	default: 'paused',
	description: 'The status to bring the campaign to',
});

/** The refusal of a move, with what is possible instead. @param from what the campaign is */
function noSuchMove(from: string, to: string, { httpStatus, body }: ServiceError): ServiceError {
	const moves = (MOVES[from] ?? []).join(', ').replace(/, (?=[^,]*$)/, ' or ');
	return new ServiceError(`The campaign is ${from} and cannot become ${to}`, {
		code: 'INVALID_TRANSITION',
		advice: moves
			? `From ${from} it can become ${moves}.`
			: `A campaign that is ${from} stays so, which is final: make another one with Campaign, Create.`,
		httpStatus,
		taken: 'no',
		body,
	});
}

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
				codes: { 400: 'INVALID_TRANSITION', 404: 'CAMPAIGN_NOT_FOUND', 409: 'INVALID_TRANSITION' },
			}),
		);
		if (error === undefined) {
			return { ...Object(moved.data), changed: true };
		}
		// Sources differ about the status of this refusal.
		if (error.httpStatus !== 400 && error.httpStatus !== 409) {
			throw error;
		}
		const { value: read } = await attempt(api.request({ method: 'GET', path }));
		const data = read?.data;
		if (!isRecord(data) || typeof data.status !== 'string') {
			throw error;
		}
		// A move that there is was refused for another reason, which the service tells.
		if (MOVES[data.status]?.includes(input.status)) {
			throw error;
		}
		// The service refuses a move to where the campaign already is, too.
		if (data.status !== input.status) {
			throw noSuchMove(data.status, input.status, error);
		}
		const present = Object.entries(data).filter(([key]) => key !== 'calls' && key !== 'files');
		return { ...Object.fromEntries(present), changed: false };
	},
});

import { choice } from '../../shared/fields/field';
import { decimal, integer } from '../../shared/fields/kinds';
import { DEFAULT_TIMEOUT_SECONDS } from '../../shared/service/transport';

const DEFAULT_CONCURRENT = 5;
const DEFAULT_MAX_WAIT_SECONDS = 300;

const maxConcurrentRequests = integer(
	'maxConcurrentRequests',
	{
		displayName: 'Max Concurrent Requests',
		name: 'maxConcurrentRequests',
		default: DEFAULT_CONCURRENT,
		description:
			'How many requests may be under way at the same time. The output keeps the order of the input. The pace follows what the service allows, whatever you enter here.',
	},
	{ min: 1, max: 100 },
);

const maxRequestsPerMinute = decimal(
	'maxRequestsPerMinute',
	{
		displayName: 'Max Requests per Minute',
		name: 'maxRequestsPerMinute',
		default: 60,
		description:
			'Sends no more than this, at even distances, even where the service would take more. Use it to leave room for others who share the limit.',
	},
	{ min: 0.1, max: 100_000 },
);

const maxWait = integer(
	'maxWait',
	{
		displayName: 'Max Wait',
		name: 'maxWait',
		default: DEFAULT_MAX_WAIT_SECONDS,
		description:
			'How many seconds at a time a request waits for the service at most. An item that would have to wait longer fails, and says how long.',
	},
	{ min: 1, max: 86_400 },
);

const requestTimeout = decimal(
	'requestTimeout',
	{
		displayName: 'Request Timeout',
		name: 'requestTimeout',
		default: DEFAULT_TIMEOUT_SECONDS,
		description:
			'How many seconds to wait for the service to answer. A call whose request timed out counts as unknown and is not sent again.',
	},
	{ min: 1, max: 600 },
);

const summary = choice('summary', {
	displayName: 'Summary',
	name: 'summary',
	options: [
		{ name: 'None', value: 'none' },
		{ name: 'As Hint', value: 'hint', description: 'In a line above the output' },
		{ name: 'As Hint and Last Item', value: 'item', description: 'As a last item too, for the next nodes' },
	],
	default: 'hint',
	description: 'Whether to say how many items were done, refused or not tried, and what it took',
});

/** The options for sending the requests of a run. Read once, from the first item. */
export const sendingFields = [maxConcurrentRequests, maxRequestsPerMinute, maxWait, requestTimeout, summary] as const;

/** The defaults of {@link sendingFields}. */
export const sendingDefaults = {
	maxConcurrentRequests: DEFAULT_CONCURRENT,
	maxRequestsPerMinute: undefined as number | undefined,
	maxWait: DEFAULT_MAX_WAIT_SECONDS,
	requestTimeout: DEFAULT_TIMEOUT_SECONDS,
	summary: 'none' as 'none' | 'hint' | 'item',
};

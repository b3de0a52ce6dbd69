import { DEFAULT_TIMEOUT_SECONDS } from '../../shared/client/transport';
import { FILL_IN_OR_REMOVE, withRules } from '../../shared/fields/field';
import { decimal, integer } from '../../shared/fields/kinds';

/** The value of Max Concurrent Requests for as many requests as the service can handle. */
const AUTOMATIC = 0;
const DEFAULT_MAX_WAIT_SECONDS = 300;

const maxConcurrentRequests = integer(
	'maxConcurrentRequests',
	{
		displayName: 'Max Concurrent Requests',
		name: 'maxConcurrentRequests',
		default: AUTOMATIC,
		hint: '0: Automatic, as without this option',
		description:
			'How many requests to send at the same time at most. The node begins with 5, sends more while all goes well, and fewer when the service fails or refuses some. Automatic sends up to 50, and fewer when the responses become slow. The output keeps the order of the input.',
	},
	{ min: AUTOMATIC, max: 100 },
);

const maxRequestsPerMinute = decimal(
	'maxRequestsPerMinute',
	{
		displayName: 'Max Requests per Minute',
		name: 'maxRequestsPerMinute',
		default: 1000,
		description:
			'Sends no more requests than this, evenly spaced, even if the service allows more. Use it to leave room for others who share the rate limit.',
	},
	{ min: 0.1, max: 100_000 },
);

const maxWait = integer(
	'maxWait',
	{
		displayName: 'Max Wait (Seconds)',
		name: 'maxWait',
		default: DEFAULT_MAX_WAIT_SECONDS,
		description:
			'How many seconds a request may wait for the rate limit of the service. An item that would have to wait longer fails, and its error says how long.',
	},
	{ min: 1, max: 86_400 },
);

const requestTimeout = decimal(
	'requestTimeout',
	{
		displayName: 'Request Timeout (Seconds)',
		name: 'requestTimeout',
		default: DEFAULT_TIMEOUT_SECONDS,
		description:
			'How many seconds to wait for a response. A call whose request timed out has the result unknown and is not sent again.',
	},
	{ min: 1, max: 600 },
);

/** The options for sending the requests of a run. Read once, from the first item. */
export const sendingFields = withRules(
	{ empty: FILL_IN_OR_REMOVE },
	maxConcurrentRequests,
	maxRequestsPerMinute,
	maxWait,
	requestTimeout,
);

/** The defaults of {@link sendingFields}. */
export const sendingDefaults = {
	maxConcurrentRequests: AUTOMATIC,
	maxRequestsPerMinute: undefined as number | undefined,
	maxWait: DEFAULT_MAX_WAIT_SECONDS,
	requestTimeout: DEFAULT_TIMEOUT_SECONDS,
};

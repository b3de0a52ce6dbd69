import { isRecord } from '../../../shared/lib/isRecord';
import { defineOperation } from '../../operation/defineOperation';
import { verdict } from '../../operation/verdict';
import { webhookPath } from '../webhookOperations/kind';
import { kind } from './kind';

/** These statuses are about the request itself (token, ID, rate limit, internal error), not the tested webhook. */
const REFUSED = [401, 403, 404, 429, 500];

export const sendTest = defineOperation({
	name: 'Test',
	value: 'test',
	action: 'Test agent webhook',
	description:
		"Have the service send a test event to an agent webhook, and return the HTTP status and the time in milliseconds. If the webhook does not accept it, success is false and the item does not fail. The test can take the webhook's timeout for each retry: raise Request Timeout for a slow URL.",
	fields: [kind.owner, kind.webhook],
	request: (input) => ({ method: 'POST', path: [...webhookPath(kind, input), 'test'] }),
	output: verdict,
	// Which HTTP status a failed test has is not documented, so the body decides.
	recover: ({ httpStatus = 0, body }) =>
		isRecord(body) && body.success === false && !body.errors && !body.code && !REFUSED.includes(httpStatus)
			? { success: false, message: String(body.message) }
			: undefined,
});

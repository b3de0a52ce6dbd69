import { isRecord } from '../../../shared/lib/json';
import { webhooksPath } from '../../../shared/owner';
import { defineOperation } from '../../operation/defineOperation';
import { verdict } from '../../operation/responses';
import { webhook } from './fields';

/** These statuses are about the request itself (token, ID, rate limit, internal error), not the tested webhook. */
const REFUSED = [401, 403, 404, 429, 500];

export const sendTest = defineOperation({
	name: 'Test',
	value: 'test',
	action: 'Test webhook',
	description: "Have the service send a test event. For a campaign's webhook, Get Deliveries shows the result.",
	fields: webhook,
	request: ({ webhookId, ...owner }) => ({
		method: 'POST',
		path: [...webhooksPath(owner, webhookId), 'test'],
		readsFailure: owner.ownerType === 'agent',
	}),
	output(body, { ownerType }) {
		if (ownerType === 'agent') {
			return verdict(body);
		}
		return body.success === true ? { dispatched: true, message: body.message } : undefined;
	},
	// Which HTTP status a failed test has is not documented, so the body decides.
	recover: ({ httpStatus = 0, body }, { ownerType }) =>
		ownerType === 'agent' &&
		isRecord(body) &&
		body.success === false &&
		!body.errors &&
		!body.code &&
		!REFUSED.includes(httpStatus)
			? { success: false, message: String(body.message) }
			: undefined,
});

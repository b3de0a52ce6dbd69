import { ServiceError } from '../../../shared/errors/serviceError';
import { askListener, problemOf } from '../../../shared/nodeLink/listener';
import { webhooksPath } from '../../../shared/nodeLink/owner';
import { objectIn } from '../../../shared/service/refusals';
import { defineOperation } from '../../operation/defineOperation';
import { webhook } from './fields';

export const rotateSecret = defineOperation({
	name: 'Rotate Secret',
	value: 'rotateSecret',
	action: 'Rotate webhook secret',
	description:
		'Have the Voice Agent Calling Trigger of a webhook register a new signing secret. It accepts the old one for a while, so that no delivery is lost. The trigger must be published on this n8n with the same credential. No secret is shown.',
	fields: webhook,
	async run(api, { webhookId, ...owner }) {
		const path = webhooksPath(owner, webhookId);
		const data = objectIn(await api.request({ method: 'GET', path }), 'the webhook');
		const url = String(data.webhook_url);
		const answer = await askListener(api, { ...owner, id: webhookId, url }, 'rotateSecret');
		if (answer.not !== undefined) {
			const { code, message, whatToDo } = problemOf(answer);
			// The trigger may have rotated it, only too late for a response.
			const isUnknown = answer.accepted === 'unknown';
			throw new ServiceError(
				`${isUnknown ? 'It is unknown if the secret was rotated' : 'The secret was not rotated'}. ${message}`,
				{ code, advice: whatToDo, accepted: answer.accepted ?? 'no' },
			);
		}
		const { status, body } = answer;
		if (body.rotated === true) {
			return { webhookId, ...body };
		}
		throw new ServiceError(
			`The trigger could not rotate the secret: ${String(body.message ?? `it responded with HTTP status ${status}`)}`,
			{
				code: 'NOT_ROTATED',
				advice: 'Try again. Until a new secret is registered, the trigger accepts the old one.',
				accepted: 'unknown',
			},
		);
	},
	// A person decides about secrets, not an AI agent.
	forTools: false,
});

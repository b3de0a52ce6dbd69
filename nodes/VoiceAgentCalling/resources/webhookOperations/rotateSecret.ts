import { ServiceError, unreadable } from '../../../shared/errors/serviceError';
import { isRecord } from '../../../shared/lib/isRecord';
import { askListener, noTrigger } from '../../../shared/nodeLink/listener';
import { defineOperation } from '../../operation/defineOperation';
import { remoteWebhook, type WebhookKind, webhookPath } from './kind';

/** Defines Rotate Secret for the webhooks of agents or campaigns. */
export function rotateSecret(kind: WebhookKind) {
	return defineOperation({
		name: 'Rotate Secret',
		value: 'rotateSecret',
		action: `Rotate ${kind.name} secret`,
		description: `Have the Voice Agent Calling Trigger of ${kind.one} register a new signing secret. It accepts the old one for a while, so that no delivery is lost. The trigger must be published on this n8n with the same credential. No secret is shown.`,
		fields: [kind.owner, kind.webhook],
		async run(api, input) {
			const { data: webhook } = await api.request({ method: 'GET', path: webhookPath(kind, input) });
			if (!isRecord(webhook)) {
				throw unreadable('without the webhook');
			}
			const answer = await askListener(
				api,
				remoteWebhook(kind, input.ownerId, { ...webhook, id: input.webhookId }),
				'rotateSecret',
			);
			if (answer.not !== undefined) {
				const { code, message, whatToDo } = noTrigger[answer.not];
				// The trigger may have rotated it, only too late for a response.
				const isSilent = answer.not === 'noAnswer';
				throw new ServiceError(
					`${isSilent ? 'It is unknown if the secret was rotated' : 'The secret was not rotated'}. ${message}`,
					{ code, advice: whatToDo, accepted: isSilent ? 'unknown' : 'no' },
				);
			}
			const { status, body } = answer;
			if (body.rotated === true) {
				return { webhookId: input.webhookId, ...body };
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
}

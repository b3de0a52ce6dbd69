import { objectIn } from '../../../shared/client/refusals';
import { ServiceError, serviceError } from '../../../shared/errors/serviceError';
import { withoutQuery } from '../../../shared/lib/text';
import { isoOf } from '../../../shared/lib/time';
import { namedInUrl, webhooksPath } from '../../../shared/owner';
import { checkTriggerOf, type NoTrigger, problemOf } from '../../../shared/triggerClient/checkTrigger';
import { nextVersions, PREVIOUS_ACCEPTED_MS } from '../../../shared/triggerSecrets/secretVersions';
import { defineOperation } from '../../operation/defineOperation';
import { settingsFor } from './connection';
import { webhook } from './fields';

export const rotateSecret = defineOperation({
	name: 'Rotate Secret',
	value: 'rotateSecret',
	action: 'Rotate webhook secret',
	description: 'Give the webhook of a Voice Agent Calling Trigger a new secret. The old one works for another hour.',
	fields: webhook,
	async run(api, { webhookId, ...owner }) {
		const path = webhooksPath(owner, webhookId);
		const data = objectIn(await api.request({ method: 'GET', path }), 'the webhook');
		const address = String(data.webhook_url);
		const check = await checkTriggerOf(api, { ...owner, id: webhookId, url: address });
		const { trigger } = check;
		if (trigger === undefined) {
			const { code, message, whatToDo } = problemOf(check as NoTrigger);
			throw new ServiceError(`The secret was not rotated. ${message}`, { code, advice: whatToDo, accepted: 'no' });
		}
		const named = namedInUrl(address).versions;
		if (check.code === undefined && named === undefined) {
			throw serviceError('NOT_ROTATED');
		}
		// The trigger cannot derive the secrets of an earlier token.
		const versions = check.code === 'SECRET_OF_OTHER_TOKEN' ? undefined : named;
		const url = withoutQuery(address);
		const next = nextVersions(versions, Date.now());
		const { accepted: body } = await settingsFor(api, trigger, url, owner, next);
		await api.request({ method: 'PUT', path, body });
		const acceptedUntil = versions && isoOf(next.current + PREVIOUS_ACCEPTED_MS);
		return { webhookId, rotated: true, oldSecretAcceptedUntil: acceptedUntil ?? null };
	},
	// A person decides about secrets, not an AI agent.
	forTools: false,
});

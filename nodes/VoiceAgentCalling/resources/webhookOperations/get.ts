import { defineOperation } from '../../operation/defineOperation';
import { hideResumeTokens, type WebhookKind, webhookPath } from './kind';

/** Defines Get for the webhooks of agents or campaigns. */
export function get(kind: WebhookKind) {
	return defineOperation({
		name: 'Get',
		value: 'get',
		action: `Get ${kind.name}`,
		description: `Get ${kind.one}. The service does not return the signing secret, the extra headers and the delivery method.`,
		fields: [kind.owner, kind.webhook],
		request: (input) => ({ method: 'GET', path: webhookPath(kind, input) }),
		output: (response) => hideResumeTokens(response.data),
		outputs: kind.outputs,
	});
}

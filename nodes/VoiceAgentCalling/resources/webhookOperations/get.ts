import { defineOperation } from '../../operation/defineOperation';
import { type WebhookKind, webhookPath } from './kind';

/** Defines Get for the webhooks of agents or campaigns. */
export function get(kind: WebhookKind) {
	return defineOperation({
		name: 'Get',
		value: 'get',
		action: `Get ${kind.name}`,
		description: `Read ${kind.one}. The signing secret, the extra headers and the delivery method cannot be read back.`,
		fields: [kind.owner, kind.webhook],
		request: (input) => ({ method: 'GET', path: webhookPath(kind, input) }),
		output: (response) => response.data,
		outputs: kind.outputs,
	});
}

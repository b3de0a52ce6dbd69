import { webhooksIn } from '../../../shared/service/pagination';
import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';
import { hideResumeTokens, listPath, type WebhookKind } from './kind';

/** Defines Get Many for the webhooks of agents or campaigns. */
export function getMany(kind: WebhookKind) {
	return defineOperation({
		name: 'Get Many',
		value: 'getAll',
		action: `Get many ${kind.name}s`,
		description: `List many ${kind.name}s`,
		fields: [kind.owner, returnAll],
		request: ({ ownerId }) => ({
			method: 'GET',
			path: listPath(kind, ownerId),
			codes: { 404: kind.noOwner },
		}),
		items: (body) => hideResumeTokens(webhooksIn(body)),
		outputs: kind.outputs,
	});
}

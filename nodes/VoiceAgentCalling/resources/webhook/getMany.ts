import { webhooksIn } from '../../../shared/client/pagination';
import { sources, webhooksPath } from '../../../shared/owner';
import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';
import { owner, webhookOutputs } from './fields';

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many webhooks',
	description: 'List many webhooks of an agent or a campaign',
	fields: [...owner, returnAll],
	request: (input) => ({
		method: 'GET',
		path: webhooksPath(input),
		codes: { 404: sources[input.source].noOwner },
	}),
	items: webhooksIn,
	outputs: webhookOutputs,
});

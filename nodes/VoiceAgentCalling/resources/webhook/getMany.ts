import { webhooksIn } from '../../../shared/client/pagination';
import { ownerTypes, webhooksPath } from '../../../shared/owner';
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
		codes: { 404: ownerTypes[input.ownerType].noOwner },
	}),
	items: webhooksIn,
	outputs: webhookOutputs,
});

import type { Resource } from '../../operation/operation';
import { createRule } from './createRule';
import { deleteRule } from './deleteRule';
import { getManyRules } from './getManyRules';
import { getSlots } from './getSlots';
import { updateRule } from './updateRule';

export const availabilityResource: Resource = {
	name: 'Availability',
	value: 'availability',
	operations: [createRule, deleteRule, getManyRules, getSlots, updateRule],
};

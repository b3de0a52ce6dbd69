import type { Resource } from '../../operation/operation';
import { add } from './add';
import { getMany } from './getMany';
import { remove } from './remove';
import { update } from './update';

export const calendarMemberResource: Resource = {
	name: 'Calendar Member',
	value: 'calendarMember',
	operations: [add, getMany, remove, update],
};

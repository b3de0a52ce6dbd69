import type { Resource } from '../../operation/operation';
import { addNumber } from './addNumber';
import { checkHealth } from './checkHealth';
import { create } from './create';
import { deleteTrunk } from './delete';
import { get } from './get';
import { getMany } from './getMany';
import { getNumbers } from './getNumbers';
import { removeNumber } from './removeNumber';
import { update } from './update';
import { verify } from './verify';

export const sipTrunkResource: Resource = {
	name: 'SIP Trunk',
	value: 'sipTrunk',
	operations: [addNumber, checkHealth, create, deleteTrunk, get, getMany, getNumbers, removeNumber, update, verify],
};

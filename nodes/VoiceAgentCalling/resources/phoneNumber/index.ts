import type { Resource } from '../../operation/operation';
import { getMany } from './getMany';

export const phoneNumberResource: Resource = {
	name: 'Phone Number',
	value: 'phoneNumber',
	operations: [getMany],
};

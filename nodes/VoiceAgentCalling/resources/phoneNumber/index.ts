import { type Resource } from '../../operation/operation';
import { getMany } from './getMany';

export const phoneNumber: Resource = {
	name: 'Phone Number',
	value: 'phoneNumber',
	operations: [getMany],
};

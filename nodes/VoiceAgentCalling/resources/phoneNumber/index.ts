import type { Resource } from '../../operation/defineOperation';
import { getMany } from './getMany';

export const phoneNumber: Resource = {
	name: 'Phone Number',
	value: 'phoneNumber',
	operations: [getMany],
};

import type { Resource } from '../../../shared/operation';
import { getMany } from './getMany';

export const phoneNumber: Resource = {
	name: 'Phone Number',
	value: 'phoneNumber',
	operations: [getMany],
};

import type { Resource } from '../../../shared/operation';
import { end } from './end';
import { getActive } from './getActive';
import { getMany } from './getMany';
import { place } from './place';

export const call: Resource = {
	name: 'Call',
	value: 'call',
	operations: [end, getActive, getMany, place],
	firstOperation: 'place',
};

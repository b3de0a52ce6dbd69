import type { Resource } from '../../../shared/operation';
import { checkBeforeCalling } from './checkBeforeCalling';
import { end } from './end';
import { getActive } from './getActive';
import { getMany } from './getMany';
import { place } from './place';

export const call: Resource = {
	name: 'Call',
	value: 'call',
	operations: [checkBeforeCalling, end, getActive, getMany, place],
	firstOperation: 'place',
};

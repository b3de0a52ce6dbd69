import type { Resource } from '../../operation/operation';
import { checkBeforeCalling } from './checkBeforeCalling';
import { end } from './end';
import { getActive } from './getActive';
import { getMany } from './getMany';
import { place } from './place';
import { placeAndWait } from './placeAndWait';
import { stopAllCalls } from './stopAllCalls';

export const callResource: Resource = {
	name: 'Call',
	value: 'call',
	operations: [checkBeforeCalling, end, getActive, getMany, place, placeAndWait, stopAllCalls],
	firstOperation: 'place',
};

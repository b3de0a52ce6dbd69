import type { Resource } from '../../../shared/operation';
import { place } from './place';

export const call: Resource = { name: 'Call', value: 'call', operations: [place] };

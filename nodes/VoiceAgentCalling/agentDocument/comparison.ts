import type { IDataObject } from 'n8n-workflow';

import { local } from '../../shared/fields/field';
import { toggle } from '../../shared/fields/kinds';
import { countsOf, type Difference } from './differences';

/** Whether each difference becomes an item. */
export const itemPerDifference = local(
	toggle('itemPerDifference', {
		displayName: 'One Item per Difference',
		name: 'itemPerDifference',
		description: 'Whether to return one item for each difference, none if there is none, instead of one with a list',
	}),
);

/**
 * The output of a comparison.
 *
 * @param of what was compared
 * @param perDifference whether each difference becomes an item
 */
export function comparison(
	of: IDataObject,
	differences: readonly Difference[],
	perDifference = false,
): IDataObject | IDataObject[] {
	if (perDifference) {
		return differences.map((difference) => ({ ...of, ...(difference as unknown as IDataObject) }));
	}
	const same = differences.every(({ change }) => change === 'unknown');
	return { ...of, same, counts: countsOf(differences), differences: differences as unknown as IDataObject[] };
}

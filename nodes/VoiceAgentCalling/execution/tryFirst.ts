import { rootModeOf } from '../../shared/lib/n8nInternals';
import { type OperationRun, refuseItem } from '../operation/operationRun';
import { Withheld } from '../operation/withheld';
import { withheldOutcome } from './outcomes';
import { sharedCalls } from './sendItems';

/** How many phones a manual execution calls for each run of a node with Test Call at Automatic. */
const FIRST = 5;

/**
 * With Test Call at Automatic, a manual execution calls only the first phones: a test call may ring, and a queued one
 * holds its number, so that the real call to it would not be queued. Whoever wants more has to choose it.
 */
export async function tryFirst(operationRun: OperationRun): Promise<void> {
	const { run, items } = operationRun;
	const { caller } = run;
	if ((await rootModeOf(caller)) !== 'manual') {
		return;
	}
	const itemBefore = sharedCalls(operationRun);
	/** The items whose phones are called, and how many phones these are. */
	const tried = new Set<number>();
	let phones = 0;
	for (const [itemIndex, item] of items.entries()) {
		if (item.input === undefined) {
			continue;
		}
		const before = itemBefore.get(itemIndex);
		if (caller.getNodeParameter('testCall', itemIndex, '') !== 'automatic') {
			tried.add(itemIndex);
		} else if (before === undefined ? phones < FIRST : tried.has(before)) {
			phones += before === undefined ? 1 : 0;
			tried.add(itemIndex);
		} else {
			const reason = notTried();
			refuseItem(item, reason, withheldOutcome(reason, true));
		}
	}
}

function notTried(): Withheld {
	return new Withheld(
		'notTried',
		`Not tried: in a manual execution, 'Test Call' at Automatic calls the first ${FIRST} phones only`,
		"For test calls to all, set 'Test Call' to Always. For real calls, publish the workflow, or set it to Never.",
	);
}

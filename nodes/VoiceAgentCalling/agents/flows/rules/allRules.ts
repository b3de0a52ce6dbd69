import { branchNeverTaken, decisionWithoutDefault, duplicateMatch, matchEmpty } from './branches';
import {
	deadEnd,
	loopThroughAction,
	loopWithoutAsk,
	nextIgnored,
	noPathToEnd,
	transferWithoutTarget,
} from './endsAndLoops';
import { placeholderMalformed, placeholderWithoutValue } from './placeholderRules';
import { actionInactive, actionNeverUsed, actionUnknown, targetUnknown, unreachable } from './references';
import type { FlowRule } from './rule';
import {
	fieldMissing,
	flowEmpty,
	idDuplicate,
	idMissing,
	initialMissing,
	initialUnknown,
	typeUnknown,
} from './structure';

/** All rules, in the order of their severity and of the documentation. */
export const flowRules: readonly FlowRule[] = [
	flowEmpty,
	initialMissing,
	initialUnknown,
	idMissing,
	idDuplicate,
	typeUnknown,
	fieldMissing,
	targetUnknown,
	unreachable,
	actionUnknown,
	deadEnd,
	noPathToEnd,
	loopWithoutAsk,
	loopThroughAction,
	decisionWithoutDefault,
	duplicateMatch,
	matchEmpty,
	branchNeverTaken,
	placeholderWithoutValue,
	placeholderMalformed,
	nextIgnored,
	transferWithoutTarget,
	actionInactive,
	actionNeverUsed,
];

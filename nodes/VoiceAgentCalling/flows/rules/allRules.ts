import { type RuleName, ruleTitles } from '../ruleNames';
import {
	allBranchesSameTarget,
	branchNeverTaken,
	decisionWithoutDefault,
	duplicateMatch,
	matchEmpty,
} from './branches';
import { deadEnd, loopThroughAction, loopWithoutAsk, nextIgnored, noPathToEnd } from './endsAndLoops';
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
import { askAnswerUnused, duplicateContent, idsDifferByCase, textTooLong, transferWithoutTarget } from './texts';
import { unknownField } from './unknownField';

const byName: Record<RuleName, FlowRule> = {
	'flow-empty': flowEmpty,
	'initial-missing': initialMissing,
	'initial-unknown': initialUnknown,
	'id-missing': idMissing,
	'id-duplicate': idDuplicate,
	'type-unknown': typeUnknown,
	'field-missing': fieldMissing,
	'target-unknown': targetUnknown,
	unreachable,
	'action-unknown': actionUnknown,
	'dead-end': deadEnd,
	'no-path-to-end': noPathToEnd,
	'loop-without-ask': loopWithoutAsk,
	'loop-through-action': loopThroughAction,
	'decision-without-default': decisionWithoutDefault,
	'duplicate-match': duplicateMatch,
	'match-empty': matchEmpty,
	'branch-never-taken': branchNeverTaken,
	'placeholder-without-value': placeholderWithoutValue,
	'placeholder-malformed': placeholderMalformed,
	'next-ignored': nextIgnored,
	'transfer-without-target': transferWithoutTarget,
	'action-inactive': actionInactive,
	'all-branches-same-target': allBranchesSameTarget,
	'ask-answer-unused': askAnswerUnused,
	'ids-differ-by-case': idsDifferByCase,
	'duplicate-content': duplicateContent,
	'action-never-used': actionNeverUsed,
	'text-too-long': textTooLong,
	'unknown-field': unknownField,
};

/** All rules, in the order of {@link ruleTitles}. */
export const flowRules: readonly FlowRule[] = (Object.keys(ruleTitles) as RuleName[]).map((name) => byName[name]);

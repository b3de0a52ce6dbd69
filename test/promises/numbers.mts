import type { Break } from './breaks.mts';

export const numbers: Break[] = [
	{
		promise: 'Nothing is sent to a blocked number',
		test: 'integration/VoiceAgentCalling/readiness/blockedNumbers.test.mts',
		name: 'a list that depends on the item counts for that item',
		file: 'nodes/VoiceAgentCalling/readiness/mayCall.ts',
		code: 'if (blockedNumbers?.has(phoneOf(call.to))) {',
		changed: 'if (blockedNumbers?.has(phoneOf(call.to)) && Date.now() < 0) {',
	},
	{
		promise: 'A number that lost its + is not called as another number',
		test: 'unit/shared/phoneNumbers/lostPlus.test.mts',
		name: 'is called as no other number',
		file: 'nodes/shared/phoneNumbers/nationalNumber.ts',
		code: 'if (likely.length > 1) {',
		changed: 'if (likely.length > 2) {',
	},
];

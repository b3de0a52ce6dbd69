import type { IExecuteFunctions } from 'n8n-workflow';

import { invalid } from '../../../../nodes/shared/errors/serviceError.ts';
import type { BookedCall, WantedCall } from '../../../../nodes/VoiceAgentCalling/callRules/bookEntries.ts';
import { failedBy } from '../../../../nodes/VoiceAgentCalling/operation/items.ts';
import { knownState, outputItems } from '../../../../nodes/VoiceAgentCalling/run/outcomes.ts';

test('n8n can clear the error of an item for the error output, as n8n 1 does, and the item keeps its fields', () => {
	const node = { name: 'Phone', type: 'voiceAgentCalling', onError: 'continueErrorOutput' };
	const caller = { getNode: () => node } as unknown as IExecuteFunctions;
	const state = failedBy(invalid('The number is too short', 'Enter another one.'));
	const [item] = outputItems(caller, state, 2, () => ({ to: '12' }));
	expect(item).toMatchObject({ error: { message: 'The number is too short [item 2]' } });
	expect(Object.keys(item!)).toEqual(['json', 'pairedItem']);
	item!.error = undefined;
	expect({ ...item }).toEqual({
		json: {
			result: 'failed',
			code: 'INVALID_INPUT',
			httpStatus: null,
			nextAllowedAt: null,
			to: '12',
			message: 'The number is too short.',
			advice: 'Enter another one.',
		},
		pairedItem: { item: 2 },
	});
});

test('a call of an earlier attempt with another credential is reported as such, and is not asked about', () => {
	const of = {
		credential: 'a',
		node: 'Call',
		isTool: false,
		ownerField: 'agentId' as const,
		owner: 'ada',
		isTest: false,
	};
	const entry = { group: of, run: 0, item: 0, phone: 'x', startsAt: 0, id: 'call', isRetried: true } as BookedCall;
	const call: WantedCall = { ...of, run: 0, item: 0, to: '+12025550111', isEachTime: false };
	const items = [{ state: { is: 'ready' as const } }];
	const known = (credential: string) =>
		knownState({ items }, { is: 'own', entry, valuesChanged: false }, { ...call, credential });
	expect(known('a')).not.toHaveProperty('isElsewhere');
	expect(known('b')).toMatchObject({
		isElsewhere: true,
		items: [{ id: 'call', alreadySent: true, message: expect.stringContaining('with another credential') }],
	});
});

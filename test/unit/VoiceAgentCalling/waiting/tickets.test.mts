import { randomBytes } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { Run } from '../../../../nodes/VoiceAgentCalling/sending/run.ts';
import { SentRequests } from '../../../../nodes/VoiceAgentCalling/sending/sentRequests.ts';
import {
	type AwaitedInput,
	addTickets,
	longestTimeLimit,
	type TicketedRun,
} from '../../../../nodes/VoiceAgentCalling/waiting/tickets.ts';

const awaited = (): AwaitedInput => ({ values: { agentId: 'a' }, local: { waitBy: 'event', timeLimit: 60 } });

test('the longest time limit counts, of any number of items', () => {
	const items = Array.from({ length: 300_000 }, (_, n) => ({
		...awaited(),
		local: { ...awaited().local, timeLimit: n % 60 },
	}));
	expect(longestTimeLimit([undefined, ...items.map(({ local }) => local)], 'agentId')).toBe(59);
});

test('in a retry, only the items that were already sent skip the check for a trigger', async () => {
	const context: IDataObject = {};
	const call = { method: 'POST' as const, path: ['agents', 'a', 'call'], body: { to: '+12025550111' } };
	new SentRequests(context, 0).sending(SentRequests.key(0, call));
	const run = {
		sent: new SentRequests(context, 0),
		caller: {
			getExecutionId: () => '1',
			getNode: () => ({ id: 'node', name: 'Node' }),
			evaluateExpression: () => 'http://127.0.0.1/webhook-waiting/1',
		},
	} as unknown as Run;
	const ticketed: TicketedRun = {
		run,
		api: { pages: async () => [] } as unknown as TicketedRun['api'],
		runIndex: 0,
		calledBy: 'agentId',
		keys: { tickets: randomBytes(32), messages: randomBytes(32), secrets: randomBytes(32) },
	};
	const { errors } = await addTickets(ticketed, [awaited(), awaited(), awaited()]);
	expect([...errors].map(([item, { code }]) => [item, code])).toEqual([
		[1, 'NO_TRIGGER'],
		[2, 'NO_TRIGGER'],
	]);
});

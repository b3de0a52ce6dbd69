import { randomBytes } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { Run } from '../../../../nodes/VoiceAgentCalling/sending/run.ts';
import { SentRequests } from '../../../../nodes/VoiceAgentCalling/sending/sentRequests.ts';
import { finalKinds } from '../../../../nodes/VoiceAgentCalling/waiting/callOutcome.ts';
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

/** Adds the tickets of a second try of three items, the first of which the first try has sent. */
async function secondTry(webhooks: IDataObject[]) {
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
	const remember = async () => undefined;
	const body = { chosen: [], registered: [], events: [] };
	const message = async () => ({ value: { status: 200, body, proven: true } });
	const ticketed: TicketedRun = {
		run,
		api: {
			pages: async () => webhooks,
			remember,
			message,
			isOwnAddress: async () => true,
		} as unknown as TicketedRun['api'],
		runIndex: 0,
		callerIdField: 'agentId',
		keys: { tickets: randomBytes(32), messages: randomBytes(32), secrets: randomBytes(32) },
	};
	return await addTickets(ticketed, [awaited(), awaited(), awaited()]);
}

test('in a retry, an item that was already sent needs no trigger', async () => {
	const { errors, listeners } = await secondTry([]);
	expect([...errors].map(([item, { code }]) => [item, code])).toEqual([
		[1, 'NO_TRIGGER'],
		[2, 'NO_TRIGGER'],
	]);
	expect(listeners.size).toBe(0);
});

test('in a retry, it is known for all items which trigger receives their events', async () => {
	const events = finalKinds('agentId');
	const url = 'https://n8n.example/webhook/0f5532f9-36ba-4bef-86c7-30d607400b15/webhook?agent=a&g=1764100000000';
	const { errors, listeners } = await secondTry([{ id: 'w-1', webhook_url: url, events, enabled: true }]);
	expect([...errors]).toEqual([]);
	expect([...listeners]).toEqual([0, 1, 2].map((item) => [item, { webhook: 'w-1', kinds: events }]));
});

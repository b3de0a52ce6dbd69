import type { IDataObject } from 'n8n-workflow';

import { loadKeys } from '../../../../nodes/shared/keys.ts';
import { messageTrigger } from '../../../../nodes/shared/triggerClient/messages.ts';
import { unseal } from '../../../../nodes/shared/triggerSecrets/resumeToken.ts';
import { receiveDelivery } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/delivery.ts';
import { type DoubleOptions, doubleOfN8n } from '../../n8n.mts';
import { triggerOf } from '../trigger.mts';

const url = 'https://n8n.example/webhook/11111111-2222-3333-4444-5555555555aa/webhook';

interface Question extends DoubleOptions {
	command?: string;
	/** Where the action node sends it. */
	to?: string;
	/** The token of the action node. */
	askedWith?: string;
}

/** Sends a message of an action node to a trigger. @returns the reply as the action node has it */
async function asked({ command = 'check', to = url, askedWith, ...options }: Question = {}) {
	const { caller } = doubleOfN8n({
		token: askedWith,
		others: async ({ headers, body }) => {
			const incoming = { headers, rawBody: Buffer.from(String(body)) };
			const trigger = triggerOf({ webhookUrl: url, ...options, incoming });
			const { webhookResponse, workflowData } = await receiveDelivery(trigger.caller);
			expect(workflowData).toBeUndefined();
			const { statusCode: status, headers: sent, body: text } = trigger.response;
			return { status, headers: sent as Record<string, string>, body: webhookResponse ?? text };
		},
	});
	return (await messageTrigger(caller, to, { command })).value;
}

const webhook = { ownerType: 'campaign', ownerId: 'c-1', webhookId: 'w-1', current: 1_764_100_000_000, previous: [] };
const ofAgent = { source: 'agent', events: ['event_phone_call_ended'] };

describe('An action node with the same credential', () => {
	test.each<[string, IDataObject, IDataObject]>([
		['a campaign', {}, { ownerType: 'campaign', events: ['campaign_call.completed', 'campaign_call.failed'] }],
		['a campaign with its calls', { options: { includeCallEvents: true } }, { includeCallEvents: true }],
		[
			'an agent',
			ofAgent,
			{
				ownerType: 'agent',
				events: ofAgent.events,
				chosen: [{ ownerType: 'agent', ownerId: 'a-1' }],
				includeCallEvents: false,
			},
		],
		[
			'two campaigns',
			{ options: { additionalCampaigns: ['c-2'] } },
			{ chosen: ['c-1', 'c-2'].map((ownerId) => ({ ownerType: 'campaign', ownerId })), includeCallEvents: false },
		],
	])('is told for whom and for what the trigger is: %s', async (_what, parameters, told) => {
		const reply = await asked({ parameters, staticData: { webhooks: [webhook] } });
		expect(reply).toMatchObject({ status: 200, proven: true, body: { url, registered: ['w-1'], ...told } });
	});

	test('is told the settings of its webhooks, which nobody else can read', async () => {
		const extraHeaders = { values: [{ name: 'x-api-key', value: 's3cr3t' }] };
		const { body } = (await asked({ parameters: { options: { extraHeaders } } })) ?? {};
		expect(JSON.stringify(body)).not.toContain('s3cr3t');
		const { resumeTokens } = await loadKeys(doubleOfN8n().caller);
		expect(unseal(resumeTokens, (body as IDataObject).settings)).toMatchObject({
			webhook_url: url,
			events: ['campaign_call.completed', 'campaign_call.failed'],
			custom_headers: [{ key: 'x-api-key', value: 's3cr3t' }],
		});
	});

	test('learns that the trigger does not know its command', async () => {
		expect(await asked({ command: 'rotate' })).toMatchObject({
			status: 400,
			proven: true,
			body: { message: expect.any(String) },
		});
	});
});

test.each<[string, Question]>([
	['of a node with another credential', { askedWith: 'OTHER' }],
	['to another trigger', { to: url.replace('aa/', 'bb/') }],
])('A message %s is refused without a proof', async (_what, question) => {
	expect(await asked(question)).toMatchObject({ status: 401, proven: false, body: 'Unauthorized' });
});

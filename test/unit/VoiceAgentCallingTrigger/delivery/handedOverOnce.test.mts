import type { IDataObject, IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';

import { readEvent } from '../../../../nodes/shared/deliveries/event.ts';
import { loadKeys } from '../../../../nodes/shared/nodeLink/keys.ts';
import { MESSAGE_HEADER, proofFor } from '../../../../nodes/shared/nodeLink/messages.ts';
import { seal, TICKET_FIELD } from '../../../../nodes/shared/nodeLink/ticket.ts';
import { resumeAwaited } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/resumeAwaited.ts';

const BASE = 'https://n8n.example.com/webhook-waiting';
const credential = { getCredentials: async <Data,>() => ({ environmentToken: 'TOKEN' }) as Data };

/** An n8n whose execution continues with the first message; later ones find it finished. */
async function waitingExecution() {
	const keys = await loadKeys(credential);
	const ticket = { url: `${BASE}/1/node`, execution: '1', node: 'node', run: 0, item: 0, kinds: ['event_recording'] };
	let messages = 0;
	const httpRequest = async ({ headers = {} }: IHttpRequestOptions) => {
		messages += 1;
		if (messages > 1) {
			return { statusCode: 409, headers: {}, body: { message: 'The execution "1" has finished already.' } };
		}
		const proof = proofFor(keys.messages, String(headers[MESSAGE_HEADER]));
		return { statusCode: 200, headers: { [MESSAGE_HEADER]: proof }, body: 'OK' };
	};
	const caller = {
		...credential,
		evaluateExpression: () => `${BASE}/2`,
		getInstanceId: () => 'this n8n',
		getWorkflow: () => ({ id: 'workflow-1' }),
		getNode: () => ({ name: 'Trigger' }),
		helpers: { httpRequest },
		logger: { info: () => undefined, warn: () => undefined },
	} as unknown as IWebhookFunctions;
	const sealed = seal(keys.tickets, ticket);
	return {
		handOver: async (event: IDataObject) =>
			await resumeAwaited(caller, readEvent({ ...event, [TICKET_FIELD]: sealed })),
	};
}

const recording = { event: 'event_recording', id: 'a', call_id: 'call-1', timestamp: '2030-01-01T10:00:00Z' };

test('an event that has continued an execution has done so for another trigger, too, and when it comes again', async () => {
	const { handOver } = await waitingExecution();
	expect(await handOver(recording)).toBe('resumed');
	expect(await handOver(recording)).toBe('resumed');
	expect(await handOver({ ...recording, id: 'b', webhook_id: 'another' })).toBe('resumed');
});

test.each([
	['of another call with a copy of the context', { call_id: 'call-2' }],
	['of a later try of the call', { timestamp: '2030-01-01T11:00:00Z' }],
])('an event of the same kind %s is not taken for it: it starts the workflow', async (_what, difference) => {
	const { handOver } = await waitingExecution();
	expect(await handOver(recording)).toBe('resumed');
	expect(await handOver({ ...recording, ...difference })).toBe('not awaited');
});

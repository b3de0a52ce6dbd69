import type { IDataObject } from 'n8n-workflow';

import { sendItems } from '../../../../nodes/VoiceAgentCalling/execution/sendItems.ts';
import { failed, type Item, type Output } from '../../../../nodes/VoiceAgentCalling/operation/items.ts';
import type { Operation } from '../../../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import type { Api } from '../../../../nodes/VoiceAgentCalling/sending/api.ts';
import { SentRequests } from '../../../../nodes/VoiceAgentCalling/sending/sentRequests.ts';
import { runOf } from '../sending/run.mts';

const place = resources.flatMap(({ operations }) => operations).find(({ value }) => value === 'place') as Operation;

/** Runs three items with the same number; what was sent is remembered in `context` for the next try. */
async function callThreeTimes(operation: Operation['run'], context: IDataObject = {}) {
	const body = { success: true, data: { id: 'a' } };
	const { run, requests } = runOf({ service: [{ status: 201, body }] }, { sent: new SentRequests(context, 0) });
	const items: Item[] = Array.from({ length: 3 }, () => ({
		input: { values: { agentId: 'a', to: '+12025550111' }, local: {}, callLimits: undefined },
	}));
	const options = { continueOnFail: true, stopped: false, isCanceled: () => false };
	await sendItems({ run, operation: { ...place, run: operation }, items, context, ...options });
	return {
		requests: requests.length,
		codes: items.map(({ outcome }) => (failed(outcome) ? outcome.error.code : 'done')),
	};
}

const send = async (api: Api): Promise<Output> =>
	await api.request({ method: 'POST', path: ['agents', 'a', 'call'], body: { to: '+12025550111' } });

const broken = (): never => {
	throw new TypeError("Cannot read properties of undefined (reading 'id')");
};

describe('an error that nobody expected', () => {
	test('after the request was sent means that the outcome is unknown: nobody is called again', async () => {
		const context: IDataObject = {};
		const sendThenBreak = async (api: Api) => {
			await send(api);
			return broken();
		};
		const first = await callThreeTimes(sendThenBreak, context);
		expect(first).toEqual({ requests: 1, codes: ['OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN'] });
		expect(await callThreeTimes(send, context)).toMatchObject({ requests: 0 });
	});

	test('before anything was sent is not taken for a call that was placed either', async () => {
		expect(await callThreeTimes(async () => broken())).toEqual({
			requests: 0,
			codes: ['UNEXPECTED', 'OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN'],
		});
	});
});

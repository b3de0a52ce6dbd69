import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../../nodes/shared/client/api.ts';
import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { Calls } from '../../../../nodes/VoiceAgentCalling/callRules/calls.ts';
import { type Item, isFailed, type Output } from '../../../../nodes/VoiceAgentCalling/operation/items.ts';
import type { Operation } from '../../../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { sendItems } from '../../../../nodes/VoiceAgentCalling/run/sendItems.ts';
import { runOf } from '../../shared/client/run.mts';
import { newBook, OTHER_PHONE, stored } from '../callRules/calls.mts';

beforeAll(loadCountries);

const place = resources.flatMap(({ operations }) => operations).find(({ value }) => value === 'place') as Operation;
const call = { callerIdField: 'agentId', callerId: 'a', to: OTHER_PHONE, isTest: false } as const;

/** Runs three items with the same number. @param flow n8n's context, in which the next attempt finds what was sent */
async function callThreeTimes(operation: Operation['run'], flow: IDataObject = {}) {
	const body = { success: true, data: { id: 'a' } };
	const { run, requests } = runOf({ service: [{ status: 201, body }] });
	const items = Array.from({ length: 3 }, (): Item => {
		const values = { agentId: 'a', to: OTHER_PHONE };
		return { input: { values, local: {}, call, toolLimits: undefined }, state: { is: 'ready' } };
	});
	const operationRun = {
		run,
		operation: { ...place, run: operation },
		items,
		startedAt: Date.now(),
		rootMode: 'trigger',
		continueOnFail: true,
	};
	const node = { credential: 'credential', node: 'Call', run: 0, isTool: false };
	const calls = new Calls(operationRun, newBook(flow).book, node);
	await calls.prepare();
	await sendItems(operationRun, calls);
	return {
		requests: requests.length,
		codes: items.map(({ state }) => (isFailed(state) ? state.error.code : state.is)),
	};
}

const send = async (api: Api): Promise<Output> =>
	await api.request({ method: 'POST', path: ['agents', 'a', 'call'], body: { to: OTHER_PHONE } });

const broken = (): never => {
	throw new TypeError("Cannot read properties of undefined (reading 'id')");
};

describe('an error that nobody expected', () => {
	test('after the request was sent means that the outcome is unknown: nobody is called again', async () => {
		const flow: IDataObject = {};
		const sendThenBreak = async (api: Api) => {
			await send(api);
			return broken();
		};
		const first = await callThreeTimes(sendThenBreak, flow);
		expect(first).toEqual({ requests: 1, codes: ['OUTCOME_UNKNOWN', 'NOT_TRIED', 'NOT_TRIED'] });
		expect(await callThreeTimes(send, stored(flow))).toMatchObject({ requests: 0 });
	});

	test('before anything was sent is not taken for a call that was placed either', async () => {
		expect(await callThreeTimes(async () => broken())).toEqual({
			requests: 0,
			codes: ['UNEXPECTED', 'UNEXPECTED', 'UNEXPECTED'],
		});
	});
});

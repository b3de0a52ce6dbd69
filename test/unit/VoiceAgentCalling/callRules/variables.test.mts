import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { CONTEXT_FIELD } from '../../../../nodes/shared/triggerSecrets/resumeToken.ts';
import { prepareVariables } from '../../../../nodes/VoiceAgentCalling/callRules/variables.ts';
import { failedBy, type Item as InputItem } from '../../../../nodes/VoiceAgentCalling/operation/items.ts';
import type { Operation } from '../../../../nodes/VoiceAgentCalling/operation/operation.ts';
import type { Answer } from '../../n8n.mts';
import { runWith } from './runs.mts';
import { AGENT, CAMPAIGN, FORBIDDEN, has } from './service.mts';

const place = { callerIdField: 'agentId' } as Operation;
const queue = { callerIdField: 'campaignId' } as Operation;
const check = { callerIdField: undefined } as Operation;

const automatic = { automatic: true, values: {} };
const mapped = (values: object) => ({ automatic: false, values });

interface Item {
	json?: IDataObject;
	values?: object;
	local?: object;
}

/** Prepares the variables of some items of the agent `ada`. */
async function prepare(answers: Record<string, Answer>, items: Array<Item | ServiceError>, { operation = place } = {}) {
	const jsons = items.map((item) => (item instanceof ServiceError ? {} : (item.json ?? {})));
	const service = runWith(answers, { items: jsons });
	const read = items.map(
		(item): InputItem =>
			item instanceof ServiceError
				? { state: failedBy(item) }
				: {
						input: {
							values: { agentId: 'ada', ...item.values },
							local: { agentVariables: automatic, ...item.local },
							call: undefined,
							toolLimits: undefined,
						},
						state: { is: 'ready' },
					},
	);
	const errors = await prepareVariables({ run: service.run, operation, items: read });
	return {
		...service,
		errors: [...errors],
		payloads: read.map(({ input }) => (input ? input.values.payload : 'error')),
		variablesErrors: read.map(({ input }) => (input ? input.local.variablesError : 'error')),
	};
}

const withTexts = (description: string, agent: object = {}) => ({
	'agents/ada': has({ ...AGENT, description, ...agent }),
});
const ofCampaign = { values: { agentId: undefined, campaignId: 'spring' } };

describe('Map Automatically', () => {
	test('takes the fields that the agent needs, no others, and no resume token of a waiting execution', async () => {
		const company = { name: 'ACME', iban: 's', [CONTEXT_FIELD]: 'secret' };
		const json = { name: { [CONTEXT_FIELD]: 'secret', first: 'Ada' }, secret: 's', company };
		const { payloads, errors } = await prepare(withTexts('{{name}} {{name.first}} {{company.name}}'), [{ json }]);
		expect(payloads).toEqual([{ name: { first: 'Ada' }, company: { name: 'ACME' } }]);
		expect(errors).toEqual([]);
	});

	test('takes the fields that the agent of the campaign needs', async () => {
		const answers = { ...withTexts('{{name}}'), 'campaigns/spring': has(CAMPAIGN) };
		const items = [{ ...ofCampaign, json: { name: 'Ada' } }];
		expect((await prepare(answers, items, { operation: queue })).payloads).toEqual([{ name: 'Ada' }]);
	});

	test('is completed by Variables (JSON), which comes first', async () => {
		const local = { variablesJson: { name: 'Eve', more: 1 } };
		const { payloads } = await prepare(withTexts('{{name}}'), [{ json: { name: 'Ada' }, local }]);
		expect(payloads).toEqual([{ name: 'Eve', more: 1 }]);
	});
});

test('mapped values are sent as they are, no payload without any, and a check does not look at them', async () => {
	const items = [mapped({ name: 'Ada', other: 0 }), mapped({})].map((agentVariables) => ({
		json: { name: 'not this' },
		local: { agentVariables, missingVariables: 'ignore' },
	}));
	const { payloads, requests } = await prepare({}, items);
	expect([payloads, requests]).toEqual([[{ name: 'Ada', other: 0 }, undefined], []]);
	const checked = await prepare({}, [{ local: { agentVariables: mapped({}) } }], { operation: check });
	expect([checked.requests, checked.errors]).toEqual([[], []]);
});

describe('a call that lacks a variable', () => {
	const items = [{ json: { name: 'Ada' } }, { json: { name: '' } }, { local: { agentVariables: mapped({ name: 1 }) } }];

	test('is not sent, and the others are', async () => {
		const { errors } = await prepare(withTexts('{{name}}'), items);
		expect(errors).toEqual([[1, expect.objectContaining({ code: 'MISSING_VARIABLES', accepted: 'no' })]]);
		expect(errors[0]?.[1].message).toMatch(/: name$/);
	});

	test('is sent with Ignore', async () => {
		const ignoring = items.map((item) => ({ ...item, local: { ...item.local, missingVariables: 'ignore' } }));
		const { errors, payloads } = await prepare(withTexts('{{name}}'), ignoring);
		expect(errors).toEqual([]);
		expect(payloads).toEqual([{ name: 'Ada' }, { name: '' }, { name: 1 }]);
	});

	test('names ten variables at most', async () => {
		const texts = (count: number) => Array.from({ length: count }, (_none, index) => `{{v${index}}}`).join();
		const message = async (count: number) => (await prepare(withTexts(texts(count)), [{}])).errors[0]?.[1].message;
		expect(await message(10)).toMatch(/: v0, v1, .*, v8, v9$/);
		expect(await message(11)).toMatch(/, v9, and 1 more$/);
	});
});

describe('if the variables cannot be read', () => {
	const none: Item = { json: { name: 'Ada' } };

	test.each<[string, Record<string, Answer>, Item, Operation, object, string[]]>([
		[
			'the token may not read the agent',
			{ 'agents/ada': { status: 403 } },
			none,
			place,
			{ code: 'VARIABLES_NOT_READ', httpStatus: 403, advice: expect.stringMatching(/^Use .*\. To call/) },
			['agents/ada'],
		],
		['the ID of an agent is none', {}, { ...none, values: { agentId: '..' } }, place, { code: 'INVALID_INPUT' }, []],
		['there is no agent', {}, none, place, { code: 'AGENT_NOT_FOUND', httpStatus: 404 }, ['agents/ada']],
		[
			'there is no campaign',
			{},
			{ ...none, ...ofCampaign },
			queue,
			{ code: 'CAMPAIGN_NOT_FOUND', httpStatus: 404 },
			['campaigns/spring'],
		],
		[
			'the campaign has no agent',
			{ 'campaigns/spring': has({ ...CAMPAIGN, agent_id: null }) },
			{ ...none, ...ofCampaign },
			queue,
			{ code: 'VARIABLES_NOT_READ', advice: expect.stringMatching(/^Give it one with Campaign → Update\. To call/) },
			['campaigns/spring'],
		],
	])('the error says why: %s', async (_why, answers, item, operation, error, paths) => {
		const { errors, read } = await prepare(answers, [item], { operation });
		expect(errors).toEqual([[0, expect.objectContaining({ ...error, accepted: 'no' })]]);
		expect(read()).toEqual(paths);
	});

	test('completely, no call is sent: the flow may need more', async () => {
		const answers = { ...withTexts('{{name}}'), 'agents/ada/flow': FORBIDDEN };
		const { errors, payloads } = await prepare(answers, [none]);
		expect(errors).toEqual([[0, expect.objectContaining({ code: 'VARIABLES_NOT_READ' })]]);
		expect(payloads).toEqual([{ name: 'Ada' }]);
		const ignoring = { ...none, local: { agentVariables: mapped({}), missingVariables: 'ignore' } };
		expect((await prepare(answers, [ignoring])).errors).toEqual([]);
	});

	test('since the token is wrong, the other items are not tried and nothing more is asked', async () => {
		const eve = { ...none, values: { agentId: 'eve' } };
		const { errors } = await prepare({ 'agents/ada': { status: 401 }, 'agents/eve': { status: 401 } }, [
			none,
			none,
			eve,
		]);
		const notTried = { code: 'NOT_TRIED', message: expect.stringContaining('item 0') };
		expect(errors).toMatchObject([
			[0, { code: 'UNAUTHORIZED', accepted: 'no' }],
			[1, notTried],
			[2, notTried],
		]);
		// An error of the other kind stays that of its item.
		const others = await prepare({ 'agents/ada': { status: 401 } }, [none, eve]);
		expect(others.errors.map(([, { code }]) => code)).toEqual(['UNAUTHORIZED', 'AGENT_NOT_FOUND']);
	});

	test('a check reports it only where the names are incomplete, and finds other errors itself', async () => {
		const incomplete = { ...withTexts('{{name}}'), 'agents/ada/flow': FORBIDDEN };
		const flow = await prepare(incomplete, [none], { operation: check });
		const error = { code: 'VARIABLES_NOT_READ', advice: 'Use a token that may read flows.' };
		expect(flow).toMatchObject({ errors: [], variablesErrors: [error] });
		const broken = await prepare({ 'agents/ada': { status: 403 } }, [none], { operation: check });
		expect([broken.errors, broken.variablesErrors]).toEqual([[], [undefined]]);
	});
});

test('each agent and each campaign is read once, and not for items that failed before', async () => {
	const answers = { ...withTexts(''), 'agents/eve': has(AGENT), 'campaigns/spring': has(CAMPAIGN) };
	const failed = new ServiceError('Invalid', { code: 'INVALID_INPUT', advice: '', accepted: 'no' });
	const eve = { values: { agentId: 'eve' } };
	const { read, errors } = await prepare(answers, [failed, {}, eve, {}, eve]);
	expect(read().sort()).toEqual(['agents/ada', 'agents/ada/flow', 'agents/eve', 'agents/eve/flow']);
	expect(errors).toEqual([]);
	const queued = await prepare(answers, [ofCampaign, ofCampaign], { operation: queue });
	expect(queued.read()).toEqual(['campaigns/spring', 'agents/ada', 'agents/ada/flow']);
});

import { byId, useService } from '../../service.mts';

const service = useService();

const key = 'n8n-nodes-voice-agent-calling';

/** The context of an event, as another receiver of webhooks gets it: with the resume token of the call, in any form. */
const resumeToken = { [key]: 'test.sealed' };
const context = {
	contact: '7',
	...resumeToken,
	before: { deal: 9, ...resumeToken },
	list: [resumeToken],
	text: `{"deal":9,"${key}":"sealed"}`,
};
const own = { contact: '7', before: { deal: 9 }, list: [{}], text: '{"deal":9}' };

const call = { phoneNumber: '+12025550001', options: { metadataJson: context }, waitBy: 'polling' };
const agent = () => byId(service.seed.agents.published);
const campaign = () => byId(service.seed.campaigns.active);
const apiRequest = (body: object) => ({
	resource: 'service',
	operation: 'makeApiRequest',
	method: 'POST',
	path: `/api/v1/agents/${service.seed.agents.published}/call`,
	options: { body },
});

test.each([
	['Place', () => ({ resource: 'call', operation: 'place', agent: agent(), ...call })],
	['Queue Call', () => ({ resource: 'campaign', operation: 'queueCall', campaign: campaign(), ...call })],
	['Make API Request', () => apiRequest({ to: call.phoneNumber, context })],
])('%s does not send the resume token in a context that was copied from an event', async (_operation, parameters) => {
	const { outputs, run } = await service.run(parameters() as never);
	expect(run.error).toBeUndefined();
	const [{ body } = { body: {} }] = await service.requests('POST', '/call');
	expect((body as { context: object }).context).toEqual(own);
	expect(JSON.stringify(outputs)).not.toContain(key);
});

test.each([
	[
		'a payload has no resume token either',
		{ variablesJson: { name: 'Ada', context } },
		{ payload: { name: 'Ada', context: own } },
	],
	['a context of nothing but a resume token is not sent', { metadataJson: resumeToken }, {}],
])('%s', async (_what, options, sent) => {
	await service.run({ resource: 'call', operation: 'place', agent: agent(), ...call, options } as never);
	const [{ body } = { body: {} }] = await service.requests('POST', '/call');
	expect(body).toEqual({ to: call.phoneNumber, is_testing: false, ...sent });
});

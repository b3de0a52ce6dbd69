import { harness } from '../harness.mts';
import { actionNode, goesOn, resultsOf, to, useService } from '../service.mts';
import { publishTrigger } from '../triggers.mts';

const service = useService();
const phones = ['+12025550111', '+12025550122'];

describe('The package as users install it, loaded by n8n', () => {
	test('calls the items that it can, and says of each other item why not', async () => {
		await service.answer('POST', 422, { success: false, message: 'Not this one.' });
		const ran = await service.run(service.place(), to(...phones, 'nobody'), { node: goesOn });
		expect(resultsOf(ran).toSorted()).toEqual(['failed', 'failed', 'placed']);
		expect((await service.dialed()).toSorted()).toEqual(phones);
	});

	test('starts a workflow with a delivery of the service, and with no other request', async () => {
		const { instance, webhookId } = await publishTrigger(service);
		const { attempts } = await service.deliver({ webhookId, data: { call_id: 'call-1' } });
		const forged = await service.deliver({ webhookId, tamper: 'signature' });
		expect([...attempts, ...forged.attempts].map(({ status }) => status)).toEqual([200, 401]);
		expect(instance.executions.map(({ items }) => items)).toMatchObject([[{ event: 'campaign_call.completed' }]]);
	});

	test('is a tool that an AI model can use', async () => {
		const parameters = service.place({}, { phoneNumber: "={{ $fromAI('phone') }}" });
		const call = await harness.mcpTool({ parameters }, { credentials: service.credentials(), workflowId: 'tool' });
		expect(await call({ phone: phones[0] })).toContain(phones[0]);
		expect(await service.dialed()).toEqual([phones[0]]);
	});

	test('fills the lists of the editor', async () => {
		const search = { type: actionNode, method: 'searchAgents', credentials: service.credentials() };
		const { results } = await harness.listSearch(search);
		expect(results.map(({ value }) => value)).toContain(service.seed.agents.published);
	});
});

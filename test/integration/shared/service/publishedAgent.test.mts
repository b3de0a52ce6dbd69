import { startChangedService } from '../../changedService.mts';
import { harness } from '../../harness.mts';
import { byId, type Service } from '../../service.mts';

/** A service that calls a published agent active. */
let service: Service;
beforeAll(async () => {
	service = await startChangedService((body) =>
		JSON.parse(JSON.stringify(body).replaceAll('"current_status":"published"', '"current_status":"active"')),
	);
});
beforeEach(async () => await service.reset());

const published = () => ({ agent: byId(service.seed.agents.published) });

/** The status of the agent at the service itself. */
async function status(): Promise<unknown> {
	const { body } = await service.api('GET', `agents/${service.seed.agents.published}`);
	return (body.data as { current_status: string }).current_status;
}

test('the list of agents that can call has it', async () => {
	const { results } = await harness.listSearch({
		type: 'n8n-nodes-voice-agent-calling.voiceAgentCalling',
		method: 'searchCallingAgents',
		credentials: service.credentials(),
	});
	expect(results.map(({ value }) => value)).toContain(service.seed.agents.published);
});

test('the check before calling takes it for published', async () => {
	const check = { resource: 'call', operation: 'checkBeforeCalling', phoneNumber: '+12025550111' };
	const { outputs } = await service.run({ ...check, ...published() });
	expect(JSON.stringify(outputs)).not.toContain('AGENT_INACTIVE');
});

test('a change publishes it again, and so does a document', async () => {
	const one = { resource: 'agent', ...published(), publishAfterwards: 'ifPublished' };
	await service.run({ ...one, operation: 'update', updateFields: { direction: 'inbound' } });
	expect(await status()).toBe('published');
	const { outputs } = await service.run({ resource: 'agent', operation: 'export', ...published() });
	const knowledge = { ...(outputs[0]?.[0]?.json.knowledge as object), description: 'You are someone else.' };
	const document = JSON.stringify({ ...outputs[0]?.[0]?.json, knowledge });
	const apply = { applyTo: 'existingAgent', document, dryRun: false, options: { publishAfterwards: 'ifPublished' } };
	const { run } = await service.run({ resource: 'agent', operation: 'apply', ...published(), ...apply });
	expect([run.status, await status()]).toEqual(['success', 'published']);
	expect(await service.requests('POST', '/publish')).toHaveLength(2);
});

import { startChangedService } from '../../changedService.mts';
import { byId, jsonOf } from '../../service.mts';

test('where the service calls a published agent active, a change publishes it again, and so does a document', async () => {
	const service = await startChangedService((body) =>
		JSON.parse(JSON.stringify(body).replaceAll('"current_status":"published"', '"current_status":"active"')),
	);
	const { published } = service.seed.agents;
	const agent = { resource: 'agent', agent: byId(published) };
	const status = async () => (await service.api('GET', `agents/${published}`)).body.data;
	const update = { operation: 'update', updateFields: { direction: 'inbound' }, publishAfterwards: 'ifPublished' };
	await service.run({ ...agent, ...update });
	expect(await status()).toMatchObject({ current_status: 'published' });
	const [exported] = jsonOf(await service.run({ ...agent, operation: 'export' }));
	const knowledge = { ...(exported?.knowledge as object), description: 'You are someone else.' };
	const document = JSON.stringify({ ...exported, knowledge });
	const apply = { applyTo: 'existingAgent', document, dryRun: false, options: { publishAfterwards: 'ifPublished' } };
	expect((await service.run({ ...agent, operation: 'apply', ...apply })).run.status).toBe('success');
	expect(await status()).toMatchObject({ current_status: 'published' });
	expect(await service.requests('POST', '/publish')).toHaveLength(2);
});

import { createServer } from 'node:http';

import { listen } from './listen.mts';
import { byId, goesOn, inFastTime, type Service, useService } from './service.mts';

const DEPTH = 30_000;

/** JSON that is nested so deep that a function which calls itself for each level ends with an error of the engine. */
const deep = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`;

const REFUSED = 'nested more than';

const service = useService();
/** The address of a service whose answers are nested too deep. */
let deepUrl: string;
beforeAll(async () => {
	const server = createServer((_request, response) => {
		response.setHeader('content-type', 'application/json').end(`{"success":true,"data":${deep}}`);
	});
	deepUrl = `http://127.0.0.1:${await listen(server)}`;
});

const told = ({ run, outputs }: Awaited<ReturnType<Service['run']>>) =>
	[run.error?.message, ...outputs.flat().map(({ json }) => json.message)].join('\n');

test.each([
	['agent', 'apply', 'document', { applyTo: 'newAgent' }],
	['agentFlow', 'update', 'flow', {}],
	['agentFlow', 'validate', 'flow', { flowSource: 'json' }],
	['call', 'place', 'options.variablesJson', { phoneNumber: '+12025550111' }],
	['service', 'makeApiRequest', 'options.body', { method: 'POST', path: 'calls' }],
	['webhook', 'update', 'updateFields.payloadTemplates', {}],
])(
	'a value that is nested too deep is refused in a sentence by %s, %s: %s',
	async (resource, operation, name, more) => {
		const { agents, campaigns } = service.seed;
		const ids = { agent: byId(agents.published), campaign: byId(campaigns.active), webhook: byId(service.seed.user) };
		const [outer = '', inner] = name.split('.');
		// As text, and as what an expression gives.
		for (const entered of [deep, '={{ JSON.parse($json.deep) }}']) {
			const given = inner === undefined ? entered : { [inner]: entered };
			const parameters = { resource, operation, ...ids, ...more, [outer]: given };
			expect(told(await service.run(parameters as never, [{ deep }], { node: goesOn }))).toContain(REFUSED);
		}
		expect(await service.requests()).toEqual([]);
	},
);

test('an answer that is nested too deep is refused in a sentence', async () => {
	const credentials = service.credentials({ baseUrl: deepUrl });
	for (const [resource, operation] of [
		['agent', 'getAll'],
		['campaign', 'queueCall'],
		['calendarEvent', 'get'],
	]) {
		const { campaigns, calendar, calendarEvent } = service.seed;
		const ids = { campaign: byId(campaigns.active), calendar: byId(calendar), calendarEvent: byId(calendarEvent) };
		const parameters = { ...ids, resource, operation, phoneNumber: '+12025550111' };
		const ran = await inFastTime(async () => await service.run(parameters, [{}], { node: goesOn, credentials }));
		expect([operation, told(ran)]).toEqual([operation, expect.stringContaining(REFUSED)]);
	}
});

test('an item whose context is nested too deep has the rest of its call', async () => {
	const place = { resource: 'call', operation: 'place', agent: byId(service.seed.agents.published) };
	const call = { phoneNumber: '+12025550111', options: { metadataJson: '={{ $json.deep }}' } };
	const { outputs } = await service.run({ ...place, ...call }, [{ deep }], { node: goesOn });
	expect(outputs[0]?.[0]?.json).toMatchObject({ result: 'failed', to: '+12025550111' });
	expect(outputs[0]?.[0]?.json).not.toHaveProperty('context');
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { propertiesOf } from '../../nodes/shared/fields/properties.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { settingsOf } from './everyField/settings.mts';
import { harness } from './harness.mts';
import { makeRuns } from './schemaRuns/run.mts';
import { endNextCall } from './schemaRuns/runs.mts';
import { byId, type Service, startService } from './service.mts';
import { hmac, publishTrigger, send } from './triggers.mts';

let service: Service;
/** A service whose answers are nested too deep, and how many it has given. */
let deepUrl: string;
let answers = 0;
beforeAll(async () => {
	service = await startService({ rateLimit: 1_000_000, speed: 0 });
	const server = createServer((_request, response) => {
		answers += 1;
		response.setHeader('content-type', 'application/json').end(`{"success":true,"data":${deep}}`);
	});
	harness.closeAtEnd(async () => void server.close());
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	deepUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

const DEPTH = 30_000;

/** JSON that is nested so deep that a function which calls itself for each level ends with an error of the engine. */
const deep = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`;

const REFUSED = 'nested more than';

/** What n8n stores of a run. */
const told = ({ run, outputs }: Awaited<ReturnType<Service['run']>>) =>
	[run.error?.message, ...outputs.flat().map(({ json }) => json.message)].join('\n');

test.each(resources.map(({ value, operations }) => [value, operations] as const))(
	'a value that is nested too deep is refused in a sentence by each field of %s that takes JSON, and so is such an answer',
	async (resource, operations) => {
		const wrong: string[] = [];
		await makeRuns(service, resource, async (value, parameters = {}) => {
			const operation = operations.find((one) => one.value === value);
			if (operation === undefined) {
				return;
			}
			const all = [...operation.fields, ...operation.updates, ...operation.options, ...operation.filters];
			const json = all.flatMap((field) => propertiesOf(field).filter(({ type }) => type === 'json'));
			const onError = 'continueRegularOutput';
			const { length } = await service.requests();
			for (const { name, runs } of settingsOf(operation, parameters)) {
				const [outer, inner] = name.split('.');
				if (!json.some((property) => property.name === (inner ?? outer))) {
					continue;
				}
				const shown = runs.at(-1) as Record<string, unknown>;
				// As text, and as what an expression gives.
				for (const entered of [deep, '={{ JSON.parse($json.deep) }}']) {
					const given = inner === undefined ? entered : { ...Object(shown[outer]), [inner]: entered };
					const message = told(await service.run({ ...shown, [outer]: given }, [{ deep }], { node: { onError } }));
					if (!message.includes(REFUSED)) {
						wrong.push(`${value}/${name}: ${message}`);
					}
				}
			}
			expect((await service.requests()).slice(length)).toEqual([]);
			const credentials = service.credentials({ baseUrl: deepUrl });
			const before = answers;
			const message = told(await service.run(parameters, [{}], { node: { onError }, credentials }));
			// Lint works without an answer.
			if (answers > before && message.trim() !== '' && !message.includes(REFUSED)) {
				wrong.push(`${value}: ${message}`);
			}
			if (operation.waitsFor === 'calls') {
				await endNextCall(service, String(parameters.phoneNumber));
			}
		});
		expect(wrong).toEqual([]);
	},
	120_000,
);

test('an event that is nested too deep is refused, although it is signed', async () => {
	await service.reset();
	const { instance, secret, url } = await publishTrigger(service);
	const { length } = harness.logLines;
	const { status } = await send(url, deep, { 'X-Webhook-Signature': hmac(secret, deep) });
	expect(status).toBe(401);
	expect(JSON.stringify(harness.logLines.slice(length))).toContain(REFUSED);
	expect(instance.executions).toEqual([]);
});

test('an item whose context is nested too deep has the rest of its call', async () => {
	const { outputs } = await service.run(
		{
			...{ resource: 'call', operation: 'place', agent: byId(service.seed.agents.published) },
			...{ phoneNumber: '+12025550111', options: { metadataJson: '={{ $json.deep }}' } },
		},
		[{ deep }],
		{ node: { onError: 'continueRegularOutput' } },
	);
	expect(outputs[0]?.[0]?.json).toMatchObject({ result: 'failed', to: '+12025550111' });
	expect(outputs[0]?.[0]?.json).not.toHaveProperty('context');
});

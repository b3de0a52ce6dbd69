import { isDeepStrictEqual } from 'node:util';

import { expectGenerated, withGenerated } from '../docs/generated.mts';
import type { WorkflowRun } from './harness.mts';
import { byId, jsonOf, type Service, startService, until } from './service.mts';
import { onAgent, publishTrigger } from './triggers.mts';

type Json = Record<string, unknown>;

/** IDs and times are the same in each run: a sandbox with a seed, whose clock moves only when it is advanced. */
const RECORDED = { seed: 1, startTime: Date.parse('2026-03-02T09:30:00Z'), speed: 0, minimumStatusMs: 0 };
const AGENT_ENDS = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
const metadata = { metadataFields: { values: [{ name: 'contact_id', value: '={{ $json.id }}' }] } };
const contacts = (...phones: string[]) => phones.map((to, index) => ({ id: `contact-${index + 1}`, name: 'Ada', to }));
const named = { agentVariables: { mappingMode: 'defineBelow', value: { name: '={{ $json.name }}' } } };

/** The output of one operation in a manual execution, in which the calls are test calls. */
async function outputOf(service: Service, parameters: Json, items: Json[]): Promise<Json[]> {
	const { outputs, run } = await service.run(parameters as never, items, { mode: 'manual' });
	expect(run.error?.message).toBeUndefined();
	return jsonOf({ outputs });
}

/** The steps of each guide, and the output that it shows. */
const guides: Record<string, (service: Service) => Promise<Json[]>> = {
	'first-call': async (service) => {
		const { voiceTemplate, phoneNumber } = service.seed;
		const agent = { name: 'Ada', prompt: 'Remind people.', voice: byId(voiceTemplate), phoneNumbers: [phoneNumber] };
		const [created] = await outputOf(service, { resource: 'agent', operation: 'create', ...agent }, [{}]);
		const own = { agent: byId(String(created!.id)) };
		await outputOf(service, { resource: 'agent', operation: 'publish', ...own }, [{}]);
		return await outputOf(service, service.place({}, own), contacts('+12025550001'));
	},

	'call-a-list': async (service) => {
		const list = contacts('+12025550001', '+1 (202) 555-0001');
		const start = { name: 'Reminders', agent: byId(service.seed.agents.published), startDate: '2026-03-02' };
		const create = { resource: 'campaign', operation: 'create', ...start, timezone: 'Europe/London' };
		const [draft] = await outputOf(service, create, [{}]);
		expect(draft).toMatchObject({ status: 'draft' });
		const campaign = { campaign: byId(String(draft!.id)) };
		await outputOf(service, { resource: 'campaign', operation: 'setStatus', status: 'active', ...campaign }, [{}]);
		const queueing = service.queue(metadata, { ...named, ...campaign });
		const checked = await outputOf(service, { ...queueing, operation: 'checkBeforeCalling' }, list);
		expect(checked.map(({ result }) => result)).toEqual(['ready', 'notReady']);
		expect(await service.dialed()).toEqual([]);
		return await outputOf(service, queueing, list);
	},

	'get-the-results': async (service) => {
		const { instance } = await publishTrigger(service, onAgent(service, AGENT_ENDS));
		const parameters = service.place(metadata, { operation: 'placeAndWait', waitBy: 'event' });
		const items = contacts('+12025550001');
		const { run } = await service.run(parameters, items, { mode: 'manual', n8n: instance });
		expect([run.status, run.error?.message]).toEqual(['waiting', undefined]);
		await service.advance(60);
		const { id } = run as unknown as WorkflowRun;
		await until(async () => instance.waiting.rest(id) !== undefined);
		return jsonOf((await instance.waiting.rest(id))!.nodes.Node![0]!);
	},

	'react-to-events': async (service) => {
		const { instance } = await publishTrigger(service);
		await outputOf(service, service.queue(metadata, named), contacts('+12025550001'));
		await service.advance(120);
		await until(async () => instance.executions.length > 0);
		return instance.executions[0]!.items as Json[];
	},
};

/** What stands for the fields that are left out. It is no JSON, so nobody takes it for a field. */
const MORE = { '…': '' };

/** As n8n shows it; of the second item on, what differs from the item before. */
function block(items: Json[]): string {
	const shown = items.map((item, index) => {
		const isNew = ([name, value]: [string, unknown]) => !isDeepStrictEqual(value, items[index - 1]![name]);
		return index === 0 ? item : { ...Object.fromEntries(Object.entries(item).filter(isNew)), ...MORE };
	});
	return `\`\`\`json\n${JSON.stringify(shown, null, 2).replaceAll('"…": ""', '…')}\n\`\`\``;
}

const shown: string[] = [];

test.each(Object.entries(guides))(
	'docs/%s.md shows the output of its steps, as a run has it',
	async (guide, record) => {
		const text = block(await record(await startService(RECORDED)));
		shown.push(text);
		const page = `docs/${guide}.md`;
		expectGenerated(page, withGenerated(page, { 'recorded output': text }));
	},
);

test('no two guides show the same output', () => {
	expect(new Set(shown).size).toBe(Object.keys(guides).length);
});

import { inspect } from 'node:util';

import { listSearch, loadOptions } from '../../nodes/shared/pickers/listSearch.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { harness } from './harness.mts';
import { planted, startIndiscreetService } from './indiscreet.mts';
import { makeRuns } from './schemaRuns/run.mts';
import { byId, type Service } from './service.mts';

let service: Service;
beforeAll(async () => {
	service = await startIndiscreetService();
});

/** A value as text: as JSON, and with the properties that JSON omits. */
const everything = (value: unknown) =>
	`${JSON.stringify(value)}${inspect(value, { depth: 12, showHidden: true, maxStringLength: null })}`;

/** Which of the private words are in a value that n8n stores or shows. */
const shownIn = (value: unknown) => {
	const text = everything(value);
	return Object.entries(planted).flatMap(([name, word]) => (text.includes(word) ? [name] : []));
};

test.each(resources.map(({ value }) => [value] as const))(
	'no operation of %s stores a private word of an answer in its execution or the log',
	async (resource) => {
		const shown: Record<string, string[]> = {};
		const run = service.run.bind(service);
		service.run = async (parameters, ...rest) => {
			const { length } = harness.logLines;
			const made = await run(parameters, ...rest);
			const found = shownIn([made, harness.logLines.slice(length)]);
			if (found.length > 0) {
				shown[String(parameters?.operation)] = found;
			}
			return made;
		};
		try {
			await makeRuns(service, resource);
		} finally {
			service.run = run;
		}
		expect(shown).toEqual({});
	},
	60_000,
);

/** An operation that has a picker or a menu. */
function placeOf(method: string) {
	const operations = resources.flatMap(({ value: resource, operations }) =>
		operations.map((operation) => ({ resource, operation })),
	);
	const one = operations.find(({ operation: { fields, updates, options, filters } }) =>
		JSON.stringify([fields, updates, options, filters]).includes(`"${method}"`),
	);
	return { resource: one?.resource, operation: one?.operation.value };
}

test('no picker and no menu shows a private word of an answer: n8n stores the name of what is chosen', async () => {
	await service.reset();
	const { agents, campaigns, calendar, calendarEvent, sipTrunk } = service.seed;
	const owners = { agents: agents.published, campaigns: campaigns.active };
	const webhookOf = async (collection: keyof typeof owners, event: string) => {
		const webhook_url = `https://ada:${planted.token}@example.com/hook?key=${planted.resumeToken}`;
		const body = { name: 'Mine', webhook_url, events: [event] };
		const answer = await service.api('POST', `${collection}/${owners[collection]}/webhooks`, body);
		return (answer.body.data as { id: string }).id;
	};
	const webhooks = {
		agent: await webhookOf('agents', 'event_recording'),
		campaign: await webhookOf('campaigns', 'campaign.paused'),
	};
	const chosen = { agent: agents.published, campaign: campaigns.active, calendar, calendarEvent, sipTrunk };
	const request = (method: string) => {
		const source = method.includes('Agent') ? 'agent' : 'campaign';
		const ids = Object.entries({ ...chosen, webhook: webhooks[source] }).map(([name, id]) => [name, byId(id)]);
		return {
			type: 'n8n-nodes-voice-agent-calling.voiceAgentCalling',
			method,
			credentials: service.credentials(),
			parameters: { ...Object.fromEntries(ids), source, ...placeOf(method) },
		};
	};
	const shown: Record<string, string[]> = {};
	const empty: string[] = [];
	const look = (method: string, entries: unknown[]) => {
		const found = shownIn([entries, harness.logLines]);
		if (found.length > 0) {
			shown[method] = found;
		}
		if (entries.length === 0) {
			empty.push(method);
		}
	};
	// The files of a campaign are only in a menu.
	for (const method of Object.keys(listSearch).filter((one) => placeOf(one).operation !== undefined)) {
		look(method, (await harness.listSearch(request(method))).results);
	}
	for (const method of Object.keys(loadOptions)) {
		look(method, await harness.loadOptions(request(method)));
	}
	expect(shown).toEqual({});
	// The sandbox has nothing in these lists.
	expect(empty).toEqual([
		...['searchAgentWebhookDeliveries', 'searchCampaignWebhookDeliveries', 'searchTriggers'],
		...['getAdditionalEvents', 'getCampaignFiles'],
	]);
});

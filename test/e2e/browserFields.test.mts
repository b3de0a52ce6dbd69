import type { INodeProperties } from 'n8n-workflow';

import { type EditorPage, withEditor } from './browser.mts';
import type { NodePanel } from './browserPanel.mts';
import { defaults, isMissing, namesOf, offeredBy, shownFor } from './describedFields.mts';
import { eventually } from './eventually.mts';
import { byId, type Instance, type WorkflowNode } from './instance.mts';

type Values = Record<string, unknown>;

const NODE = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';

let n8n: Instance;
let editor: EditorPage;
let seed: { agents: { published: string }; campaigns: { active: string } };

withEditor(async (...opened) => {
	[editor, n8n] = opened;
	seed = (await n8n.service.get('/_sandbox/seed')).data;
});

afterEach(async () => await editor.expectNoErrors());

/** Opens a workflow of nodes of this package, in rows. */
async function openNodes(workflow: string, parametersOf: Record<string, Values>): Promise<string> {
	const nodes = Object.entries(parametersOf).map(([name, parameters], place): WorkflowNode => {
		return { ...n8n.node(name, NODE, 1, parameters), position: [(place % 6) * 260, Math.floor(place / 6) * 220] };
	});
	const id = await n8n.createWorkflow(workflow, nodes);
	await editor.openWorkflow(id, nodes.length);
	return id;
}

describe('An operation chosen by hand', () => {
	/** The first option of each kind. */
	const oneOfEachKind = (options: INodeProperties[]) => [
		...new Map(
			options.map((one) => [`${one.type} ${Object.keys(one.typeOptions ?? {}).join()}`, one] as const).reverse(),
		).values(),
	];

	/** Together these have every kind of field: alone, as an option and in a row. */
	const toClick = [
		['Call', 'Place and Wait', 'call', 'placeAndWait'],
		['Campaign', 'Create', 'campaign', 'create'],
		['Agent Action', 'Create or Update', 'agentAction', 'upsert'],
	] as const;

	beforeAll(async () => {
		await openNodes('By hand', Object.fromEntries(toClick.map(([resource, name]) => [`${resource} ${name}`, {}])));
	}, 300_000);

	/** Adds a row to a list of values, unless its default has one, and finds its fields. */
	async function openRow(panel: NodePanel, { name, options = [], default: first }: INodeProperties): Promise<void> {
		const fields = options.flatMap((row) => ('values' in row ? namesOf(row.values) : []));
		if (Object.keys(first as object).length === 0) {
			await panel.addRow(name);
		}
		await eventually(async () => expect(await panel.labels()).toEqual(expect.arrayContaining(fields)));
	}

	test.each(toClick)(
		'%s %s shows its fields, and an option of each kind can be added',
		async (resourceName, operationName, resource, operation) => {
			const nodeName = `${resourceName} ${operationName}`;
			const panel = await editor.openNode(nodeName);
			for (const [list, name] of Object.entries({ resource: resourceName, operation: operationName })) {
				if ((await panel.value(list)) !== name) {
					await panel.choose(list, name);
				}
			}
			const values = { ...defaults, resource, operation };
			const shown = shownFor(values);
			await eventually(async () => expect(await panel.labels()).toEqual(namesOf(shown)));
			for (const list of shown.filter(({ type }) => type === 'fixedCollection')) {
				await openRow(panel, list);
			}
			const added: INodeProperties[] = [];
			for (const collection of shown.filter(({ type }) => type === 'collection')) {
				for (const entry of oneOfEachKind(offeredBy(collection, values))) {
					await panel.addToCollection(collection.name, entry.displayName);
					await eventually(async () => expect(await panel.labels()).toContain(entry.displayName));
					if (entry.type === 'fixedCollection') {
						await openRow(panel, entry);
					}
					added.push(entry);
				}
			}
			await panel.close();
			const again = await editor.openNode(nodeName);
			const missing = namesOf([...shown, ...added].filter(isMissing));
			await eventually(async () => expect(await again.issues()).toEqual(missing));
		},
		300_000,
	);
});

describe('A picker', () => {
	/** More than the picker loads at a time. */
	const moreCampaigns = 60;

	beforeAll(async () => {
		for (let number = 1; number <= moreCampaigns; number++) {
			await n8n.createCampaign(`Regional offer ${number}`);
		}
	});

	test('loads more when its list is scrolled to the end, finds by text, and keeps the choice in another operation', async () => {
		const panel = await editor.openOperation({ resource: 'campaign', operation: 'get' });
		const entries = await panel.openList('campaign');
		await eventually(async () => {
			await entries.last().scrollIntoViewIfNeeded();
			expect(await entries.filter({ hasText: `Regional offer ${moreCampaigns}` }).count()).toBe(1);
		});
		await panel.searchList('Regional offer 42');
		await eventually(async () => expect(await entries.allInnerTexts()).toEqual(['Regional offer 42 (draft)']));
		await entries.click();
		for (const operation of ['Queue Call', 'Get']) {
			await panel.choose('operation', operation);
			await eventually(async () => expect(await panel.value('campaign')).toBe('Regional offer 42 (draft)'));
		}
		expect(await panel.issues()).toEqual([]);
		await panel.execute();
		await panel.says('"name": "Regional offer 42"', 'json');
	}, 300_000);

	test('has active campaigns first where calls are queued, finds them by their status, and takes an ID', async () => {
		const { data: active } = (await n8n.service.get('/api/v1/campaigns?status=active&per_page=100')).data;
		const names = (active as Array<{ name: string }>).map(({ name }) => `${name} (active)`);
		const panel = await editor.openOperation({ resource: 'campaign', operation: 'queueCall' });
		const entries = await panel.openList('campaign');
		const texts = async () => (await entries.allInnerTexts()).map((text) => text.trim());
		// The editor loads the others as soon as the list has room for them.
		await eventually(async () => expect(await entries.count()).toBeGreaterThan(names.length));
		expect((await texts()).slice(0, names.length)).toEqual(names);
		await panel.searchList('active');
		await eventually(async () => expect(await texts()).toEqual(names));
		await entries.first().click();
		await eventually(async () => expect(await panel.value('campaign')).toBe(names[0]));
		await panel.enterId('campaign', seed.campaigns.active);
		await eventually(async () => expect(await panel.issues()).toEqual(['Phone Number']));
	}, 300_000);
});

test('A new campaign starts today, by the clock of its time zone', async () => {
	const timezone = 'Pacific/Kiritimati';
	const agent = byId(seed.agents.published);
	const panel = await editor.openOperation({
		resource: 'campaign',
		operation: 'create',
		name: 'Spring',
		agent,
		timezone,
	});
	const today = () => Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(new Date());
	const first = today();
	expect(await panel.issues()).toEqual([]);
	await panel.execute();
	const output = await panel.says('"status": "draft"', 'json');
	expect(output).toMatch(new RegExp(`"start_date": "(${first}|${today()})"`));
}, 300_000);

test('When the user switches, what both operations have stays, and what only one has goes', async () => {
	/** Whom to call and when: what protects a person, in each operation that places, queues or checks a call. */
	const protections = {
		blockedNumbers: '+49 30 12345678',
		defaultCountry: 'DE',
		repeatedNumber: 'callEachTime',
		callingHours: { values: { hours: 'Mon-Tue 10-11', timeZone: 'Europe/Berlin' } },
	};
	const agentVariables = { mappingMode: 'defineBelow', value: { first_name: 'Ada' } };
	const withMetadata = { ...protections, metadataFields: { values: [{ name: 'contact', value: '42' }] } };
	const withWait = { ...withMetadata, timeLimit: { values: { amount: 3, unit: 'hours' } }, pollInterval: 20 };
	const [agent, campaign] = [byId(seed.agents.published), byId(seed.campaigns.active)];
	const common = { phoneNumber: '+12025550111', agentVariables, sending: { requestTimeout: 33 } };
	const calling = { ...common, testCall: 'always', resource: 'call', agent };
	/** The parameters before the user changes one, and what is not left because there is nothing of the kind then. */
	const changes: Array<[parameters: Values, change: [parameter: string, choice: string], gone: Values]> = [
		[
			{ ...common, resource: 'campaign', operation: 'checkBeforeCalling', campaign, options: protections },
			['operation', 'Queue Call'],
			{},
		],
		[{ ...calling, operation: 'placeAndWait', options: withWait }, ['operation', 'Place'], { options: withMetadata }],
		[{ ...calling, operation: 'place', options: withMetadata }, ['operation', 'Check Before Calling'], {}],
		// There are no variables before a campaign is chosen.
		[
			{ ...common, resource: 'call', operation: 'checkBeforeCalling', agent, options: protections },
			['resource', 'Campaign'],
			{ agent: undefined, agentVariables: undefined },
		],
	];
	await n8n.givePrompt(seed.agents.published, 'Greet {{first_name}}.');
	const names = changes.map((_change, index) => `Changed ${index}`);
	const before = Object.fromEntries(changes.map(([parameters], index) => [names[index]!, parameters]));
	const id = await openNodes('Switches', before);
	for (const [index, [, change]] of changes.entries()) {
		const panel = await editor.openNode(names[index]!);
		await panel.choose(...change);
		await eventually(async () => expect(await panel.value(change[0])).toBe(change[1]));
		await panel.close();
	}
	await editor.page.keyboard.press('Control+s');
	await eventually(async () => {
		const { nodes } = await n8n.editor.request<{ nodes: WorkflowNode[] }>('GET', `/rest/workflows/${id}`);
		for (const [index, [entered, , gone]] of changes.entries()) {
			const { resource, operation, ...left } = { ...entered, ...gone };
			const stored = nodes.find(({ name }) => name === names[index])?.parameters;
			const found = Object.fromEntries(Object.keys(left).map((key) => [key, stored?.[key]]));
			// The editor adds what it has read about the variables.
			if (found.agentVariables) {
				found.agentVariables = { ...agentVariables, value: Object(found.agentVariables).value };
			}
			expect([index, found]).toEqual([index, left]);
		}
	});
}, 300_000);

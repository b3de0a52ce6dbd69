import { closeAfterTests, EditorPage, eventually } from './browser.mts';
import { Instance, type WorkflowNode } from './instance.mts';

const NODE = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';

let n8n: Instance;
let editor: EditorPage;

beforeAll(async () => {
	n8n = await Instance.share();
	editor = await EditorPage.open(n8n);
}, 300_000);

closeAfterTests(() => ({ editor, n8n }));

type Values = Record<string, unknown>;

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** Whom to call and when: what protects a person, in each operation that places, queues or checks a call. */
const protections = {
	blockedNumbers: '+49 30 12345678',
	callingHours: {
		values: { daysOfWeek: [1, 2], from: '10:00', to: '11:00', holidays: '2026-12-25', timeZone: 'Europe/Berlin' },
	},
	defaultCountry: 'DE',
	missingVariables: 'placeAnyway',
	repeatedNumber: 'callEachTime',
	variablesJson: '{ "first_name": "Ada" }',
};

const metadata = { values: [{ name: 'contact', value: '42' }] };
const ofWaits = { timeLimit: { values: { amount: 3, unit: 'hours' } }, pollInterval: 20 };
const sending = { maxRequestsPerMinute: 7, requestTimeout: 33 };
const variables = {
	mappingMode: 'defineBelow',
	value: { first_name: 'Ada' },
};

interface Change {
	/** The name of the node. */
	name: string;
	parameters: Values;
	/** The parameter that the user changes, and the words in its list. */
	change: [parameter: string, choice: string];
	/** The paths of what is not left, because there is nothing of the kind after the change. */
	gone?: string[];
}

/** What a user does. @param agentId an agent with a variable, also in the campaign */
function changes(agentId: string, campaignId: string): Change[] {
	const common = { phoneNumber: '+12025550111', agentVariables: variables, sending };
	const campaign = { ...common, resource: 'campaign', campaign: byId(campaignId) };
	const call = { ...common, resource: 'call', agent: byId(agentId) };
	const ofCalls = { ...protections, metadataFields: metadata };
	const calling = { ...call, testCall: 'always', options: ofCalls };
	const ofQueue = { ...ofCalls, ifAlreadyQueued: 'queueAgain' };
	const queueing = { ...campaign, testCall: 'always', options: ofQueue };
	const onlyOfCalls = ['testCall', 'options.metadataFields', 'options.ifAlreadyQueued'];
	const onlyOfWaits = ['options.pollInterval', 'options.timeLimit'];
	return [
		{
			name: 'Check, then queue',
			parameters: { ...campaign, operation: 'checkBeforeCalling', options: protections },
			change: ['operation', 'Queue Call'],
		},
		{
			name: 'Check, then queue and wait',
			parameters: { ...campaign, operation: 'checkBeforeCalling', options: protections },
			change: ['operation', 'Queue Call and Wait'],
		},
		{
			name: 'Queue, then wait',
			parameters: { ...queueing, operation: 'queueCall' },
			change: ['operation', 'Queue Call and Wait'],
		},
		{
			name: 'Queue without the wait',
			parameters: { ...queueing, operation: 'queueCallAndWait', options: { ...ofQueue, ...ofWaits } },
			change: ['operation', 'Queue Call'],
			gone: onlyOfWaits,
		},
		{
			name: 'Queue, then check',
			parameters: { ...queueing, operation: 'queueCall' },
			change: ['operation', 'Check Before Calling'],
			gone: onlyOfCalls,
		},
		{
			name: 'Check, then place',
			parameters: { ...call, operation: 'checkBeforeCalling', options: protections },
			change: ['operation', 'Place'],
		},
		{
			name: 'Place, then wait',
			parameters: { ...calling, operation: 'place' },
			change: ['operation', 'Place and Wait'],
		},
		{
			name: 'Place without the wait',
			parameters: { ...calling, operation: 'placeAndWait', options: { ...ofCalls, ...ofWaits } },
			change: ['operation', 'Place'],
			gone: onlyOfWaits,
		},
		{
			name: 'Place, then check',
			parameters: { ...calling, operation: 'place' },
			change: ['operation', 'Check Before Calling'],
			gone: onlyOfCalls,
		},
		{
			name: 'Check a campaign instead',
			parameters: { ...call, operation: 'checkBeforeCalling', options: protections },
			change: ['resource', 'Campaign'],
			// There are none before a campaign is chosen.
			gone: ['agent', 'agentVariables'],
		},
		{
			name: 'Get one, then many',
			parameters: { resource: 'agent', operation: 'get', output: 'selectedFields', outputFields: ['name', 'status'] },
			change: ['operation', 'Get Many'],
		},
		{
			name: 'Webhooks, then their deliveries',
			parameters: { resource: 'webhook', operation: 'getAll', source: 'agent', agent: byId(agentId), limit: 7 },
			change: ['operation', 'Get Deliveries'],
		},
		{
			name: 'All webhooks, then all deliveries',
			parameters: { resource: 'webhook', operation: 'getAll', campaign: byId(campaignId), returnAll: true },
			change: ['operation', 'Get Deliveries'],
		},
		{
			name: 'Of an agent instead',
			parameters: {
				resource: 'webhook',
				operation: 'create',
				webhookUrl: 'https://a.example/hook',
				options: { enabled: false, includeCallEvents: true },
			},
			change: ['source', 'Agent'],
			gone: ['options.includeCallEvents'],
		},
	];
}

/** What is to be left of the parameters, without those that choose the others. */
function leftOf({ parameters, gone = [] }: Change): Values {
	const without = (values: Values, at = ''): Values =>
		Object.fromEntries(
			Object.entries(values)
				.filter(([name]) => !gone.includes(at + name))
				.map(([name, value]) => [name, name === 'options' ? without(value as Values, 'options.') : value]),
		);
	const { resource, operation, ...others } = without(parameters);
	return others;
}

test('what both operations have stays when the user switches, and what only one has goes', async () => {
	const { agents, campaigns } = (await n8n.service.get('/_sandbox/seed')).data;
	await n8n.givePrompt(agents.published, 'Greet {{first_name}}.');
	const all = changes(agents.published, campaigns.active);
	const nodes: WorkflowNode[] = all.map(({ name, parameters }, place) => ({
		...n8n.node(name, NODE, 1, parameters),
		position: [(place % 6) * 260, Math.floor(place / 6) * 220],
	}));
	const id = await n8n.createWorkflow('Switches', nodes);
	await editor.openWorkflow(id, nodes.length);
	for (const { name, change } of all) {
		const panel = await editor.openNode(name);
		await panel.choose(...change);
		await eventually(async () => expect(await panel.value(change[0])).toBe(change[1]));
		await panel.close();
	}
	await editor.page.keyboard.press('Control+s');
	await eventually(async () => {
		const stored = await n8n.editor.request<{ nodes: WorkflowNode[] }>('GET', `/rest/workflows/${id}`);
		const left = all.map(({ name, parameters: entered }) => {
			const { parameters = {} } = stored.nodes.find((node) => node.name === name) ?? {};
			const names = Object.keys(entered).filter((key) => key in parameters && !['resource', 'operation'].includes(key));
			// The editor adds what it has read about the variables.
			const storedOf = (key: string) =>
				key === 'agentVariables' ? { ...variables, value: Object(parameters[key]).value } : parameters[key];
			return [name, Object.fromEntries(names.map((key) => [key, storedOf(key)]))];
		});
		expect(Object.fromEntries(left)).toEqual(Object.fromEntries(all.map((change) => [change.name, leftOf(change)])));
	});
	expect(await editor.alarms()).toEqual([]);
	expect(editor.takeErrors()).toEqual([]);
}, 300_000);

import { closeAfterTests, EditorPage, eventually } from './browser.mts';
import { importExample, nodeOf } from './example.mts';
import { startFakeModel } from './fakeModel.mts';
import { Instance, type WorkflowNode } from './instance.mts';
import { type Clip, panelOnly, takePicture } from './pictures.mts';

const own = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';
const WEEKDAYS = [1, 2, 3, 4, 5];

const wholePage: Clip = { x: 0, y: 0, width: 1440, height: 900 };

/** A choice from a list, as the editor saves it. */
interface Chosen {
	__rl: true;
	mode: 'list';
	value: string;
	cachedResultName: string;
}

let n8n: Instance;
let editor: EditorPage;
let agent: Chosen;
let campaign: Chosen;
let calendar: Chosen;
let webhook: Chosen;
let triggerId: string;

const chosen = (value: string, cachedResultName: string): Chosen => ({
	__rl: true,
	mode: 'list',
	value,
	cachedResultName,
});

beforeAll(async () => {
	n8n = await Instance.share();
	const { data: seed } = await n8n.service.get('/_sandbox/seed');
	const named = async (path: string) => {
		const { data } = (await n8n.service.get(`/api/v1/${path}`)).data;
		return String(data.name);
	};
	agent = chosen(seed.agents.published, await named(`agents/${seed.agents.published}`));
	campaign = chosen(seed.campaigns.active, await named(`campaigns/${seed.campaigns.active}`));
	calendar = chosen(seed.calendar, await named(`calendars/${seed.calendar}`));
	await publishTrigger();
	editor = await EditorPage.open(n8n);
}, 300_000);

closeAfterTests(() => ({ editor, n8n }));

/** Publishes the example with the trigger, lets it receive events of three calls, and lets it miss some others. */
async function publishTrigger(): Promise<void> {
	triggerId = await importExample(n8n, 'react-to-campaign-events.json');
	await n8n.editor.publish(triggerId);
	const [{ id, name }] = await n8n.webhooksWhen(campaign.value, (webhooks) => webhooks.length === 1);
	webhook = chosen(id, name);
	await n8n.delivered(id);
	for (const to of ['+442079460001', '+442079460002', '+442079460005']) {
		await n8n.service.post(`/api/v1/campaigns/${campaign.value}/call`, { to, context: { contact_id: to.slice(-4) } });
	}
	await n8n.finished(triggerId, 8);
	for (const event of ['campaign_call.queued', 'campaign_call.started', 'campaign_call.completed']) {
		await n8n.deliver(id, { event, tamper: 'signature' });
	}
}

/** The workflow of the page about booking during the call; books one appointment with it. */
async function publishBooking(): Promise<string> {
	const at = (node: WorkflowNode, x: number, y: number): WorkflowNode => ({ ...node, position: [x, y] });
	const failing = { onError: 'continueErrorOutput' };
	const answer = (say: string) => ({ respondWith: 'json', responseBody: JSON.stringify({ say }), options: {} });
	const nodes = [
		at(
			{
				...n8n.node('When the Agent Asks', 'n8n-nodes-base.webhook', 2, {
					...{ path: 'book', httpMethod: 'POST', responseMode: 'responseNode', options: {} },
				}),
				webhookId: 'book-an-appointment',
			},
			0,
			0,
		),
		at(
			{
				...n8n.node('Find a Free Slot', own, 1, {
					...{ resource: 'availability', operation: 'getSlots', calendar },
					...{ from: '={{ $now }}', to: '={{ $now.plus({ days: 7 }) }}', duration: 30 },
					...{ options: { limit: 1 } },
				}),
				...failing,
			},
			240,
			0,
		),
		at(
			{
				...n8n.node('Book It', own, 1, {
					...{ resource: 'calendarEvent', operation: 'create', calendar, title: 'Appointment' },
					...{ start: '={{ $json.start_at }}', end: '={{ $json.end_at }}', options: { checkSlot: true } },
				}),
				...failing,
			},
			480,
			-20,
		),
		at(n8n.node('Booked', 'n8n-nodes-base.respondToWebhook', 1.1, answer('You are booked.')), 760, -120),
		at(n8n.node('Not Booked', 'n8n-nodes-base.respondToWebhook', 1.1, answer('That time is taken.')), 760, 120),
	];
	const to = (...names: string[]) => names.map((node) => [{ node, type: 'main', index: 0 }]);
	const connections = {
		'When the Agent Asks': { main: to('Find a Free Slot') },
		'Find a Free Slot': { main: to('Book It', 'Not Booked') },
		'Book It': { main: to('Booked', 'Not Booked') },
	};
	const body = { name: 'Book an appointment', active: false, nodes, connections, settings: {} };
	const { id } = await n8n.editor.request<{ id: string }>('POST', '/rest/workflows', body);
	await n8n.editor.publish(id);
	// Its first run is shown.
	expect((await fetch(`${n8n.n8n.url}/webhook/book`, { method: 'POST' })).status).toBe(200);
	return id;
}

/** Runs a campaign of its own to its end, with the example that writes the results down; gives the URL of the table. */
async function completeCampaign(): Promise<string> {
	const created = await n8n.service.post('/api/v1/campaigns', {
		...{ name: 'Winter Offer', campaign_type: 'sales', agent_id: agent.value, timezone: 'UTC' },
		...{ start_date: new Date().toISOString().slice(0, 10), days_of_week: [1, 2, 3, 4, 5, 6, 7] },
		call_time_ranges: [{ start: '00:00', end: '23:59' }],
	});
	const { id } = created.data.data;
	const path = `/api/v1/campaigns/${id}`;
	await n8n.service.patch(`${path}/status`, { status: 'active' });
	const reportId = await importExample(n8n, 'campaign-report-to-a-table.json', ({ nodes }) => {
		for (const { parameters } of nodes.filter((node) => 'campaign' in node.parameters)) {
			parameters.campaign = chosen(id, 'Winter Offer');
		}
	});
	await n8n.editor.publish(reportId);
	await n8n.webhooksWhen(id, (webhooks) => webhooks.length === 1);
	for (const number of ['0001', '0002', '0005', '0011', '0012', '0013']) {
		await n8n.service.post(`${path}/call`, { to: `+442079460${number.slice(1)}` });
	}
	await n8n.service.post('/_sandbox/advance', { seconds: 600 });
	await n8n.service.patch(`${path}/status`, { status: 'completed' });
	await n8n.finished(reportId, 1);
	const tables = await n8n.editor.request<{ data: Array<{ id: string; name: string; projectId: string }> }>(
		'GET',
		'/rest/data-tables-global',
	);
	const table = tables.data.find(({ name }) => name === 'Campaign Report Calls');
	return `${n8n.n8n.url}/projects/${table?.projectId}/datatables/${table?.id}`;
}

const take = async (name: string, clip: Clip) => await takePicture(editor, name, clip);

/** Opens a node of the package in a workflow of its own. */
async function openNode(name: string, parameters: Record<string, unknown>, before: WorkflowNode[] = []) {
	const start = n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
	const nodes = [start, ...before, n8n.node(name, own, 1, parameters)].map((node, index) => {
		return { ...node, position: [index * 240, 0] as [number, number] };
	});
	const names = nodes.map((node) => node.name);
	await editor.openWorkflow(await n8n.createWorkflow(name, nodes, names), nodes.length);
	return await editor.openNode(name);
}

/** Executes a step and takes a picture of its panel when the output has a text. */
async function executed(
	picture: string,
	expected: string | RegExp,
	form: 'schema' | 'table' | 'json',
	...opened: Parameters<typeof openNode>
): Promise<void> {
	const panel = await openNode(...opened);
	await panel.execute();
	await eventually(async () => expect(await panel.outputText(form)).toMatch(expected));
	await take(picture, panelOnly);
}

test('a new campaign is a draft', async () => {
	await executed('create-campaign', /"status": "draft"/, 'json', 'Create a Campaign', {
		...{
			resource: 'campaign',
			operation: 'create',
			name: 'Spring Offer',
			agent,
			daysOfWeek: WEEKDAYS,
			timezone: 'Europe/London',
		},
		options: { maxRetries: 2 },
	});
}, 300_000);

test('Check Before Calling says of each contact whether it is ready, and if not, why', async () => {
	const jsCode = `return ['+442079460001', '+442079460002', '030 1234', '+442079460001', '+442079460004'].map(
(phone, index) => ({ json: { name: ['Ada', 'Grace', 'Alan', 'Ada', 'Edsger'][index], phone } }),
);`;
	const contacts = n8n.node('Contacts', 'n8n-nodes-base.code', 2, { jsCode });
	const parameters = {
		...{ resource: 'campaign', operation: 'checkBeforeCalling', campaign, phoneNumber: '={{ $json.phone }}' },
	};
	await executed('check-before-calling', 'notReady', 'table', 'Check Before Calling', parameters, [contacts]);
}, 300_000);

/** Opens the list of a workflow's executions, with what the latest one ran. */
async function openExecutions(workflowId: string): Promise<void> {
	await editor.page.goto(`${n8n.n8n.url}/workflow/${workflowId}/executions`);
	await editor.page.getByTestId('current-executions-list').waitFor();
	await eventually(async () => {
		const ran = editor.page
			.frames()
			.map((frame) => frame.locator('[data-test-id="canvas-node-status-success"]').count());
		expect(Math.max(...(await Promise.all(ran)))).toBeGreaterThan(0);
	});
	await editor.page.waitForLoadState('networkidle');
}

test('each event is an execution', async () => {
	await openExecutions(triggerId);
	await take('events', wholePage);
	await editor.openEmptyCanvas();
}, 300_000);

test('the results of a campaign are rows of a table', async () => {
	await editor.page.goto(await completeCampaign());
	await editor.page.getByText('+442079460001').first().waitFor();
	await editor.page.waitForLoadState('networkidle');
	await take('report-table', { ...wholePage, height: 400 });
	await editor.openEmptyCanvas();
}, 300_000);

test('a booking during the call is an execution that succeeded', async () => {
	await openExecutions(await publishBooking());
	await take('booking-execution', wholePage);
	await editor.openEmptyCanvas();
}, 300_000);

test('an action of an agent is created and the agent is published again', async () => {
	await executed('booking-action', /"published": true/, 'json', 'Booking Action', {
		...{ resource: 'agentAction', operation: 'upsert', agent, nodeId: 'book-appointment', name: 'book_appointment' },
		...{ description: 'Books an appointment for the person on the phone', type: 'webhook' },
		inputs: {
			values: [{ name: 'day', description: 'The day, YYYY-MM-DD', required: true, type: 'string', value: '' }],
		},
		url: 'https://n8n.example.com/webhook/book',
	});
}, 300_000);

test('the limits of a tool are beside the number that the model fills in, and the logs have its call', async () => {
	const model = await startFakeModel([
		{ tool: 'Place_Test_Call', args: { Phone_Number: '+442079460001', Name: 'Ada' } },
		{ say: 'I have placed a test call to Ada at +44 20 7946 0001.' },
	]);
	const { id, name } = await n8n.editor.request<{ id: string; name: string }>('POST', '/rest/credentials', {
		...{ name: 'Chat model', type: 'openAiApi', data: { apiKey: 'none', url: model.url } },
	});
	const workflowId = await importExample(n8n, 'ai-agent-test-call.json', (workflow) => {
		nodeOf(workflow, 'Chat Model').credentials = { openAiApi: { id, name } };
		nodeOf(workflow, 'Assistant').parameters.options = { enableStreaming: false };
		nodeOf(workflow, 'Place Test Call').parameters.agent = agent;
	});
	await editor.openWorkflow(workflowId, 4);
	const panel = await editor.openNode('Place Test Call');
	await panel.item('phoneNumber').getByText('Defined automatically by the model').waitFor();
	await panel.item('allowedPrefixes').scrollIntoViewIfNeeded();
	await take('ai-tool', panelOnly);
	await panel.close();
	await editor.page.getByTestId('workflow-chat-button').click();
	const input = editor.page.getByTestId('canvas-chat').locator('textarea');
	await input.fill('Call Ada at +44 20 7946 0001.');
	await input.press('Enter');
	await editor.page.getByText('I have placed a test call').first().waitFor();
	await take('ai-tool-logs', wholePage);
	await model.close();
}, 300_000);

test('Check Registration says whether events arrive', async () => {
	await executed('check-registration', /"ok": /, 'json', 'Check Registration', {
		...{ resource: 'webhook', operation: 'checkRegistration', campaign },
	});
}, 300_000);

test('Catch Up lists what it would redeliver', async () => {
	await executed('catch-up', /wouldBeRedelivered/, 'json', 'Catch Up', {
		...{ resource: 'webhook', operation: 'catchUp', campaign, webhook },
		options: { dryRun: true },
	});
}, 300_000);

test('the secret is replaced and not shown', async () => {
	await executed('rotate-secret', /"rotated": true/, 'json', 'Rotate Secret', {
		...{ resource: 'webhook', operation: 'rotateSecret', campaign, webhook },
	});
}, 300_000);

import { readExample } from '../../scripts/lib/examples.mts';
import { type EditorPage, withEditor } from './browser.mts';
import { eventually } from './eventually.mts';
import { importExample, modelFor, nodeOf } from './example.mts';
import type { DataTable, Instance } from './instance.mts';
import { type Clip, panelOnly, takePicture, withoutInput } from './pictures.mts';

const wholePage: Clip = { x: 0, y: 0, width: 1440, height: 900 };

/** A choice from a list, as the editor saves it. */
const chosen = (value: string, cachedResultName: string) => ({ __rl: true, mode: 'list', value, cachedResultName });
type Chosen = ReturnType<typeof chosen>;

let n8n: Instance;
let editor: EditorPage;
let [agent, campaign, webhook] = [] as unknown as [Chosen, Chosen, Chosen];
let triggerId: string;

withEditor(async (...opened) => {
	[editor, n8n] = opened;
	const { data: seed } = await n8n.service.get('/_sandbox/seed');
	const named = async (list: string, id: string) => {
		return chosen(id, String((await n8n.service.get(`/api/v1/${list}/${id}`)).data.data.name));
	};
	agent = await named('agents', seed.agents.published);
	campaign = await named('campaigns', seed.campaigns.active);
	await publishTrigger();
});

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

/** The action of the example, which sets what the steps of the page say; with one input, so that its output fits. */
function bookingAction(): Record<string, unknown> {
	const { parameters } = nodeOf(readExample('set-up-the-booking-action.json'), 'Create the Booking Action');
	const { values } = parameters.inputs as { values: object[] };
	const description = 'Books an appointment for the person on the phone';
	const url = 'https://n8n.example.com/webhook/book-appointment';
	return { ...parameters, description, url, inputs: { values: values.slice(0, 1) } };
}

/** Runs a campaign of its own to its end, with the example that writes the results down; gives the URL of the table. */
async function completeCampaign(): Promise<string> {
	const id = await n8n.createCampaign('Winter Offer');
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
	const { data: tables } = await n8n.editor.request<{ data: DataTable[] }>('GET', '/rest/data-tables-global');
	const table = tables.find(({ name }) => name === 'Campaign Report Calls');
	return `${n8n.n8n.url}/projects/${table?.projectId}/datatables/${table?.id}`;
}

const take = async (name: string, clip: Clip) => await takePicture(editor, name, clip);

/** Opens the list of a workflow's executions, with what the latest one ran. */
async function openExecutions(workflowId: string): Promise<void> {
	await editor.page.goto(`${n8n.n8n.url}/workflow/${workflowId}/executions`);
	await editor.page.getByTestId('current-executions-list').waitFor();
	const success = '[data-test-id="canvas-node-status-success"]';
	await eventually(async () => {
		const ran = editor.page.frames().map((frame) => frame.locator(success).count());
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

test('the limits of a tool are beside the number that the model fills in, and the logs have its call', async () => {
	const { use } = await modelFor(n8n, [
		{ tool: 'Place_Test_Call', args: { Phone_Number: '+442079460001', Name: 'Ada' } },
		{ say: 'I have placed a test call to Ada at +44 20 7946 0001.' },
	]);
	const workflowId = await importExample(n8n, 'ai-agent-test-call.json', (workflow) => {
		use(nodeOf(workflow, 'Chat Model'));
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
}, 300_000);

test.each<[picture: string, name: string, output: string, parameters: () => Record<string, unknown>]>([
	[
		'create-campaign',
		'Create a Campaign',
		'"status": "draft"',
		() => ({
			resource: 'campaign',
			operation: 'create',
			name: 'Spring Offer',
			agent,
			timezone: 'Europe/London',
			daysOfWeek: [1, 2, 3, 4, 5],
			options: { maxRetries: 2 },
		}),
	],
	['booking-action', 'Booking Action', '"published": true', () => ({ ...bookingAction(), agent })],
	[
		'check-registration',
		'Check Registration',
		'"ok": ',
		() => ({ resource: 'webhook', operation: 'checkRegistration', campaign }),
	],
	[
		'catch-up',
		'Catch Up',
		'wouldBeRedelivered',
		() => ({ resource: 'webhook', operation: 'catchUp', campaign, webhook, options: { dryRun: true } }),
	],
	[
		'rotate-secret',
		'Rotate Secret',
		'"rotated": true',
		() => ({ resource: 'webhook', operation: 'rotateSecret', campaign, webhook }),
	],
])(
	'the picture %s shows what the step gives',
	async (picture, name, output, parameters) => {
		const panel = await editor.openOperation(parameters(), [], { name });
		await panel.execute();
		await panel.says(output, 'json');
		await take(picture, withoutInput);
	},
	300_000,
);

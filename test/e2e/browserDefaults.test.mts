import { closeAfterTests, EditorPage, eventually } from './browser.mts';
import { Instance, type WorkflowNode } from './instance.mts';

const own = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';

let n8n: Instance;
let editor: EditorPage;

beforeAll(async () => {
	n8n = await Instance.share();
	editor = await EditorPage.open(n8n);
}, 300_000);

closeAfterTests(() => ({ editor, n8n }));

/** Opens a workflow of a start and one node of this package, and that node's panel. */
async function openWith(parameters: Record<string, unknown>) {
	const start = n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
	const node: WorkflowNode = { ...n8n.node('Calling', own, 1, parameters), position: [300, 0] };
	await editor.openWorkflow(await n8n.createWorkflow('Defaults', [start, node], ['Start', 'Calling']), 2);
	return await editor.openNode('Calling');
}

const seed = async () => (await n8n.service.get('/_sandbox/seed')).data;

test('a new agent needs a few fields, and its voice is chosen from a list', async () => {
	const panel = await openWith({ resource: 'agent', operation: 'create', name: 'Ada' });
	const labels = ['Name', 'First Message', 'Prompt', 'Language', 'Voice', 'Phone Number Names or IDs'];
	await eventually(async () => {
		const shown = await panel.labels();
		expect(shown.slice(shown.indexOf('Name'), shown.indexOf('Name') + labels.length)).toEqual(labels);
		expect(shown).toContain('Behavior');
	});
	const voices = await panel.openList('voice');
	const name = (await voices.first().innerText()).trim();
	await voices.first().click();
	await eventually(async () => expect(await panel.value('voice')).toBe(name));
	await panel.execute();
	await eventually(async () => expect(await panel.outputText('json')).toContain('"voiceSet": true'));
	expect(editor.takeErrors()).toEqual([]);
}, 300_000);

test('a new campaign starts today, by the clock of its time zone', async () => {
	const { agents } = await seed();
	const panel = await openWith({
		resource: 'campaign',
		operation: 'create',
		name: 'Spring',
		agent: { __rl: true, mode: 'id', value: agents.published },
		timezone: 'Pacific/Kiritimati',
	});
	const today = () => Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Kiritimati' }).format(new Date());
	const days = [today()];
	// The editor shows what the expressions give before the first run.
	await eventually(async () => expect(await panel.item('startDate').innerText()).toMatch(/\d{4}-\d\d-\d\d/));
	expect(await panel.issues()).toEqual([]);
	await panel.execute();
	await eventually(async () => expect(await panel.outputText('json')).toContain('"status": "draft"'));
	days.push(today());
	expect(await panel.outputText()).toMatch(new RegExp(`"start_date": "(${days.join('|')})"`));
	expect(editor.takeErrors()).toEqual([]);
}, 300_000);

test('where calls are queued, active campaigns come first, a search finds them, and no status is stored', async () => {
	const { data: active } = (await n8n.service.get('/api/v1/campaigns?status=active&per_page=100')).data;
	const names = (active as Array<{ name: string }>).map(({ name }) => name);
	const panel = await openWith({ resource: 'campaign', operation: 'queueCall', phoneNumber: '+12025550111' });
	const entries = await panel.openList('campaign');
	// The editor loads the others as soon as the list has room for them.
	await eventually(async () => expect(await entries.count()).toBeGreaterThan(names.length));
	expect((await entries.allInnerTexts()).map((text) => text.trim()).slice(0, names.length)).toEqual(names);
	await panel.searchList('active');
	await eventually(async () => expect((await entries.allInnerTexts()).map((text) => text.trim())).toEqual(names));
	await entries.first().click();
	await eventually(async () => expect(await panel.value('campaign')).toBe(names[0]));
	expect(await panel.value('campaign')).not.toContain('active');
	expect(editor.takeErrors()).toEqual([]);
}, 300_000);

test('free slots of the next seven days are found without entering a time', async () => {
	const { calendar } = await seed();
	const panel = await openWith({
		resource: 'availability',
		operation: 'getSlots',
		calendar: { __rl: true, mode: 'id', value: calendar },
	});
	await eventually(async () => expect(await panel.item('from').innerText()).toMatch(/\d{4}-\d\d-\d\d/));
	expect(await panel.issues()).toEqual([]);
	await panel.addToCollection('options', 'Limit');
	await panel.input('limit').locator('input').fill('1');
	await panel.execute();
	await eventually(async () => expect(await panel.outputText('json')).toContain(`"calendar_id": "${calendar}"`));
	expect((await panel.outputText()).match(/"start_at"/g)).toHaveLength(1);
	expect(editor.takeErrors()).toEqual([]);
}, 300_000);

test('the owner of a calendar is chosen from the members of others', async () => {
	const { user } = await seed();
	const panel = await openWith({ resource: 'calendar', operation: 'create', name: 'Visits' });
	const users = await panel.openList('owner');
	await users
		.filter({ hasText: user.slice(0, 8) })
		.first()
		.click();
	await eventually(async () => expect(await panel.value('owner')).toContain(`user-${user.slice(0, 8)}@example.com`));
	await panel.execute();
	await eventually(async () => expect(await panel.outputText('json')).toContain(`"owner_id": "${user}"`));
	expect(editor.takeErrors()).toEqual([]);
}, 300_000);

test('Calling Hours begin with 09:00 to 20:00 on weekdays in the zone of the number, and are stored like that', async () => {
	const { agents } = await seed();
	const panel = await openWith({
		resource: 'call',
		operation: 'checkBeforeCalling',
		agent: { __rl: true, mode: 'id', value: agents.published },
		phoneNumber: '+493012345678',
	});
	await panel.addToCollection('options', 'Calling Hours');
	await eventually(async () => {
		expect([await panel.value('from'), await panel.value('to')]).toEqual(['09:00', '20:00']);
		expect(await panel.value('timeZone')).toContain('From the Number');
	});
	expect(await panel.issues()).toEqual([]);
	await panel.execute();
	await eventually(async () => expect(await panel.outputText('json')).toMatch(/"result": "(ready|notReady)"/));
	expect(editor.takeErrors()).toEqual([]);
}, 300_000);

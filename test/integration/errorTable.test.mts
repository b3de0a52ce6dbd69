import { expectGenerated } from '../docs/generated.mts';
import { agents, calls } from './errorTable/agents.mts';
import { anyOperation, bodies, otherCodes, tokens } from './errorTable/answers.mts';
import { calendars, sipTrunks } from './errorTable/calendars.mts';
import { campaigns, sftp, webhooks } from './errorTable/campaigns.mts';
import { connections, outcomes } from './errorTable/connections.mts';
import { credentialTest } from './errorTable/credentialTest.mts';
import { credentialValues, inputs, toolRefusals } from './errorTable/inputs.mts';
import { notReady } from './errorTable/notReady.mts';
import { operations, Provoker } from './errorTable/provoke.mts';
import { answersOfN8n, deliveries, publishing } from './errorTable/receiving.mts';
import { page } from './errorTable/table.mts';
import { startService } from './service.mts';

test('docs/errors.md has the messages of the nodes for each failure', async () => {
	const token = 'environment-token-of-the-error-table';
	const service = await startService({ token });
	const provoker = new Provoker(service);
	const poor = new Provoker(await startService({ token, credits: 0, maxCampaigns: 1, customSipTrunks: false }));
	const all = operations(service);
	const made = page([
		await tokens(provoker, all),
		await anyOperation(provoker, all),
		await calls(provoker, poor, all),
		await notReady(provoker, all),
		await outcomes(provoker, all),
		await agents(provoker, all),
		await campaigns(provoker, poor, all),
		await sftp(provoker),
		await webhooks(provoker),
		await calendars(provoker),
		await sipTrunks(provoker, poor),
		await connections(provoker, all),
		await inputs(provoker, all),
		await credentialValues(provoker, all),
		await credentialTest(provoker),
		await publishing(provoker),
		await deliveries(provoker),
		answersOfN8n(),
		await toolRefusals(provoker, all),
		await bodies(provoker, all),
		await otherCodes(provoker),
	]);
	expectGenerated('docs/errors.md', made);
}, 180_000);

import { adviceByCode } from '../../nodes/shared/errors/adviceByCode.ts';
import { expectGenerated } from '../docs/generated.mts';
import { agents, calls } from './errorTable/agents.mts';
import { anyOperation, bodies, otherCodes, tokens } from './errorTable/answers.mts';
import { calendars, sipTrunks } from './errorTable/calendars.mts';
import { callRules } from './errorTable/callRules.mts';
import { campaigns, sftp, webhooks } from './errorTable/campaigns.mts';
import { connections, outcomes, refusedTunnels, withFailingLookups } from './errorTable/connections.mts';
import { credentialTest } from './errorTable/credentialTest.mts';
import { credentialValues, inputs, toolRefusals } from './errorTable/inputs.mts';
import { notReady } from './errorTable/notReady.mts';
import { operations, Provoker } from './errorTable/provoke.mts';
import { answersOfN8n, deliveries, publishing } from './errorTable/receiving.mts';
import { OTHER_TEXTS, otherTexts, page } from './errorTable/table.mts';

test('docs/reference/errors.md and test/docs/errors.json have the messages of the nodes for each failure', async () => {
	const token = 'environment-token-of-the-error-table';
	const provoker = await Provoker.start({ token });
	const poor = await Provoker.start({ token, credits: 0, maxCampaigns: 1, customSipTrunks: false });
	// An import and an export are over after some seconds.
	const still = await Provoker.start({ token, speed: 0 });
	const all = operations(provoker);
	// These read n8n's log, to which the other sections write at the same time.
	const refused = await deliveries(provoker);
	const tunnels = await refusedTunnels(provoker, all);
	const sections = await withFailingLookups(
		async () =>
			await Promise.all([
				tokens(provoker, all),
				anyOperation(provoker, all),
				calls(provoker, poor, all),
				notReady(provoker, all),
				outcomes(provoker, all),
				agents(provoker, all),
				campaigns(provoker, poor, all),
				sftp(still),
				webhooks(provoker),
				calendars(provoker),
				sipTrunks(provoker, poor),
				connections(provoker, all, tunnels),
				inputs(provoker, all),
				callRules(provoker, all),
				credentialValues(provoker, all),
				credentialTest(provoker),
				publishing(provoker),
				refused,
				answersOfN8n(),
				toolRefusals(provoker, all),
				bodies(provoker, all),
				otherCodes(provoker),
			]),
	);
	const provoked = new Set(sections.flatMap(({ rows }) => rows.map(({ code }) => code)));
	expect(Object.keys(adviceByCode).filter((code) => !provoked.has(code))).toEqual([]);
	expectGenerated('docs/reference/errors.md', page(sections));
	expectGenerated(OTHER_TEXTS, otherTexts(sections));
}, 180_000);

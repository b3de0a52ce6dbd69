import { byRefusal, byStatus } from '../../nodes/shared/errors/catalog.ts';
import { expectGenerated } from '../docs/generated.mts';
import { agents, calls, notReady } from './errorTable/agents.mts';
import { anyOperation, otherCodes, tokens } from './errorTable/answers.mts';
import { calendars, sipTrunks } from './errorTable/calendars.mts';
import { callRules } from './errorTable/callRules.mts';
import { campaigns, sftp, webhooks } from './errorTable/campaigns.mts';
import { connections, outcomes, refusedTunnels, withFailingLookups } from './errorTable/connections.mts';
import { credentialValues, inputs, toolRefusals } from './errorTable/inputs.mts';
import { operations, Provoker } from './errorTable/provoke.mts';
import { answersOfN8n, deliveries, publishing } from './errorTable/receiving.mts';
import { OTHER_TEXTS, otherTexts, page } from './errorTable/table.mts';
import { inFastTime } from './service.mts';

test('docs/reference/errors.md and test/docs/errors.json have the messages of the nodes for each failure', async () => {
	const provoker = await Provoker.start({ token: 'environment-token-of-the-error-table' });
	const all = operations(provoker);
	// These read n8n's log, to which the other sections write at the same time.
	const refused = await provoker.use(deliveries);
	const tunnels = await refusedTunnels(provoker, all);
	const inParallel = async () =>
		await Promise.all([
			tokens(provoker, all),
			anyOperation(provoker, all),
			calls(provoker, all),
			notReady(provoker, all),
			outcomes(provoker, all),
			agents(provoker),
			campaigns(provoker, all),
			sftp(provoker),
			webhooks(provoker),
			calendars(provoker),
			sipTrunks(provoker),
			connections(provoker, all, tunnels),
			inputs(provoker, all),
			callRules(provoker, all),
			credentialValues(provoker, all),
			publishing(provoker),
			refused,
			answersOfN8n(),
			toolRefusals(provoker, all),
			otherCodes(provoker),
		]);
	const sections = await withFailingLookups(async () => await inFastTime(inParallel));
	const said = sections.flatMap(({ rows }) => rows.map(({ code, advice }) => `${code} ${advice}`)).join('\n');
	const ofStatuses = Object.entries(byStatus).map(([code, { advice }]) => [code, advice] as const);
	const unsaid = [...ofStatuses, ...Object.entries(byRefusal)].filter(
		(texts) => !texts.some((text) => said.includes(text)),
	);
	// The test of the credential has tests of its own.
	expect(unsaid.map(([code]) => code).filter((code) => !code.startsWith('TEST_'))).toEqual([]);
	expectGenerated('docs/reference/errors.md', page(sections));
	expectGenerated(OTHER_TEXTS, otherTexts(sections));
});

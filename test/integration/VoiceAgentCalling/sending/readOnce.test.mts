import { byId, goesOn, resultsOf, useService } from '../../service.mts';

const service = useService();

/** The other campaign's real call is taken, or refused for lack of credits. The service answers the third read of the hours. */
test.each([
	['one of them asks for all', true],
	['one of them asks for all, also if the one that asked is given up for lack of credits', false],
])('calls of one campaign, real ones and test calls, need its hours: %s', async (_what, hasCredits) => {
	const { active: other, draft: own } = service.seed.campaigns;
	await service.api('PATCH', `campaigns/${own}/status`, { status: 'active' });
	const path = `/api/v1/campaigns/${own}`;
	const match = { method: 'GET', path };
	await service.fault({ match, kind: 'status', status: 500 });
	await service.fault({ match, kind: 'status', status: 429, headers: { 'retry-after': '0.1' } });
	if (!hasCredits) {
		const toOther = { method: 'POST', path: `/api/v1/campaigns/${other}/*` };
		await service.fault({ match: toOther, kind: 'status', status: 402 });
	}
	const everyDay = { from: '00:00', to: '24:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timeZone: 'UTC' };
	const parameters = service.queue(
		{ missingVariables: 'ignore', callingHours: { values: everyDay } },
		{ campaign: byId('={{ $json.campaign }}'), testCall: '={{ $json.testCall }}' },
	);
	const items = [other, own, own, own, own].map((campaign, index) => ({
		campaign,
		to: `+1202555011${index}`,
		testCall: index < 2 ? 'never' : 'always',
	}));
	// The pause after the first response takes its time: meanwhile, the other campaign's call is refused.
	const ran = await service.run(parameters, items, { node: goesOn });
	const real = hasCredits ? ['queued', 'queued'] : ['failed', 'notTried'];
	expect(resultsOf(ran)).toEqual([...real, 'queued', 'queued', 'queued']);
	expect(await service.requests('GET', path)).toHaveLength(3);
});

import { byId, goesOn, resultsOf, useService } from '../../service.mts';

const service = useService();

/**
 * The other campaign's real call is taken, or refused for lack of credits. The service fails at the first read of the hours,
 * and answers the third one.
 */
test.each([
	['that of another campaign is taken', true],
	['that of another campaign is refused for lack of credits', false],
])(
	'calls of one campaign, real ones and test calls, need its hours, which one of them reads for all: %s',
	async (_what, hasCredits) => {
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
		const everyDay = { hours: 'Daily 0-24', timeZone: 'UTC' };
		const parameters = service.queue(
			{ missingVariables: 'ignore', callingHours: { values: everyDay } },
			{ campaign: byId('={{ $json.campaign }}'), testCall: '={{ $json.testCall }}' },
		);
		const items = [other, own, own, own, own].map((campaign, index) => ({
			campaign,
			to: `+1202555011${index}`,
			testCall: index < 2 ? 'never' : 'always',
		}));
		const ran = await service.run(parameters, items, { node: goesOn });
		const ofOther = hasCredits ? 'queued' : 'failed';
		// The item that read first has the error of the service: nobody knows its hours.
		expect(resultsOf(ran)).toEqual([ofOther, 'failed', 'queued', 'queued', 'queued']);
		expect(await service.requests('GET', path)).toHaveLength(3);
	},
);

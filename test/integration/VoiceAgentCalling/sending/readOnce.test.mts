import { byId, type Service, startService } from '../../service.mts';

describe('Calls of one campaign need its hours, and the service answers only the third request for them', () => {
	let service: Service;
	beforeAll(async () => {
		service = await startService();
	});
	beforeEach(async () => await service.reset());

	/**
	 * Queues a real call of another campaign, and a real call and three test calls of the campaign.
	 *
	 * @param hasCredits whether the service accepts the real call of the other campaign
	 * @returns how often the campaign was read
	 */
	async function reads({ hasCredits }: { hasCredits: boolean }): Promise<number> {
		const { active: other, draft: own } = service.seed.campaigns;
		await service.api('PATCH', `campaigns/${own}/status`, { status: 'active' });
		const path = `/api/v1/campaigns/${own}`;
		const match = { method: 'GET', path };
		await service.fault({ match, kind: 'status', status: 500 });
		await service.fault({ match, kind: 'status', status: 429, headers: { 'retry-after': '1' } });
		if (!hasCredits) {
			const toOther = { method: 'POST', path: `/api/v1/campaigns/${other}/*` };
			await service.fault({ match: toOther, kind: 'status', status: 402 });
		}
		const everyDay = { from: '00:00', to: '24:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timeZone: 'UTC' };
		const { outputs } = await service.run(
			{
				...{ resource: 'campaign', operation: 'queueCall', campaign: byId('={{ $json.campaign }}') },
				...{ phoneNumber: '={{ $json.to }}', testCall: '={{ $json.testCall }}' },
				options: { missingVariables: 'ignore', callingHours: { values: everyDay } },
			},
			[
				{ campaign: other, to: '+12025550110', testCall: 'never' },
				{ campaign: own, to: '+12025550111', testCall: 'never' },
				...['+12025550112', '+12025550113', '+12025550114'].map((to) => ({ campaign: own, to, testCall: 'always' })),
			],
			{ node: { onError: 'continueRegularOutput' } },
		);
		const real = hasCredits ? ['queued', 'queued'] : ['failed', 'notTried'];
		expect(outputs[0]?.map(({ json }) => json.result)).toEqual([...real, 'queued', 'queued', 'queued']);
		return (await service.requests('GET', path)).length;
	}

	test('one of them asks for all', async () => expect(await reads({ hasCredits: true })).toBe(3));

	test('one of them asks for all, also if the one that asked is given up for lack of credits', async () => {
		expect(await reads({ hasCredits: false })).toBe(3);
	});
});

import { byId } from '../service.mts';
import type { Operations, Provoker } from './provoke.mts';
import type { Section } from './table.mts';

const hours = (values: object) => ({
	callingHours: { values: { from: '09:00', to: '09:01', daysOfWeek: [1], timeZone: 'fromNumber', ...values } },
});

/** The calls that Calling Hours and Blocked Numbers do not allow. */
export async function callRules(provoker: Provoker, { place, queue }: Operations): Promise<Section> {
	const { active } = provoker.seed.campaigns;
	/** The weekday after tomorrow, in UTC. */
	const later = ((new Date().getUTCDay() + 1) % 7) + 1;
	const phone = { phoneNumber: '+493012345678' };
	return {
		title: 'Whom and when',
		rows: [
			...(await Promise.all([
				provoker.withheld(
					'The number is in Blocked Numbers',
					place({ options: { blockedNumbers: '+12025550111' } as never }),
				),
				provoker.withheld(
					'The call would not start within the hours',
					place({ ...phone, options: hours({ daysOfWeek: [later], timeZone: 'UTC' }) }),
				),
				provoker.withheld('The country of the number has several time zones', place({ options: hours({}) })),
				provoker.withheld(
					'The campaign may call at other times',
					queue({ ...phone, options: hours({ timeZone: 'UTC' }) }),
				),
				provoker.withheld('The times of the campaign are not clear', queue({ ...phone, options: hours({}) }), {
					fault: {
						kind: 'status',
						status: 200,
						match: { path: `/api/v1/campaigns/${active}` },
						body: { success: true, data: { id: active, status: 'active', start_date: '2026-01-01', timezone: 'UTC' } },
					},
				}),
			])),
			...(await provoker.rows([
				[
					'An entry of Blocked Numbers is no phone number',
					place({ agent: byId(provoker.seed.agents.published), options: { blockedNumbers: '+12025550111, 12' } }),
				],
				['Blocked Numbers is empty', place({ options: { blockedNumbers: '' } })],
				['The expression of an option gives nothing', place({ options: { blockedNumbers: '={{ undefined }}' } })],
				['The hours end before they start', place({ options: hours({ from: '20:00', to: '09:00' }) })],
			])),
		],
	};
}

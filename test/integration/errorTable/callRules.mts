import { byId } from '../service.mts';
import type { Operations, Provoker } from './provoke.mts';
import type { Section } from './table.mts';

const hours = (values: object) => ({
	callingHours: { values: { from: '09:00', to: '09:01', daysOfWeek: [1], timeZone: 'fromNumber', ...values } },
});

const consent = (values: object) => ({
	consent: { values: { givenAt: '2026-01-01T09:00:00Z', validFor: '', purpose: '', reference: '', ...values } },
});
const cap = (atMost: number) => ({ frequencyCap: { values: { atMost, days: 7 } } });

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
				provoker.withheld("The credential's limit of calls is reached", place(), {
					credential: { callsPerDay: 1 },
					fault: {
						kind: 'status',
						status: 200,
						match: { path: '/api/v1/calls' },
						body: { success: true, data: [{ id: 'a' }] },
					},
				}),
				provoker.withheld('The person has no consent', place({ options: consent({ givenAt: '' }) })),
				provoker.withheld(
					'The consent is over',
					place({ options: consent({ givenAt: '2020-01-01T00:00:00Z', validFor: '30' }) }),
				),
				provoker.withheld('The call and its retries are more than the Frequency Cap', queue({ options: cap(1) })),
			])),
			...(await provoker.rows([
				['Consent is too long for the metadata', place({ options: consent({ purpose: 'a'.repeat(255) }) })],
				[
					'The metadata has a field named consent',
					place({ options: { ...consent({}), metadataJson: '{"consent": "given"}' } }),
				],
				[
					'The calls for the Frequency Cap cannot be read',
					place({ options: cap(9) }),
					{ fault: { kind: 'status', status: 200, match: { path: '/api/v1/calls' }, body: { success: true } } },
				],
				['Frequency Cap is no number', place({ options: cap(0) })],
				[
					'The calls of today cannot be counted for the limit of the credential',
					place(),
					{
						credential: { callsPerDay: 1 },
						fault: { kind: 'status', status: 500, match: { path: '/api/v1/calls' }, body: { message: 'Down.' } },
					},
				],
				['A limit of the credential is no whole number', place(), { credential: { callsPerRun: 1.5 } }],
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

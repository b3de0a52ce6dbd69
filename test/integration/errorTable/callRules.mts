import type { Case, Circumstances, Operations, Provoker } from './provoke.mts';
import type { Section } from './table.mts';

const hours = (values: object) => ({
	callingHours: { values: { hours: 'Mon 9:00-9:01', timeZone: 'fromNumber', ...values } },
});

const consent = (values: object) => ({
	consent: {
		values: { givenAt: '2026-01-01T09:00:00Z', validFor: 'unlimited', purpose: '', reference: '', ...values },
	},
});
const cap = (atMost: number) => ({ frequencyCap: { values: { atMost, days: 7 } } });

/** The answer of the service to the question for the calls before. */
const callsAre = (status: number, body: object): Circumstances => ({
	fault: { kind: 'status', status, match: { path: '/api/v1/calls' }, body },
});

export async function callRules(provoker: Provoker, { place, queue }: Operations): Promise<Section> {
	const { active } = provoker.seed.campaigns;
	/** The day after tomorrow, in UTC. */
	const later = new Date(Date.now() + 2 * 86_400_000).toUTCString().slice(0, 3);
	const phone = { phoneNumber: '+493012345678' };
	const unclear = { success: true, data: { id: active, status: 'active', start_date: '2026-01-01', timezone: 'UTC' } };
	const withheld: Case[] = [
		['The number is in Blocked Numbers', place({ options: { blockedNumbers: '+12025550111' } })],
		[
			'The call would not start within the hours',
			place({ ...phone, options: hours({ hours: `${later} 9-10`, timeZone: 'UTC' }) }),
		],
		['The country of the number has several time zones', place({ options: hours({ unclearTimeZone: 'outside' }) })],
		['The campaign may call at other times', queue({ ...phone, options: hours({ timeZone: 'UTC' }) })],
		[
			'The times of the campaign are not clear',
			queue({ ...phone, options: hours({}) }),
			{ fault: { kind: 'status', status: 200, match: { path: `/api/v1/campaigns/${active}` }, body: unclear } },
		],
		[
			"The credential's limit of calls is reached",
			place(),
			{ credential: { callsPerDay: 1 }, ...callsAre(200, { success: true, data: [{ id: 'a' }] }) },
		],
		['The person has no consent', place({ options: consent({ givenAt: '' }) })],
		['The consent is over', place({ options: consent({ givenAt: '2020-01-01T00:00:00Z', validFor: '30' }) })],
		['The call and its retries are more than the Frequency Cap', queue({ options: cap(1) })],
	];
	const failed: Case[] = [
		['Consent is too long for the metadata', place({ options: consent({ purpose: 'a'.repeat(255) }) })],
		[
			'The metadata has a field named consent',
			place({ options: { ...consent({}), metadataJson: '{"consent": "given"}' } }),
		],
		['The calls for the Frequency Cap cannot be read', place({ options: cap(9) }), callsAre(200, { success: true })],
		['Frequency Cap is no number', place({ options: cap(0) })],
		[
			'The calls of today cannot be counted for the limit of the credential',
			place(),
			{ credential: { callsPerDay: 1 }, ...callsAre(500, { message: 'Down.' }) },
		],
		['A limit of the credential is no whole number', place(), { credential: { callsPerRun: 1.5 } }],
		['An entry of Blocked Numbers is no phone number', place({ options: { blockedNumbers: '+12025550111, 12' } })],
		['Blocked Numbers is empty', place({ options: { blockedNumbers: '' } })],
		['The expression of an option gives nothing', place({ options: { blockedNumbers: '={{ undefined }}' } })],
		['The hours end before they start', place({ options: hours({ hours: 'Mon-Fri 9-5' }) })],
	];
	const reported = await Promise.all(withheld.map(async (one) => await provoker.withheld(...one)));
	return { title: 'Whom and when', rows: [...reported, ...(await provoker.rows(failed))] };
}

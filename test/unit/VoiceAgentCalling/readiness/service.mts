import type { IDataObject } from 'n8n-workflow';

import { createSharedApi } from '../../../../nodes/VoiceAgentCalling/sending/api.ts';
import type { Answer, DoubleOptions } from '../../n8n.mts';
import { runOf } from '../sending/run.mts';

/** The response with an object. */
export const has = (data: unknown): Answer => ({ body: { success: true, data } });

/** An agent that can place calls, as the API returns it. */
export const AGENT = {
	current_status: 'published',
	direction: 'outbound',
	phone_numbers: [{ current_status: 'active' }],
	description: 'You sell tea.',
};

/** A campaign of the agent `ada` that calls at any time, as the API returns it. */
export const CAMPAIGN = {
	status: 'active',
	agent_id: 'ada',
	timezone: 'Europe/Berlin',
	start_date: '2026-01-01',
	days_of_week: [1, 2, 3, 4, 5, 6, 7],
	earliest_call_time: '00:00:00',
	latest_call_time: '23:59:59',
	calls: [] as unknown[],
};

/** What a service, or a proxy before it, may answer in place of an object: nothing can be told from these. */
export const UNREADABLE: ReadonlyArray<[string, Answer]> = [
	["the 404 of a proxy's page", { status: 404, body: 'Not Found' }],
	['no data', { body: { success: true } }],
	['a list', has([])],
	['a failure', { body: { success: false, data: {} } }],
	['500', { status: 500, body: { success: false, message: 'Broken.' } }],
];

/** A run with a service that has these responses at their paths, and says of everything else that it does not exist. */
export function serviceWith(answers: Record<string, Answer>, options: DoubleOptions = {}) {
	const pathOf = (url: string) => new URL(url).pathname.replace('/api/v1/', '');
	const notFound = { status: 404, body: { success: false, message: 'Not found.' } };
	const made = runOf({ service: ({ url }) => answers[pathOf(url)] ?? notFound, ...options });
	return {
		...made,
		api: createSharedApi(made.run, () => undefined),
		/** The paths that were read. */
		read: () => made.requests.map(({ url }) => pathOf(url)),
	};
}

/** A service with the agent `ada` and her campaign `spring`, and no flows. */
export function serviceOf({ agent = {}, campaign = {} }: { agent?: IDataObject; campaign?: IDataObject }) {
	return serviceWith({
		'agents/ada': has({ ...AGENT, ...agent }),
		'agents/ada/calls': has([]),
		'campaigns/spring': has({ ...CAMPAIGN, ...campaign }),
	});
}

import type { IDataObject } from 'n8n-workflow';

import { readWhole } from '../../../../nodes/shared/client/pagination.ts';
import { refusal } from '../../../../nodes/shared/client/refusals.ts';
import type { ServiceRequest } from '../../../../nodes/shared/client/request.ts';
import { SharedReads } from '../../../../nodes/shared/client/run.ts';
import { isRecord } from '../../../../nodes/shared/lib/json.ts';
import type { Answer } from '../../n8n.mts';
import { fakeApi } from '../api.mts';

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
	['the 404 of a gateway', { status: 404, body: { message: 'no Route matched with those values' } }],
	['no data', { body: { success: true } }],
	['a list', has([])],
	['a failure', { body: { success: false, data: {} } }],
	['500', { status: 500, body: { success: false, message: 'Broken.' } }],
];

/** The responses of a service, by path; where they differ, also by status: `agents/ada/calls?status=ringing`. */
export type Answers = Record<string, Answer>;

/** What the service says of everything that it does not have. */
export const NOT_FOUND: Answer = { status: 404, body: { success: false, message: 'Not found.' } };

/** What the service says of what the token may not read. */
export const FORBIDDEN: Answer = { status: 403, body: { success: false, message: 'Forbidden.' } };

/** The interface to a service with these responses, which has nothing else. */
export function serviceWith(answers: Answers) {
	const requests: ServiceRequest[] = [];
	const reads = new SharedReads();
	const request = async (wanted: ServiceRequest) => {
		requests.push(wanted);
		const path = wanted.path.join('/');
		const answer = withId(answers[`${path}?status=${wanted.query?.status}`] ?? answers[path] ?? NOT_FOUND, path);
		if (answer instanceof Error) {
			throw answer;
		}
		const { status = 200, body = {} } = answer;
		if (status >= 400) {
			throw refusal(status, body, wanted.codes);
		}
		return body as IDataObject;
	};
	const api = fakeApi(request, {
		remember: (name, read) => reads.read(name, read),
		whole: (first, items, keep) => readWhole(request, first, { items, keep }),
	});
	return {
		api,
		requests,
		/** The paths that were read. */
		read: () => requests.map(({ path }) => path.join('/')),
	};
}

/** The response to a request for an object, with the ID that was asked for. @param path such as `agents/ada` */
export function withId(answer: Answer, path: string): Answer {
	const [, id, ...rest] = path.split('/');
	const { body } = answer instanceof Error ? { body: undefined } : answer;
	const isObject = isRecord(body) && isRecord(body.data) && body.success === true && rest.length === 0;
	return isObject ? { ...answer, body: { ...body, data: { id, ...(body.data as object) } } } : answer;
}

/** A service with the agent `ada` and her campaign `spring`, and no flows. */
export function serviceOf({ agent = {}, campaign = {} }: { agent?: IDataObject; campaign?: IDataObject }) {
	return serviceWith({
		'agents/ada': has({ ...AGENT, ...agent }),
		'agents/ada/calls': has([]),
		'campaigns/spring': has({ ...CAMPAIGN, ...campaign }),
	});
}

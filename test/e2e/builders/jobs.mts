import { setTimeout as pause } from 'node:timers/promises';
import { DateTime } from 'luxon';

import { waitFor } from '../../../scripts/lib/waiting.mts';
import type { World } from './world.mts';

/** Judges one job: creates nothing, starts the workflow and looks at what came of it. @returns what has to be true */
type Judge = (world: World, id: string) => Promise<Record<string, unknown>>;

const same = (one: unknown[], other: unknown[]) => JSON.stringify(one) === JSON.stringify(other);
const numbers = (...lastDigits: string[]) => lastDigits.map((digits) => `+1202555${digits}`);
const text = (value: unknown) => JSON.stringify(value) ?? '';
const day = (offset = 0) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const count = (list: string, word: string) => list.split(word).length - 1;

/** The requests for a call that the service does not have. */
const unknownRoutes = async (world: World) =>
	(await world.received()).filter(({ status, path }) => status === 404 && path.includes('/calls/')).length;

/** Delivers an event, and waits until what it starts is over. */
async function tell(world: World, id: string, event: string, data: object, executions = 1): Promise<void> {
	await world.event(event, data);
	await pause(1500);
	await world.settled(id, executions);
}

export const judges: Record<string, Judge> = {
	async 'one-call-now'(world, id) {
		const { status, last } = await world.byHand(id);
		const calls = await world.calls();
		return {
			'the run succeeds': status === 'success',
			'one call, to the number': same(await world.whats(), ['call +12025550142']),
			'the name and the bicycle are told': /Maria/.test(text(calls)) && /bicycle/.test(text(calls)),
			'the last node shows the ID': /[0-9a-f]{8}-[0-9a-f]{4}/.test(text(last)),
		};
	},
	async 'form-lead-call-once'(world, id) {
		const submit = async (phone: string) => await world.submit(id, { name: 'Ana', phone, need: 'a new boiler' });
		await submit('+12025550115');
		const [calls, rows] = [await world.calls(), await world.rows('leads_called')];
		const again = await submit('(202) 555-0115');
		await submit('+12025550115');
		const second = [(await world.called()).length, (await world.rows('leads_called')).length];
		await submit('+12025550116');
		return {
			'the first submission calls once, with what was answered':
				calls.length === 1 && /Ana/.test(text(calls)) && /boiler/.test(text(calls)),
			'and writes one row': rows.length === 1 && /[0-9a-f]{8}-/.test(text(rows)),
			'nobody is called twice, however the number is written': same(second, [1, 1]),
			'and the last page says so': /already/i.test(again.text) || again.status !== 'error',
			'another number gets its call': same(await world.called(), numbers('0115', '0116')),
		};
	},
	async 'list-one-after-another'(world, id) {
		const run = await world.byHand(id, 90);
		const wanted = numbers('0101', '0102', '0103', '0104');
		const calls: Array<Record<string, string>> = await world.service('GET', '/_sandbox/calls');
		const ours = calls
			.filter(({ to }) => wanted.includes(to!))
			.map(({ created_at, duration }) => ({ start: Date.parse(created_at!), ms: Number(duration) * 1000 }));
		const overlap = ours.some((one) =>
			ours.some((two) => one !== two && one.start <= two.start && one.start + one.ms > two.start),
		);
		const list = text(run.last);
		return {
			'the run succeeds': run.status === 'success',
			'each is called once, in the order': same(await world.called(), wanted),
			'no call starts while another one lasts': !overlap,
			'one list of four, with outcomes': count(list, 'completed') >= 4,
			'with names and numbers that belong together': /Ana[^{}]*0101|0101[^{}]*Ana/.test(list),
		};
	},
	async 'list-no-duplicates'(world, id) {
		await world.byHand(id);
		const first = (await world.called()).sort();
		const again = await world.byHand(id);
		const after = [(await world.calls()).length, (await world.rows('already_called')).length];
		return {
			'four people are called once': same(first, numbers('0111', '0112', '0113', '0114')),
			'and remembered: nobody in the second run': same(after, [4, 4]),
			'which is no error': again.status === 'success',
		};
	},
	async 'branch-on-outcome'(world, id) {
		const run = await world.byHand(id, 90);
		const steps = new Set(run.all.map(({ next_step }) => next_step).filter(Boolean));
		return {
			'the run succeeds': run.status === 'success',
			'one call': same(await world.called(), numbers('0120')),
			'the next step fits, and only one branch runs': same([...steps], ['send documents']),
		};
	},
	async 'wait-but-never-redial'(world, id) {
		const match = { method: 'POST', path: '/call' };
		await world.service('POST', '/_sandbox/faults', { match, kind: 'drop-after', times: 1 });
		await world.byHand(id, 90);
		const rows = await world.rows('call_results');
		return {
			'the number is dialed once, though no answer came': (await world.calls()).length === 1,
			'one row, that says unknown, or what became of it': rows.length === 1 && /unknown|completed/.test(text(rows)),
		};
	},
	async 'queue-three-with-variables'(world, id) {
		const run = await world.byHand(id);
		const calls = await world.calls();
		const of = (digits: string) => text(calls.filter(({ to }) => to.endsWith(digits)));
		const queued = numbers('0131', '0133', '0135').map((to) => `queue ${to}`);
		return {
			'the run does not fail': run.status !== 'error',
			'three calls are queued': same((await world.whats()).sort(), queued),
			'each with its own name': /Lena/.test(of('0131')) && /Aiko/.test(of('0135')),
			'and its own date': /2024-09-12|Sep\w* 12/.test(of('0131')) && /2025-01-20|Jan\w* 20/.test(of('0135')),
			'nothing else is changed': await world.nothingChanged(),
		};
	},
	async 'queue-max-50-no-optouts'(world, id) {
		const patients = (length: number, from: number, more: object) =>
			Array.from({ length }, (_none, index) => ({
				name: 'P',
				phone: `+1202555${2000 + from + index}`,
				last_visit: day(-300),
				opted_out: false,
				...more,
			}));
		const others = [...patients(5, 100, { opted_out: true }), ...patients(5, 200, { last_visit: day(-20) })];
		await world.addRows('patients', [...patients(60, 0, {}), ...others]);
		await world.run(id);
		const first = await world.called();
		await world.run(id);
		const all = await world.called();
		const marked = (await world.rows('patients')).filter(({ queued_on }) => queued_on).map(({ phone }) => phone);
		return {
			'fifty are queued, and no more on the same day': first.length === 50 && all.length === 50,
			'none of those who must not be called': all.every((to) => Number(to.slice(-4)) < 2100),
			'exactly these are marked': same(marked.sort(), [...all].sort()),
		};
	},
	async 'queue-for-local-time'(world, id) {
		const run = await world.byHand(id, 12).catch(() => undefined);
		const nodes = text(await world.nodes(id));
		return {
			'nothing is queued at once': await world.nobodyCalled(),
			'it waits for the moment': run?.status === 'waiting' || /scheduleTrigger/.test(nodes),
			'in the time zone of Berlin': /Europe\/Berlin|\+01:00|09:30:00(\.000)?Z/.test(nodes + (run?.text ?? '')),
		};
	},
	async 'log-finished-calls'(world, id) {
		await world.publish(id);
		const call = { call_id: 'c-1', to: '+12025550144', status: 'completed', outcome: 'completed', duration: 61 };
		const transcript = [{ role: 'agent', content: 'Good morning' }];
		await world.event('campaign_call.completed', { id: 'e-1', ...call });
		await world.event('event_call_transcript', { id: 'e-2', ...call, transcript });
		await world.settled(id, 2);
		await world.event('campaign_call.completed', { id: 'e-1', ...call });
		await world.event('campaign_call.failed', { id: 'e-3', ...call, call_id: 'c-2' });
		await pause(4000);
		await world.settled(id, 1);
		const [row = {}, ...others] = (await world.rows('call_log')).filter(({ call_id }) => call_id);
		return {
			'one row for the call, and none for one that failed': others.length === 0 && row.call_id === 'c-1',
			'with number, outcome and length': same([row.phone, Number(row.length)], ['+12025550144', 61]),
			'and an end time': /completed/.test(row.outcome) && Boolean(row.end_time),
			'and the transcript': /Good morning/.test(row.transcript ?? ''),
			'nobody is called': await world.nobodyCalled(),
		};
	},
	async 'count-no-answers'(world, id) {
		await world.publish(id);
		const failed = { to: '+12025550145', status: 'failed', duration: 0 };
		const tries: unknown[] = [];
		for (const [index, reason] of ['no-answer', 'busy', 'no-answer'].entries()) {
			const data = { id: `e-${index}`, ...failed, call_id: `c-${index}`, reason };
			await tell(world, id, 'campaign_call.failed', data, index + 1);
			const rows = await world.rows('to_reach');
			tries.push([rows.length, rows[0]?.tries, rows[0]?.status === 'give up']);
		}
		await world.event('campaign_call.completed', { id: 'e-9', ...failed, call_id: 'c-9', status: 'completed' });
		await pause(1500);
		const wanted = [1, 2, 3].map((number) => [1, number, number === 3]);
		return {
			'one, two, three, and then give up': same(tries, wanted),
			'a completed call changes nothing': (await world.rows('to_reach'))[0]?.tries === 3,
			'nobody is called': await world.nobodyCalled(),
		};
	},
	async 'campaign-done-report'(world, id) {
		await world.publish(id);
		await tell(world, id, 'campaign.completed', { id: 'e-1' });
		const [row = {}, ...others] = await world.rows('campaign_reports');
		return {
			'one row, with the campaign': others.length === 0 && row.campaign_name === 'Spring check-up',
			'and a share that is a number': [0, null].includes(row.reached_percent),
			'nothing is called or changed': (await world.nobodyCalled()) && (await world.nothingChanged()),
		};
	},
	async 'book-first-afternoon-slot'(world, id) {
		const wanted = await world.submit(id, { name: 'Eva Lund', phone: '+12025550146', day: day(5) });
		const requests = await world.received();
		const booked = requests.filter(({ method, path }) => method === 'POST' && /\/calendars\/[^/]+\/events$/.test(path));
		return {
			'the run does not fail': wanted.status !== 'error',
			'the slots are asked for': requests.some(({ path }) => path.endsWith('/availability')),
			'at most one booking': booked.length <= 1,
			'with the name, or the sentence':
				booked.length === 1 ? /Eva Lund/.test(text(booked)) : /nothing free/i.test(wanted.text),
			'no phone call': await world.nobodyCalled(),
		};
	},
	async 'remind-tomorrows-bookings'(world, id) {
		const run = await world.run(id);
		const first = (await world.calls()).length;
		await world.run(id);
		return {
			'the run succeeds': run.status === 'success',
			'the bookings are read': (await world.received()).some(({ path }) => /\/calendars\/[^/]+\/events$/.test(path)),
			'the second run calls nobody again': (await world.calls()).length === first,
			'nothing is changed': await world.nothingChanged(),
		};
	},
	async 'check-agent-then-call'(world, id) {
		await world.byHand(id);
		const ready = await world.called();
		await world.service('POST', `/api/v1/agents/${world.parts.agentId}/unpublish`);
		const stopped = await world.byHand(id);
		return {
			'a ready agent calls once': same(ready, numbers('0150')),
			'one that is not ready calls nobody': (await world.called()).length === 1,
			'and the run says what is wrong': /publish|draft/i.test(stopped.text),
		};
	},
	async 'dry-run-nobody-rings'(world, id) {
		const run = await world.byHand(id);
		const list = text(run.last);
		return {
			'the run succeeds': run.status === 'success',
			'nobody is called, and nothing changed': (await world.nobodyCalled()) && (await world.nothingChanged()),
			'five people': run.last.length === 5 || ['Ana', 'Ben', 'Cleo', 'Dev', 'Eve'].every((name) => list.includes(name)),
			'the number of Ben as it would be dialed': list.includes('+12025550162'),
			'reasons for the others': /INVALID|MISSING|short|no phone|not a|phone number/i.test(list),
		};
	},
	async 'business-hours-or-queue'(world, id) {
		await world.publish(id);
		const url = await world.hook(id);
		const post = async (body: object): Promise<string> => {
			const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
			const ask = async () => {
				const response = await fetch(url, { ...init, signal: AbortSignal.timeout(15_000) });
				// n8n registers the webhook a moment after publishing.
				return response.status === 404 ? undefined : await response.text();
			};
			return (await waitFor(ask, { seconds: 15 }).catch(() => undefined)) ?? 'no answer';
		};
		const answer = await post({ name: 'Ida', phone: '+12025550147' });
		const calls = await world.whats();
		const zone = { timeZone: 'America/New_York', weekday: 'short', hour: 'numeric', hour12: false } as const;
		const local = new Date().toLocaleString('en-US', zone);
		const hour = Number(/\d+/.exec(local)?.[0]);
		const open = !/Sat|Sun/.test(local) && hour >= 9 && hour < 17;
		const noPhone = await post({ name: 'Nobody' });
		return {
			'in the hours one call at once, else none': same(calls, open ? ['call +12025550147'] : []),
			'the answer says which': new RegExp(open ? 'calling' : 'queued').test(answer),
			'without a phone nobody is called': (await world.calls()).length === calls.length && noPhone !== 'no answer',
		};
	},
	async 'pause-evenings'(world, id) {
		const { campaignId } = world.parts;
		const schedules = (await world.nodes(id)).filter(({ type }) => type.endsWith('.scheduleTrigger'));
		const statuses: string[] = [];
		for (const { name } of schedules) {
			await world.run(id, { triggerNodeName: name });
			statuses.push((await world.service('GET', `/api/v1/campaigns/${campaignId}`)).data.status);
		}
		const repeated = await world.run(id, schedules[1] ? { triggerNodeName: schedules[1].name } : {});
		const changes = (await world.received()).filter(({ method }) => method !== 'GET');
		return {
			'both times': /18/.test(text(schedules)) && /9/.test(text(schedules)),
			'paused and active': schedules.length === 2 ? same(statuses.sort(), ['active', 'paused']) : statuses.length > 0,
			'the same again is no failure': repeated.status === 'success',
			'no other campaign': changes.every(({ path }) => path.includes(campaignId)),
		};
	},
	async 'yesterdays-transcripts'(world, id) {
		const listed: Array<Record<string, string>> = await world.service('GET', '/_sandbox/calls');
		// Yesterday in n8n's time zone, which is that of New York unless somebody sets another; in UTC it has the same date.
		const yesterday = DateTime.now().setZone('America/New_York').minus({ days: 1 }).toISODate();
		const { id: call_id, to } = listed.find(
			({ created_at: at = '', status }) => at > `${yesterday}T06` && at < `${yesterday}T23` && status === 'completed',
		) as Record<string, string>;
		await world.publish(id);
		const transcript = [{ role: 'user', content: 'Please CANCEL it' }];
		const data = { id: 'e-1', call_id, to, status: 'completed', duration: 9, transcript };
		await tell(world, id, 'event_call_transcript', data);
		const run = await world.run(id, { triggerNodeName: (await world.nodeOf(id, 'scheduleTrigger'))?.name });
		const row = (await world.rows('transcripts')).find((one) => one.call_id === call_id);
		return {
			'no route that the service does not have': (await unknownRoutes(world)) === 0,
			'the scheduled run does not fail': run.status === 'success',
			'a transcript that arrived is stored': row?.mentions_cancel === true && /CANCEL/.test(row.transcript),
			'nothing is changed': (await world.nothingChanged()) && (await world.nobodyCalled()),
		};
	},
	async 'recording-by-call-id'(world, id) {
		await world.publish(id);
		const unknown = '00000000-0000-4000-8000-000000000000';
		const query = ['call_id', 'callId', 'id'].map((name) => `${name}=${unknown}`).join('&');
		const response = await fetch(`${await world.hook(id)}?${query}`, { signal: AbortSignal.timeout(15_000) });
		const body = await response.text();
		const webhooks = async () => [...(await world.webhooks('agents')), ...(await world.webhooks('campaigns'))];
		const wants = async () => (await webhooks()).some(({ events }) => events.includes('event_recording')) || undefined;
		return {
			'404 for a call without a recording': response.status === 404 && /no recording/i.test(body),
			'no route that the service does not have': (await unknownRoutes(world)) === 0,
			'recordings are kept when they arrive': await waitFor(wants, { seconds: 10 }),
		};
	},
	async 'bad-number-keeps-going'(world, id) {
		const run = await world.byHand(id);
		const [error, ...others] = await world.rows('call_errors');
		return {
			'the run does not fail': run.status === 'success',
			'two calls': same((await world.called()).sort(), numbers('0171', '0173')),
			'one row for Bob, with a reason': others.length === 0 && error?.name === 'Bob' && String(error.reason).length > 5,
		};
	},
	async 'cancel-queued-for-one-person'(world, id) {
		await world.service('POST', '/_sandbox/clock', { speed: 0 });
		for (const to of numbers('0133', '0199')) {
			await world.service('POST', `/api/v1/campaigns/${world.parts.campaignId}/call`, { to, is_testing: true });
		}
		await world.forget();
		const run = await world.byHand(id);
		const later = await world.received();
		await world.service('POST', '/_sandbox/clock', { speed: 60 });
		return {
			'no call is placed, and nothing changed': later.every(({ method }) => method === 'GET'),
			'no route that the service does not have': later.every(({ status }) => status !== 404 && status !== 405),
			'it says that none was canceled': /cannot|can't|not possible|0 cancel|no way|by hand|\b0\b/i.test(run.text),
		};
	},
	async 'ring-and-report-sub-workflow'(world, id) {
		const run = await world.byHand(id, 90);
		const calls = text(await world.calls());
		return {
			'the run succeeds': run.status === 'success',
			'two calls': same((await world.called()).sort(), numbers('0181', '0182')),
			'with name and reason': /Mia/.test(calls) && /delivery/.test(calls) && /invoice/.test(calls),
			'the outcomes come back': count(text(run.last), 'completed') >= 2,
		};
	},
	async 'log-inbound-calls'(world, id) {
		await world.addRows('customers', [{ name: 'Tom Reyes', phone: '+12025550149' }]);
		await world.publish(id);
		return {
			'nobody is called': await world.nobodyCalled(),
			'events of agents or a schedule start it': /"source":"agent"|scheduleTrigger/.test(text(await world.nodes(id))),
		};
	},
	async 'agent-with-calling-tools'(world, id) {
		const tools = (await world.nodes(id)).filter(({ type }) => type.endsWith('.voiceAgentCallingTool'));
		const operations = tools.map(({ parameters }) => `${parameters.resource}/${parameters.operation}`);
		const call = tools.find(({ parameters }) => parameters.operation === 'place')?.parameters;
		return {
			'tools for slots and calls': operations.includes('availability/getSlots') && call !== undefined,
			'the agent is fixed': text(call?.agent).includes(world.parts.agentId),
			'the number is not': String(call?.phoneNumber).startsWith('='),
			'nothing that deletes or starts campaigns': !/delete|setStatus|queueCall/i.test(operations.join(' ')),
			'no route that the service does not have': !/\/calls\/\{\{/.test(text(tools)),
			'nobody is called by building it': await world.nobodyCalled(),
		};
	},
};

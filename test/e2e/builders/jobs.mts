import { setTimeout as pause } from 'node:timers/promises';

import type { World } from './world.mts';

interface Job {
	/** The one sentence that the model got. */
	said: string;
	/** Starts the created workflow and looks at the result. @returns what has to be true */
	judge: (world: World, id: string) => Promise<Record<string, unknown>>;
}

const same = (one: unknown[], other: unknown[]) => JSON.stringify(one) === JSON.stringify(other);
const numbers = (...lastDigits: string[]) => lastDigits.map((digits) => `+1202555${digits}`);
const text = (value: unknown) => JSON.stringify(value) ?? '';
const inFiveDays = () => new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);

/** By the name of the file in `code/`. */
export const jobs: Record<string, Job> = {
	'one-call-now': {
		said: 'When I press Execute, have Odette ring +12025550142 straight away, tell her that it is Maria Keller and that it is about the bicycle she left for repair, and show me the call id.',
		async judge(world, id) {
			const { status, last } = await world.byHand(id);
			const calls = await world.calls();
			return {
				'the run succeeds': status === 'success',
				'one call, to the number': same(await world.whats(), ['call +12025550142']),
				'the name and the bicycle are told': /Maria/.test(text(calls)) && /bicycle/.test(text(calls)),
				'the last node shows the ID': /[0-9a-f]{8}-[0-9a-f]{4}/.test(text(last)),
			};
		},
	},
	'list-no-duplicates': {
		said: "Here are six rows with the columns name and phone: Ana +12025550111, Ana 202-555-0111, Ben +12025550112, Cleo +12025550113, Cleo (202) 555-0113, Dev +12025550114; Odette should call each person once and only once, also when I press Execute again this afternoon, so remember in a data table 'already_called' who was called.",
		async judge(world, id) {
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
	},
	'branch-on-outcome': {
		said: "Let Odette call +12025550120 (Priya Nair), wait until the call is over and then set 'next_step': 'send documents' if she was reached, 'try tomorrow' if it was no answer or busy, 'left message' if it was voicemail, 'check number' if the call failed.",
		async judge(world, id) {
			const run = await world.byHand(id);
			const steps = new Set(run.all.map(({ next_step }) => next_step).filter(Boolean));
			return {
				'the run succeeds': run.status === 'success',
				'one call': same(await world.called(), numbers('0120')),
				'the next step fits, and only one branch runs': same([...steps], ['send documents']),
			};
		},
	},
	'queue-three-with-variables': {
		said: 'Put these three patients into my campaign Spring check-up, Lena Vogt +12025550131 last visit 2024-09-12, Tom Reyes +12025550133 last visit 2024-11-03, Aiko Sato +12025550135 last visit 2025-01-20, so that the agent can say the first name and the date of the last visit.',
		async judge(world, id) {
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
	},
	'log-finished-calls': {
		said: "Whenever a call of Spring check-up has been completed, add a row to the data table 'call_log' with call id, phone, outcome, length, end time and the transcript, and make sure that a call never appears twice.",
		async judge(world, id) {
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
	},
	'book-first-afternoon-slot': {
		said: "Make a form with name, phone and day, look in my calendar at the calling service for the free slots of that day, book the first one that starts at 2 pm or later, and tell the person the time on the last page, or 'nothing free that afternoon' without booking anything.",
		async judge(world, id) {
			const wanted = await world.submit(id, { name: 'Eva Lund', phone: '+12025550146', day: inFiveDays() });
			const requests = await world.received();
			const booked = requests.filter(
				({ method, path }) => method === 'POST' && /\/calendars\/[^/]+\/events$/.test(path),
			);
			return {
				'the run does not fail': wanted.status !== 'error',
				'the slots are asked for': requests.some(({ path }) => path.endsWith('/availability')),
				'at most one booking': booked.length <= 1,
				'with the name, or the sentence':
					booked.length === 1 ? /Eva Lund/.test(text(booked)) : /nothing free/i.test(wanted.text),
				'no phone call': await world.nobodyCalled(),
			};
		},
	},
	'dry-run-nobody-rings': {
		said: 'I want to test my list without ringing anybody: for Ana +12025550161, Ben 202 555 0162, Cleo +1202555, Dev (no phone) and Eve +12025550165 show me for each the number as it would be dialled, the variables Odette would get, and whether it would be called or why not.',
		async judge(world, id) {
			const run = await world.byHand(id);
			const list = text(run.last);
			return {
				'the run succeeds': run.status === 'success',
				'nobody is called, and nothing changed': (await world.nobodyCalled()) && (await world.nothingChanged()),
				'five people':
					run.last.length === 5 || ['Ana', 'Ben', 'Cleo', 'Dev', 'Eve'].every((name) => list.includes(name)),
				'the number of Ben as it would be dialed': list.includes('+12025550162'),
				'reasons for the others': /INVALID|MISSING|short|no phone|not a|phone number/i.test(list),
			};
		},
	},
	'agent-with-calling-tools': {
		said: 'Make a chat where an AI agent can look up free slots, have Odette call a number and read me the transcript of a call, only numbers I typed myself may be called and only after I said yes, and leave the language model open because I will connect mine.',
		async judge(world, id) {
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
	},
};

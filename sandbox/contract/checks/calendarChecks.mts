import { type Exchange, NotTested } from '../client.mts';
import { dataIn, type Fields, idOf, isObject, momentOf, rowsOf, word } from '../read.mts';
import {
	assumption,
	inSection,
	isOk,
	isRefused,
	refusesField,
	type Session,
	shown,
	UNKNOWN_ID,
	verdict,
} from '../session.mts';
import { calendar, campaign, idIn, read } from './own.mts';

const pathOf = async (s: Session) => `/calendars/${(await calendar(s)).id}`;

/** A week far away, in which each check has a day of its own. */
const MONDAY = '2031-01-06';
const TUESDAY = '2031-01-07';
const THURSDAY = '2031-01-09';
const SATURDAY = '2031-01-11';
const SUNDAY = '2031-01-12';
const NEXT_SATURDAY = '2031-01-18';

const event = async (s: Session, more: Fields) =>
	s.ask('POST', `${await pathOf(s)}/events`, {
		title: 'Contract check',
		start_at: '2031-02-03T10:00:00Z',
		end_at: '2031-02-03T11:00:00Z',
		...more,
	});
const rule = async (s: Session, days: number[], start_time: string, end_time: string) =>
	s.ask('POST', `${await pathOf(s)}/availability-rules`, {
		type: 'recurring',
		days_of_week: days,
		start_time,
		end_time,
	});
const exception = async (s: Session, date: string, available: boolean) =>
	s.must('POST', `${await pathOf(s)}/availability-rules`, { type: 'exception', date, available });

/** The free slots of a day, as they are listed. */
async function listed(s: Session, date: string, minutes: number, from = '00:00'): Promise<Fields[]> {
	const query = { from: `${date}T${from}:00Z`, to: `${date}T23:59:59Z`, duration_minutes: String(minutes) };
	return rowsOf((await s.must('GET', `${await pathOf(s)}/availability`, undefined, { query })).body);
}

/** The times at which the free slots of a day begin, in UTC. */
async function slots(s: Session, date: string, minutes = 30, from = '00:00'): Promise<string> {
	const found = (await listed(s, date, minutes, from)).flatMap((row) =>
		Array.isArray(row.slots) ? rowsOf(row.slots) : [row],
	);
	const times = found
		.filter(({ available }) => available !== false)
		.map(({ start_at, start }) => momentOf(start_at ?? start));
	times.sort((one, other) => one - other);
	return times.map((time) => (Number.isNaN(time) ? '?' : new Date(time).toISOString().slice(11, 16))).join(' ');
}

/** The members of one's own calendar, after another one took it over. */
export const takeover = (s: Session) =>
	s.once('takeover', async () => {
		const path = `${await pathOf(s)}/members`;
		const [first] = rowsOf((await s.must('GET', path)).body);
		const added = await s.ask('POST', path, { user_id: '00000000-0000-4000-8000-00000000beef', role: 'viewer' });
		if (!isOk(added)) {
			return { added };
		}
		const twice = await s.ask('POST', path, { user_id: '00000000-0000-4000-8000-00000000beef', role: 'viewer' });
		const lower = await s.ask('PUT', `${path}/${idOf(first ?? {})}`, { role: 'viewer' });
		const removed = await s.ask('DELETE', `${path}/${idOf(first ?? {})}`);
		const changed = await s.ask('PUT', `${path}/${idIn(added)}`, { role: 'owner' });
		const after = rowsOf((await s.must('GET', path)).body);
		const before = after.find((member) => idOf(member) === idOf(first ?? {}));
		return {
			added,
			twice,
			lower,
			removed,
			changed,
			after: { before, now: after.find((member) => idOf(member) === idIn(added)) },
		};
	});

/** @throws NotTested where the service knows who its users are */
async function members(s: Session) {
	const { added, ...found } = await takeover(s);
	if (found.twice === undefined) {
		throw new NotTested(`needs a second user of the account: a made-up one was answered with ${added.status}`);
	}
	return { added, ...(found as Required<typeof found>) };
}

async function ownerChange(s: Session, roles: readonly string[]) {
	const { changed, after } = await members(s);
	const right = isOk(changed) && word(after?.now?.role) === 'owner' && roles.includes(word(after?.before?.role));
	return verdict(right, changed, `the owner before: ${shown(after?.before, 'role')}`);
}

export const calendarChecks = [
	...inSection('What the nodes assume', [
		assumption('How does a calendar change its owner?', ['write'], (s) => ownerChange(s, ['editor', 'viewer'])),
	]),
	...inSection('Calendars', [
		assumption('Status of a creation', ['write'], async (s) => {
			const answers = [(await calendar(s)).answer, await event(s, {}), await rule(s, [3], '01:00', '02:00')];
			// As for campaigns.
			const { status: wanted } = (await campaign(s)).answer;
			return verdict(
				answers.every(({ status }) => status === wanted),
				...answers,
			);
		}),
		assumption('Which moments are accepted?', ['write'], async (s) => {
			const day = await event(s, { start_at: '2031-03-01', end_at: '2031-03-01T10:00:00.25+01:00' });
			const { start_at, end_at } = day.status < 300 ? await read(s, `${await pathOf(s)}/events/${idIn(day)}`) : {};
			const right = momentOf(start_at) === Date.UTC(2031, 2, 1) && momentOf(end_at) === Date.UTC(2031, 2, 1, 9);
			return verdict(
				isOk(day) && right && /Z$/.test(String(start_at)),
				day,
				`it ends with ${JSON.stringify(String(start_at).slice(-6))}`,
			);
		}),
		assumption("Longest event title, event type, attendee's name and email address", ['write'], async (s) => {
			const answers = [await event(s, { title: 'x'.repeat(256) }), await event(s, { title: 'x'.repeat(255) })];
			return verdict(
				isRefused(answers[0]!) && isOk(answers[1]!),
				`256 characters: ${answers[0]?.status}, 255: ${answers[1]?.status}`,
			);
		}),
		assumption('More calendars than `per_page`', [], async (s) => {
			if ((await s.rows('/calendars')).length < 2) {
				throw new NotTested('needs two calendars');
			}
			const one = await s.rows('/calendars', { per_page: '1' });
			if (one.length !== 1) {
				throw new NotTested('needs a service that takes per_page');
			}
			const same = await s.rows('/calendars', { per_page: '1', page: '2' });
			return verdict(idOf(same[0] ?? {}) === idOf(one[0]!), 'a second page has another calendar');
		}),
		assumption('`metadata` in an update', ['write'], async (s) => {
			await s.must('PUT', await pathOf(s), { metadata: { two: 2 } });
			const { metadata } = await read(s, await pathOf(s));
			return verdict(
				Object.keys(metadata ?? {})
					.filter((name) => name === 'one' || name === 'two')
					.join() === 'two',
				`{one} and then {two} became ${JSON.stringify(Object.keys(metadata ?? {}))}`,
			);
		}),
		assumption('Whom may `user_id`, `owner_id` and `created_by` name?', ['write'], async (s) => {
			const { added } = await takeover(s);
			return verdict(isOk(added), added);
		}),
		assumption('How does a calendar change its owner?', ['write'], (s) => ownerChange(s, ['editor'])),
		assumption("The owner's role changed to another", ['write'], async (s) => {
			const { lower } = await members(s);
			return verdict(refusesField(lower!, 'role'), lower!);
		}),
		assumption('Removing the owner', ['write'], async (s) => {
			const { removed } = await members(s);
			return verdict(removed?.status === 409, removed!);
		}),
		assumption('Adding a member twice', ['write'], async (s) => {
			const { twice } = await members(s);
			return verdict(twice?.status === 409, twice!);
		}),
		assumption('`from` and `to` of event lists', ['write'], async (s) => {
			const id = idIn(await event(s, { start_at: '2031-04-01T10:00:00Z', end_at: '2031-04-01T11:00:00Z' }));
			const lists = async (from: string, to: string) => {
				const query = { from: `2031-04-01T${from}:00Z`, to: `2031-04-01T${to}:00Z` };
				const answer = await s.must('GET', `${await pathOf(s)}/events`, undefined, { query });
				return rowsOf(answer.body).some((row) => idOf(row) === id);
			};
			const found = [await lists('10:00', '11:00'), await lists('10:30', '12:00'), await lists('09:00', '10:30')];
			return verdict(
				JSON.stringify(found) === '[true,false,false]',
				`an event from 10 to 11 is listed for 10–11, 10:30–12, 9–10:30: ${found.join(', ')}`,
			);
		}),
		assumption('Order of event lists', ['write'], async (s) => {
			for (const hour of ['15', '09', '12']) {
				await event(s, { start_at: `2031-04-02T${hour}:00:00Z`, end_at: `2031-04-02T${hour}:30:00Z` });
			}
			const query = { from: '2031-04-02T00:00:00Z', to: '2031-04-03T00:00:00Z' };
			const rows = rowsOf((await s.must('GET', `${await pathOf(s)}/events`, undefined, { query })).body);
			const hours = rows.map(({ start_at }) => new Date(momentOf(start_at)).toISOString().slice(11, 13)).join(' ');
			return verdict(hours === '09 12 15', `hours of events created at 15, 09, 12: ${hours}`);
		}),
		assumption('Events of several calendars', [], async (s) => {
			const { id } = await s.find('/calendars', 'a calendar');
			const range = 'from=2031-01-01T00:00:00Z&to=2031-01-02T00:00:00Z';
			const answer = await s.ask('GET', `/calendars/events?calendar_ids[]=${id}&calendar_ids[]=${UNKNOWN_ID}&${range}`);
			return verdict(isRefused(answer), answer);
		}),
		assumption('`owner_id` without `owner_type`, or the other way round', ['write'], async (s) => {
			const answers = [await event(s, { owner_id: UNKNOWN_ID }), await event(s, { owner_type: 'user' })];
			return verdict(answers.every(isRefused), ...answers);
		}),
		assumption('May events overlap? May a status change to any other?', ['write'], async (s) => {
			const first = await event(s, { start_at: '2031-04-03T10:00:00Z', end_at: '2031-04-03T11:00:00Z' });
			const other = await event(s, {
				start_at: '2031-04-03T10:00:00Z',
				end_at: '2031-04-03T11:00:00Z',
				status: 'cancelled',
			});
			const answers: Exchange[] = [first, other];
			for (const status of ['tentative', 'confirmed']) {
				answers.push(await s.ask('PUT', `${await pathOf(s)}/events/${idIn(other)}`, { status }));
			}
			return verdict(answers.every(isOk), ...answers);
		}),
		assumption('`attendees` in an update', ['write'], async (s) => {
			const people = ['one', 'two'].map((name) => ({ name, email: `${name}@example.com` }));
			const id = idIn(await event(s, { attendees: people }));
			const path = `${await pathOf(s)}/events/${id}`;
			const before = rowsOf((await read(s, path)).attendees);
			await s.must('PUT', path, { attendees: [{ name: 'other', email: 'two@example.com' }] });
			const after = rowsOf((await read(s, path)).attendees);
			const known = before.find(({ email }) => email === 'two@example.com');
			return verdict(
				after.length === 1 && known !== undefined && after[0]?.id === known.id,
				`${after.length} attendees are left of 2, the known one ${after[0]?.id === known?.id ? 'keeps' : 'changes'} the ID`,
			);
		}),
		assumption('When has a calendar a provider for meetings?', ['write'], async (s) => {
			const answer = await s.ask('POST', `${await pathOf(s)}/events/${idIn(await event(s, {}))}/meeting`);
			return verdict(answer.status === 422, answer);
		}),
		assumption('Time zone of a recurring rule that names none', ['write'], async (s) => {
			const id = idIn(await rule(s, [3], '03:00', '04:00'));
			const own = (await s.must('GET', `${await pathOf(s)}/availability-rules`)).body;
			const found = rowsOf(own).find((row) => idOf(row) === id);
			return verdict(found?.timezone === 'UTC', shown(found, 'timezone'));
		}),
		assumption('May a rule end at midnight?', ['write'], async (s) => {
			const answers = [await rule(s, [3], '23:00', '24:00'), await rule(s, [3], '22:00', '23:59')];
			const ends = rowsOf((await s.must('GET', `${await pathOf(s)}/availability-rules`)).body).map(({ end_time }) =>
				String(end_time),
			);
			return verdict(
				answers.every(isOk) &&
					ends.some((end) => end.startsWith('23:59')) &&
					ends.some((end) => end.startsWith('24:00')),
				...answers,
				`shown as ${ends.slice(-2).join(' and ')}`,
			);
		}),
		assumption('May a rule change its type?', ['write'], async (s) => {
			const id = idIn(await rule(s, [3], '05:00', '06:00'));
			const answer = await s.ask('PUT', `${await pathOf(s)}/availability-rules/${id}`, {
				type: 'exception',
				date: MONDAY,
				available: true,
			});
			return verdict(isRefused(answer), answer);
		}),
		assumption("Answer to a rule's update", ['write'], async (s) => {
			const id = idIn(await rule(s, [3], '07:00', '08:00'));
			const answer = await s.must('PUT', `${await pathOf(s)}/availability-rules/${id}`, { start_time: '07:30' });
			if (answer.body === undefined) {
				throw new NotTested('needs an answer with a body');
			}
			const data = dataIn(answer.body);
			return verdict(
				idOf(data) !== undefined &&
					data.start_time === '07:30' &&
					data.end_time === '08:00' &&
					data.days_of_week === undefined,
				answer,
			);
		}),
		assumption('Which events are busy?', ['write'], async (s) => {
			await rule(s, [2], '09:00', '11:00');
			await event(s, { start_at: `${TUESDAY}T09:00:00Z`, end_at: `${TUESDAY}T09:30:00Z`, status: 'tentative' });
			await event(s, { start_at: `${TUESDAY}T10:00:00Z`, end_at: `${TUESDAY}T10:30:00Z`, status: 'cancelled' });
			const found = await slots(s, TUESDAY);
			return verdict(
				found === '09:30 10:00 10:30',
				`slots from 9 to 11 with a tentative event at 9 and a cancelled one at 10: ${found}`,
			);
		}),
		assumption('Where do slots begin?', ['write'], async (s) => {
			await rule(s, [1], '09:00', '10:30');
			const found = await slots(s, MONDAY, 30, '09:10');
			const [slot] = await listed(s, MONDAY, 30);
			const named = slot?.start_at !== undefined || Array.isArray(slot?.slots);
			return verdict(
				found === '09:30 10:00' && named,
				`slots from 9:10 on, where it opens at 9: ${found}`,
				`fields: ${Object.keys(slot ?? {}).join(', ')}`,
			);
		}),
		assumption('Rules that overlap or touch', ['write'], async (s) => {
			await rule(s, [4], '09:00', '09:45');
			await rule(s, [4], '09:30', '10:30');
			const found = await slots(s, THURSDAY);
			const query = { from: `${THURSDAY}T00:00:00Z`, to: `${THURSDAY}T12:00:00Z` };
			const { body } = await s.must('GET', `${await pathOf(s)}/availability`, undefined, { query });
			const flat =
				Array.isArray(isObject(body) ? (body.data ?? body.items) : body) &&
				!rowsOf(body).some((row) => Array.isArray(row.slots));
			return verdict(
				found === '09:00 09:30 10:00' && flat,
				`slots for the rules 9–9:45 and 9:30–10:30: ${found}`,
				flat ? '' : 'they are not in one list',
			);
		}),
		assumption('Hours of a day that an exception opens', ['write'], async (s) => {
			await exception(s, SATURDAY, true);
			const found = await slots(s, SATURDAY, 240);
			return verdict(
				found === '00:00 04:00 08:00 12:00 16:00',
				`slots of four hours before the day's last second: ${found}`,
			);
		}),
		assumption('A day both opened and blocked', ['write'], async (s) => {
			await exception(s, NEXT_SATURDAY, true);
			await exception(s, NEXT_SATURDAY, false);
			const found = await slots(s, NEXT_SATURDAY, 240);
			return verdict(found === '', `slots: ${found}`);
		}),
		assumption('Limits of `duration_minutes`', [], async (s) => {
			const { id } = await s.find('/calendars', 'a calendar');
			const statuses = await Promise.all(
				['4', '5', '1440', '1441'].map(async (duration_minutes) => {
					const query = { from: `${SUNDAY}T00:00:00Z`, to: `${SUNDAY}T12:00:00Z`, duration_minutes };
					return (await s.ask('GET', `/calendars/${id}/availability`, undefined, { query })).status;
				}),
			);
			return verdict(
				statuses.map((status) => (status < 300 ? 'ok' : status < 500 ? 'refused' : 'failed')).join() ===
					'refused,ok,ok,refused',
				`4, 5, 1440 and 1441 minutes: ${statuses.join(', ')}`,
			);
		}),
		assumption('Longest range for slots', [], async (s) => {
			const { id } = await s.find('/calendars', 'a calendar');
			const ask = (to: string) =>
				s.ask('GET', `/calendars/${id}/availability`, undefined, {
					query: { from: '2031-01-01T00:00:00Z', to: `${to}T00:00:00Z`, duration_minutes: '1440' },
				});
			const [longest, longer] = [await ask('2031-03-04'), await ask('2031-03-05')];
			return verdict(isOk(longest) && isRefused(longer), `62 days: ${longest.status}, 63 days: ${longer.status}`);
		}),
		assumption('Slots in the past', ['write'], async (s) => {
			await exception(s, '2020-01-04', true);
			const found = await slots(s, '2020-01-04', 240);
			const marked = (await listed(s, '2020-01-04', 240)).some(({ available }) => available !== undefined);
			return verdict(
				found !== '' && !marked,
				`slots: ${found || 'none'}`,
				marked ? 'they have the field available' : '',
			);
		}),
	]),
];

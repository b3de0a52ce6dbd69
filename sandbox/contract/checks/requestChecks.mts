import { type Exchange, NotTested } from '../client.mts';
import { anywhere, errorForm, type Fields, idOf, isNone, isObject, momentOf, refusedFields, rowsOf } from '../read.mts';
import {
	assumption,
	inSection,
	isOk,
	isRefused,
	refusesField,
	type Session,
	UNKNOWN_ID,
	verdict,
} from '../session.mts';
import { agent, CAMPAIGN } from './own.mts';

const INVALID = 'contract-check-invalid-token';
const LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** Which form the body of a 401 has, by path, for a token that is not valid. */
const UNAUTHORIZED: Record<string, string> = {
	'/agents': '{success, message}',
	'/calls': '{success, message}',
	'/calendars': '{success, error: {code, details, message}} INVALID_API_KEY',
	'/sip-trunks': '{error, message, status_code} UNAUTHORIZED',
	[`/agents/${UNKNOWN_ID}/webhooks`]: '{message}',
};

const unknownAgent = (s: Session) => s.once('unknown agent', () => s.ask('GET', `/agents/${UNKNOWN_ID}`));

/** A call through an agent that does not exist: its error has a code. */
export const unknownCall = (s: Session) =>
	s.once('unknown call', () => s.ask('POST', `/agents/${UNKNOWN_ID}/call`, { to: '+1202555', is_testing: true }));

/** A number in a header. @throws NotTested without one */
function count({ headers }: Exchange, name: string): number {
	const value = headers[name];
	if (value === undefined || !/^\d+$/.test(value)) {
		throw new NotTested(`needs the header ${name}`);
	}
	return Number(value);
}

/** The answers that met the rate limit. @throws NotTested if none did */
function limited({ client }: Session, path?: RegExp): Exchange[] {
	const found = client.answers.filter(({ status, path: own }) => status === 429 && (path?.test(own) ?? true));
	if (found.length === 0) {
		throw new NotTested('needs more requests than the rate limit allows: this run stays below it');
	}
	return found;
}

const moments = (rows: Fields[]) => rows.map(({ created_at }) => momentOf(created_at));
const sorted = (times: number[], sign: number) =>
	times.every((time, at) => at === 0 || sign * (time - times[at - 1]!) >= 0);

export const requestChecks = inSection('Requests and errors', [
	assumption('Which body has a 401?', [], async (s) => {
		const seen: Array<string | Exchange> = [];
		const missing = await s.ask('GET', '/agents', undefined, { token: null });
		if (errorForm(missing.body) !== '{error, message, status_code} MISSING_TOKEN') {
			seen.push(missing);
		}
		for (const [path, form] of Object.entries(UNAUTHORIZED)) {
			const answer = await s.ask('GET', path, undefined, { token: INVALID });
			if (errorForm(answer.body) !== form) {
				seen.push(answer);
			}
		}
		return verdict(seen.length === 0, ...seen);
	}),
	assumption('Order of the checks', [], async (s) => {
		const path = await s.ask('GET', '/contract-check', undefined, { token: null });
		const query = await s.ask('GET', `/agents/${UNKNOWN_ID}/calls`, undefined, { query: { date_from: 'contract' } });
		const { status } = await s.ask('GET', '/agents', undefined, { token: null });
		return verdict(
			path.status === status && path.status !== 404 && !refusedFields(query.body).has('date_from'),
			path,
			query,
		);
	}),
	assumption('Do refused requests count against the rate limit?', [], async (s) => {
		const remaining: number[] = [];
		for (const path of ['/agents', `/agents/${UNKNOWN_ID}`, '/agents']) {
			remaining.push(count(await s.ask('GET', path), 'x-ratelimit-remaining'));
		}
		const [before = 0, , after = 0] = remaining;
		if (before - after !== 1 && before - after !== 2) {
			throw new NotTested('needs an account that nothing else uses meanwhile, and a window that lasts');
		}
		return verdict(
			before - after === 2,
			`remaining requests before, at and after a refused one: ${remaining.join(', ')}`,
		);
	}),
	assumption(
		'When does a rate window begin?',
		[],
		async ({ client }) => {
			const known = client.answers.filter(
				({ headers }) =>
					LIMIT_HEADERS.every((name) => /^\d+$/.test(headers[name] ?? '')) && Number(headers[LIMIT_HEADERS[2]!]) > 1e9,
			);
			const later = known.filter(
				(answer, at) => at > 0 && answer.headers[LIMIT_HEADERS[2]!] !== known[at - 1]!.headers[LIMIT_HEADERS[2]!],
			);
			const used = later.map((answer) => count(answer, LIMIT_HEADERS[0]!) - count(answer, LIMIT_HEADERS[1]!));
			if (used.length < 2) {
				throw new NotTested('needs a run that is longer than two windows');
			}
			return verdict(
				used.every((number) => number <= 2),
				`requests counted when the reset moved: ${used.join(', ')}`,
			);
		},
		true,
	),
	assumption('Unit of `X-RateLimit-Reset`', [], async (s) => {
		const { headers, at } = await s.get('/agents');
		const reset = headers['x-ratelimit-reset'];
		if (reset === undefined) {
			throw new NotTested('needs the header X-RateLimit-Reset');
		}
		const now = (Date.parse(headers.date ?? '') || at) / 1000;
		const seconds = /^\d+$/.test(reset) ? Number(reset) - now : NaN;
		return verdict(Math.abs(seconds) < 86_400, `${JSON.stringify(reset)} at ${Math.round(now)} s since 1970`);
	}),
	assumption(
		'Is there a `Retry-After` header?',
		[],
		async (s) => {
			const values = limited(s).map(({ headers }) => headers['retry-after']);
			return verdict(
				values.every((value) => value === undefined),
				`Retry-After: ${values.find((value) => value) ?? ''}`,
			);
		},
		true,
	),
	assumption('Do flat errors carry `code`?', [], async (s) => {
		const answers = [await unknownAgent(s), await s.ask('GET', `/campaigns/${UNKNOWN_ID}`)];
		const coded = answers.filter(({ body }) => isObject(body) && body.code !== undefined);
		const call = s.can('write') ? [await unknownCall(s)] : [];
		const uncoded = call.filter(
			({ body }) => (anywhere(body, 'code') ?? anywhere(body, 'error')) !== 'AGENT_NOT_FOUND',
		);
		if (call.some(({ body }) => !isObject(body))) {
			throw new NotTested('needs errors in JSON');
		}
		return verdict(coded.length === 0 && uncoded.length === 0, ...coded, ...uncoded);
	}),
	assumption('A body that is not JSON, or nested more than 512 levels deep', ['write'], async (s) => {
		const nested = await s.ask('POST', `/agents/${UNKNOWN_ID}/call`, '{"to": ');
		const flat = await s.ask('POST', '/campaigns', '{"name": ');
		return verdict(isRefused(nested) && isRefused(flat), nested, flat);
	}),
	assumption('Which bodies are read?', ['write'], async (s) => {
		const flow = JSON.stringify({ flow_config: { initial_node_id: 'end', nodes: [{ id: 'end', type: 'end' }] } });
		const asText = await s.ask('POST', `/agents/${(await agent(s)).id}/flow/validate`, flow, {
			contentType: 'text/plain',
		});
		return verdict(asText.status === 415, asText);
	}),
	assumption('A body that is JSON but no object, `null` too', ['write'], async (s) => {
		const list = await s.ask('POST', '/campaigns', '[]');
		const none = await s.ask('POST', '/campaigns', 'null');
		return verdict(refusesField(list, 'body') && refusesField(none, 'body'), list, none);
	}),
	assumption('Unknown fields, empty query values, a slash at the end of a path', [], async (s) => {
		const answer = await s.ask('GET', '/agents', undefined, { query: { status: '', contract_check: '1' } });
		return verdict(isOk(answer) && rowsOf(answer.body).length === (await s.rows('/agents')).length, answer);
	}),
	assumption('`null` in an optional field', ['write'], (s) =>
		s.limits('campaign', CAMPAIGN(s, UNKNOWN_ID), { wrong: { max_retries: null } }),
	),
	assumption(
		'Which responses have no `X-RateLimit-` headers?',
		[],
		async ({ client }) => {
			if (!client.answers.some(({ headers }) => headers[LIMIT_HEADERS[0]!] !== undefined)) {
				throw new NotTested('needs the headers X-RateLimit-…');
			}
			const without = client.answers.filter(
				({ headers }) => !LIMIT_HEADERS.every((name) => headers[name] !== undefined),
			);
			const kinds = [...new Set(without.map(({ method, status }) => `${method} ${status}`))];
			return verdict(kinds.length === 0, `without all three of them: ${kinds.slice(0, 8).join(', ')}`);
		},
		true,
	),
	assumption('A page beyond the last', [], async (s) => {
		const beyond = await s.ask('GET', '/calls', undefined, { query: { page: '99999' } });
		const huge = await s.ask('GET', '/calls', undefined, { query: { page: '9999999999999999' } });
		const { pagination } = (beyond.body ?? {}) as { pagination?: Fields };
		const empty = beyond.status === 200 && rowsOf(beyond.body).length === 0;
		const position = !isObject(pagination) || (isNone(pagination.from) && isNone(pagination.to));
		return verdict(empty && position && isRefused(huge), beyond, huge);
	}),
	assumption(
		'Which body has a 429?',
		[],
		async (s) => {
			const odd = limited(s, /^(?!\/agents\/[^/]+\/call$|\/campaigns\/[^/]+\/call$|\/calls$)/).filter(
				({ body, path, method }) =>
					method !== 'HEAD' &&
					errorForm(body) !== (/^\/sip-trunks|contract-check/.test(path) ? errorForm(body) : '{success, message}'),
			);
			return verdict(odd.length === 0, ...odd.slice(0, 3));
		},
		true,
	),
	assumption('The methods HEAD and OPTIONS', [], async (s) => {
		const head = await s.ask('HEAD', '/agents');
		const options = await s.ask('OPTIONS', '/agents');
		const unknown = await s.ask('HEAD', '/contract-check');
		return verdict(isOk(head) && options.status === 405 && unknown.status === 404, head, options, unknown);
	}),
	assumption('Order of lists', [], async (s) => {
		const calls = moments(await s.rows('/calls'));
		const agents = moments(await s.rows('/agents'));
		if (new Set(calls).size < 2 && new Set(agents).size < 2) {
			throw new NotTested('needs two calls, or two agents');
		}
		const holds = sorted(calls, -1) && sorted(agents, 1);
		const order = (times: number[]) =>
			sorted(times, 1) ? 'oldest first' : sorted(times, -1) ? 'newest first' : 'otherwise';
		return verdict(holds, `calls: ${order(calls)}; agents: ${order(agents)}`);
	}),
	assumption('`search` in a list', [], async (s) => {
		const { id, name } = await s.find(
			'/agents',
			'an agent with a name of three letters',
			(row) => String(row.name).length > 2,
		);
		const part = String(name).slice(1).toUpperCase();
		const found = rowsOf((await s.must('GET', '/agents', undefined, { query: { search: part } })).body);
		const none = rowsOf(
			(await s.must('GET', '/agents', undefined, { query: { search: 'contract check, nobody' } })).body,
		);
		const holds = found.some((row) => idOf(row) === id) && none.length === 0;
		return verdict(
			holds,
			`${found.length} agents for a part of a name in capitals, ${none.length} for a text that no name has`,
		);
	}),
	assumption('`date_from` and `date_to`', [], async (s) => {
		const { id, created_at } = await s.find('/calls', 'a call', (row) => !Number.isNaN(momentOf(row.created_at)));
		const on = async (shift: number) => {
			const date = new Date(momentOf(created_at) + shift * 86_400_000).toISOString().slice(0, 10);
			const query = { date_from: date, date_to: date };
			return rowsOf((await s.must('GET', '/calls', undefined, { query })).body).some((row) => idOf(row) === id);
		};
		const [same, before] = [await on(0), await on(-1)];
		return verdict(same && !before, `the call of a day is listed for this day: ${same}, for the day before: ${before}`);
	}),
	assumption('A filter by an `agent_id` that does not exist', [], async (s) => {
		const answer = await s.ask('GET', '/calls', undefined, { query: { agent_id: UNKNOWN_ID } });
		return verdict(answer.status === 200 && rowsOf(answer.body).length === 0, answer);
	}),
	assumption('No body where one is expected', ['write'], async (s) => {
		const answer = await s.ask('POST', '/campaigns');
		return verdict(refusesField(answer, 'name'), answer);
	}),
	assumption('A body where none is expected', ['write'], async (s) => {
		const answer = await s.ask('POST', `/agents/${(await agent(s)).id}/unpublish`, { contract: 'check' });
		return verdict(isOk(answer), answer);
	}),
	assumption('Which URLs are valid?', ['write'], async (s) => {
		const path = `/agents/${(await agent(s)).id}/webhooks`;
		const body = { name: 'URLs', events: ['event_phone_call_ended'] };
		const seen: Array<string | Exchange> = [];
		for (const webhook_url of ['contract check', 'ftp://example.com/check']) {
			const answer = await s.ask('POST', path, { ...body, webhook_url });
			if (isOk(answer)) {
				seen.push(`${webhook_url} was not refused`);
			}
		}
		const url = 'https://EXAMPLE.com:443/contract/../Check';
		const answer = await s.ask('POST', path, { ...body, webhook_url: url });
		if (!isOk(answer)) {
			seen.push(answer);
		}
		return verdict(seen.length === 0, ...seen);
	}),
]);

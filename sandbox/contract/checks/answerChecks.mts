import { type Exchange, NotTested } from '../client.mts';
import { anywhere, dataIn, errorForm, type Fields, isNone, isObject, rowsOf, word } from '../read.mts';
import { assumption, inSection, isOk, type Session, shown, UNKNOWN_ID, verdict } from '../session.mts';
import { delayed } from './agentChecks.mts';
import { takeover } from './calendarChecks.mts';
import { sftp, waiting } from './campaignChecks.mts';
import { agent, CAMPAIGN } from './own.mts';
import { unknownCall } from './requestChecks.mts';

/** The answers so far to requests of a kind. */
const answersTo = (s: Session, method: string, path: RegExp, fits: (answer: Exchange) => boolean = isOk) =>
	s.client.answers.filter((answer) => answer.method === method && path.test(answer.path) && fits(answer));

/** Confirmed if no answer is odd; otherwise with the first ones. */
const noneOdd = (odd: Exchange[]) => verdict(odd.length === 0, ...odd.slice(0, 3));

const body = ({ body: own }: Exchange): Fields => (isObject(own) ? own : {});
const anAgent = async (s: Session) => s.get(`/agents/${(await s.find('/agents', 'an agent')).id}`);
/** Makes sure that calls were placed and queued, where the run may. */
async function placed(s: Session): Promise<void> {
	await (s.can('write') ? agent(s) : undefined);
	await (s.can('call') ? delayed(s).catch(() => undefined) : undefined);
	await (s.can('activate') ? waiting(s).catch(() => undefined) : undefined);
}
const wrongQuery = (s: Session) =>
	s.once('wrong query', () => s.ask('GET', '/agents', undefined, { query: { status: 'contract' } }));

/** What is the same for all answers. */
export const answerChecks = inSection('Requests and errors', [
	assumption(
		'What is around the data of an answer?',
		[],
		async (s) => {
			await anAgent(s);
			await placed(s);
			const known = (answer: Exchange) => body(answer).success === true && body(answer).data !== undefined;
			return noneOdd([
				...answersTo(s, 'GET', /^\/(agents|campaigns|calls)(\/[\w-]+)?$/).filter(
					(answer) => answer.sent.query === undefined && !known(answer),
				),
				...answersTo(s, 'POST', /^\/agents$/).filter((answer) => body(answer).message === undefined),
				...answersTo(s, 'POST', /^\/agents\/[^/]+\/call$/).filter(
					(answer) => isNone(anywhere(dataIn(answer.body), 'to')) || dataIn(answer.body).to === undefined,
				),
				...answersTo(s, 'POST', /^\/campaigns\/[^/]+\/call$/).filter(
					(answer) => !isObject(body(answer).campaign_call) || !isObject(body(answer).campaign),
				),
			]);
		},
		true,
	),
	assumption(
		'Form of identifiers',
		[],
		async (s) => {
			await anAgent(s);
			await placed(s);
			const found = [...answersTo(s, 'GET', /^\/agents\/[\w-]+$/), ...answersTo(s, 'POST', /^\/agents\/[^/]+\/call$/)];
			return noneOdd(found.filter((answer) => typeof anywhere(answer.body, 'id') !== 'string'));
		},
		true,
	),
	assumption('Form of numbers and of yes and no', [], async (s) => {
		const data = dataIn((await anAgent(s)).body);
		const costs = (await s.rows('/voice-templates')).map((row) =>
			anywhere({ row: rowsOf(row.voices)[0] ?? row }, 'cost'),
		);
		const numbers = typeof data.conversation_speed === 'number' && typeof data.is_sandbox === 'boolean';
		const texts = costs.every((cost) => cost === undefined || typeof cost === 'string');
		return verdict(
			numbers && texts,
			shown(data, 'conversation_speed'),
			shown(data, 'is_sandbox'),
			`cost: ${JSON.stringify(costs[0])}`,
		);
	}),
	assumption('Which fields has an answer?', [], async (s) => {
		const { id } = await s.find('/campaigns', 'a campaign');
		const data = dataIn((await s.get(`/campaigns/${id}`)).body);
		// The time ranges have a row of their own.
		const answer = await s.get(`/campaigns/${id}`);
		const more = s
			.unknownFields({ ...answer, body: { success: true, data } })
			.filter((name) => !['call_time_ranges', 'success', 'message'].includes(name));
		const { days_of_week: days } = data;
		const missing = ['calls', 'files', 'agent_id', 'timezone'].filter(
			(name) => data[name] === undefined && !['calls', 'files'].includes(name),
		);
		const lists = Object.keys(data).some((name) => name === 'calls' || name === 'files');
		const whole = Array.isArray(days) && days.every((day) => /^\d$/.test(String(day)));
		return verdict(
			more.length === 0 && missing.length === 0 && lists && whole,
			`not documented: ${more.join(', ')}`,
			shown(data, 'days_of_week'),
			lists ? '' : 'no calls and files',
		);
	}),
	assumption(
		'Which status has an answer?',
		['write'],
		async (s) => {
			const { id, answer: created } = await s.made('campaign', CAMPAIGN(s, (await agent(s)).id));
			const changed = [
				await s.must('POST', `/agents/${(await agent(s)).id}/unpublish`),
				await s.must('PUT', `/campaigns/${id}`, { description: 'Changed' }),
				await s.must('DELETE', `/campaigns/${id}`),
			];
			return noneOdd([
				...(created.status === 201 ? [] : [created]),
				...answersTo(s, 'GET', /^\/(agents|campaigns)/).filter(({ status }) => status !== 200),
				...changed.filter((answer) => answer.status !== 200 || answer.body === undefined),
			]);
		},
		true,
	),
	assumption('How are statuses written?', [], async (s) => {
		const used = [...(await s.rows('/calls')), ...(await s.rows('/campaigns'))].map(({ status }) => String(status));
		const odd = used.filter(
			(status) => status !== word(status) || ['in-progress', 'dialing', 'canceled'].includes(status),
		);
		return verdict(odd.length === 0, `statuses: ${[...new Set(odd)].slice(0, 5).join(', ')}`);
	}),
	assumption('What stands for nothing?', ['write'], async (s) => {
		const data = dataIn((await agent(s)).answer.body);
		const right = data.initial_message === null && data.voice === null && Array.isArray(data.phone_numbers);
		return verdict(right, shown(data, 'voice'), shown(data, 'initial_message'), shown(data, 'phone_numbers'));
	}),
	assumption('Form of times', [], async (s) => {
		const { created_at } = dataIn((await anAgent(s)).body);
		return verdict(
			/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(created_at)),
			`created_at: ${String(created_at).replaceAll(/[1-9]/g, '0')}`,
		);
	}),
	assumption('Encoding of an answer', [], async (s) => {
		const { headers, marked } = await anAgent(s);
		const type = headers['content-type'] ?? 'missing';
		return verdict(/^application\/json\b/.test(type) && !marked, `Content-Type: ${type}, byte order mark: ${marked}`);
	}),
	assumption('Names of the rate limit headers', [], async (s) => {
		const names = Object.keys((await s.get('/agents')).headers).filter((name) => name.includes('ratelimit'));
		const wanted = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
		return verdict(
			wanted.every((name) => names.includes(name)),
			`headers: ${names.join(', ') || 'none'}`,
		);
	}),
	assumption('How many items has a page?', [], async (s) => {
		const all = (await s.rows('/agents')).length;
		if (all < 2) {
			throw new NotTested('needs two agents');
		}
		const total = Number(anywhere((await s.get('/agents')).body, 'total')) || all;
		const wanted = Math.min(total, 6);
		const [one, some] = [
			await s.rows('/agents', { per_page: '1' }),
			await s.rows('/agents', { per_page: String(wanted) }),
		];
		return verdict(
			one.length === 1 && some.length === wanted && all === Math.min(total, 20),
			`${all} of ${total} by default, ${one.length} for 1, ${some.length} for ${wanted}`,
		);
	}),
	assumption('Which variables of a query are accepted?', [], async (s) => {
		const ask = (path: string) => s.ask('GET', path, undefined, { query: { page: '1', per_page: '2' } });
		const answers = [await ask('/agents'), await ask('/phone-numbers')];
		return verdict(answers.every(isOk), ...answers);
	}),
	assumption('How does a list state its pages?', [], async (s) => {
		const [agents, calls] = [await s.get('/agents'), await s.get('/calls')];
		const states = (value: unknown) =>
			isObject(value) && ['current_page', 'per_page', 'total', 'last_page'].every((name) => value[name] !== undefined);
		const fields = (answer: Exchange) => `${answer.path}: ${Object.keys(body(answer)).join(', ')}`;
		return verdict(states(body(agents).meta) && states(body(calls).pagination), fields(agents), fields(calls));
	}),
	assumption(
		'Which status has an error?',
		[],
		async (s) => {
			const unknown = await s.ask('GET', `/agents/${UNKNOWN_ID}`);
			const token = await s.ask('GET', '/agents', undefined, { token: 'contract-check-invalid-token' });
			const query = await wrongQuery(s);
			// The agent is a draft: nobody is called.
			const state = s.can('write')
				? [await s.ask('POST', `/agents/${(await agent(s)).id}/call`, { to: 'x', is_testing: true })]
				: [];
			// Each of these conflicts may have a status of its own.
			const conflict = s.can('write')
				? [(await sftp(s)).again, (await takeover(s)).twice ?? (await sftp(s)).again]
				: [];
			return noneOdd([
				...state.filter(({ status }) => status !== 400),
				...(conflict.some(({ status }) => status === 409) ? [] : conflict),
				...(unknown.status === 404 ? [] : [unknown]),
				...(token.status === 401 ? [] : [token]),
				...(query.status === 422 ? [] : [query]),
			]);
		},
		true,
	),
	assumption('How does a 422 name its fields?', [], async (s) => {
		const answer = await wrongQuery(s);
		if (!isObject(answer.body)) {
			throw new NotTested('needs errors in JSON');
		}
		const { errors } = body(answer);
		const nested = errors ?? anywhere(answer.body, 'errors');
		return verdict(isObject(nested) && Array.isArray(nested.status), answer);
	}),
	assumption(
		'Which format has an error?',
		[],
		async (s) => {
			const unknown = await s.ask('GET', `/agents/${UNKNOWN_ID}`);
			const odd = (s.can('write') ? [await unknownCall(s)] : []).filter(
				(answer) => !/^\{error: \{(code, )?(details, )?message\}\}/.test(errorForm(answer.body)),
			);
			return noneOdd([...(errorForm(unknown.body).startsWith('{success, message') ? [] : [unknown]), ...odd]);
		},
		true,
	),
]);

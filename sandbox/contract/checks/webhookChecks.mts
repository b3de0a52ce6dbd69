import { type Exchange, NotTested } from '../client.mts';
import {
	anywhere,
	dataIn,
	errorForm,
	type Fields,
	idOf,
	isNone,
	isNumber,
	isObject,
	isTrue,
	momentOf,
	refusedFields,
	rowsOf,
	word,
} from '../read.mts';
import { type Arrival, signaturesOf } from '../receiver.mts';
import {
	assumption,
	inSection,
	isOk,
	isRefused,
	type Need,
	type Session,
	shown,
	type Verdict,
	verdict,
} from '../session.mts';
import { course, jsonOf, KIND, kindOf, SECRET } from './course.mts';
import { agent, campaign, read } from './own.mts';

const RECEIVE: readonly Need[] = ['receive'];

type Owner = 'agent' | 'campaign';
const ownerPath = async (s: Session, owner: Owner) =>
	owner === 'agent' ? `/agents/${(await agent(s)).id}/webhooks` : `/campaigns/${(await campaign(s)).id}/webhooks`;

/** Creates a webhook of one's own agent or campaign that sends to this machine. @param key its place at the receiver */
async function webhook(s: Session, owner: Owner, key: string, more: Fields = {}) {
	const list = await ownerPath(s, owner);
	const body = {
		name: `Contract ${key}`,
		webhook_url: s.deliveries.url(key),
		webhook_secret: SECRET,
		max_retries: 0,
		events: owner === 'agent' ? ['event_phone_call_ended'] : [KIND, 'campaign.started'],
		...more,
	};
	const answer = await s.must('POST', list, body);
	return { body, path: `${list}/${await idFor(s, list, answer, `Contract ${key}`)}` };
}

/** The ID in the answer to a creation, or in the list. @throws NotTested */
async function idFor(s: Session, list: string, answer: Exchange, name: string): Promise<string> {
	const listed = async () => rowsOf((await s.must('GET', list)).body).find((row) => row.name === name);
	const id = idOf(dataIn(answer.body)) ?? idOf((await listed()) ?? {});
	if (id === undefined) {
		throw new NotTested('needs the ID of a webhook');
	}
	return id;
}

/** Runs to which no delivery came in time: they wait no second time. */
const unreached = new WeakSet<Session>();

/** Waits for so many deliveries. @throws NotTested if they do not come */
async function arrived(s: Session, key: string, count = 1): Promise<Arrival[]> {
	if (unreached.has(s)) {
		throw new NotTested('no delivery came at all');
	}
	const found = await s.until(async () => (s.deliveries.of(key).length >= count ? s.deliveries.of(key) : undefined));
	if (!found) {
		if (!s.deliveries.isReached()) {
			unreached.add(s);
		}
		throw new NotTested(`${s.deliveries.of(key).length} of ${count} deliveries came`);
	}
	return found;
}

/** The log of a webhook once it has so many entries that are over, newest first. */
async function log(s: Session, path: string, count = 1): Promise<Fields[]> {
	const found = await s.until(async () => {
		const rows = rowsOf((await s.must('GET', `${path}/logs`)).body);
		return rows.length >= count &&
			rows.every(({ status }) => !['pending', 'retrying', 'will-retry'].includes(word(status)))
			? rows
			: undefined;
	});
	if (!found) {
		throw new NotTested(`needs a log with ${count} entries`);
	}
	return found;
}

/** A test event of one's own agent that arrives. */
const agentTest = (s: Session) =>
	s.once('agent test', async () => {
		const own = await webhook(s, 'agent', 'agent', {
			webhook_url: `${s.deliveries.url('agent')}?second=1&first=a%20b`,
		});
		const test = await s.ask('POST', `${own.path}/test`);
		const [delivery] = await arrived(s, 'agent');
		return { ...own, test, delivery: delivery! };
	});

/** A test event of one's own campaign that arrives: it has the fields of a call. */
const campaignTest = (s: Session) =>
	s.once('campaign test', async () => {
		const own = await webhook(s, 'campaign', 'campaign');
		await s.must('POST', `${own.path}/test`);
		const [delivery] = await arrived(s, 'campaign');
		return { ...own, delivery: delivery! };
	});

/** A test event of one's own agent whose only attempt is answered with 500. */
const failing = (s: Session) =>
	s.once('failing', async () => {
		const own = await webhook(s, 'agent', 'failing');
		s.deliveries.answer('failing', 500);
		const test = await s.ask('POST', `${own.path}/test`);
		await arrived(s, 'failing');
		return { ...own, test, entries: await log(s, own.path), after: await read(s, own.path) };
	});

/** A test event of one's own agent or campaign whose first attempt is answered with 400. */
const repeatedOf = (owner: Owner) => (s: Session) =>
	s.once(`repeated ${owner}`, async () => {
		const key = `repeated-${owner}`;
		const own = await webhook(s, owner, key, { max_retries: 1 });
		s.deliveries.answer(key, 400);
		await s.ask('POST', `${own.path}/test`);
		return { ...own, deliveries: await arrived(s, key, 2) };
	});
const repeated = repeatedOf('campaign');

/** A delivery that failed and is sent again by hand. */
const redelivered = (s: Session) =>
	s.once('redelivered', async () => {
		const { path, entries } = await failing(s);
		const failed = idOf(entries[0] ?? {});
		const answer = await s.ask('POST', `${path}/logs/${failed}/retry`);
		if (isOk(answer)) {
			await arrived(s, 'failing', 2);
		}
		return { path, answer, entries: isOk(answer) ? await log(s, path, 2) : entries };
	});

const namesOf = (value: unknown) => (isObject(value) ? Object.keys(value).join(', ') : 'no JSON object');

/** The fields that an event about a call has, wherever they stand. */
const FIELDS = 'campaign_id campaign_name agent_id agent_name to status retries duration is_testing outcome'.split(' ');
/** Those of which the nodes need the names, with other names that a service may have for them. */
const NAMED: Record<string, string[]> = {
	event: ['type', 'event_type'],
	id: ['event_id', 'uuid'],
	timestamp: ['created_at', 'occurred_at', 'time'],
	call_id: ['call_uuid', 'callId'],
	context: ['metadata'],
};

/** What the events of a call that is over tell. */
const aboutCourse = (question: string, holds: (found: Awaited<ReturnType<typeof course>>) => boolean) =>
	assumption(question, ['activate', 'receive'], async (s) => {
		const found = await course(s);
		if (!found.over) {
			throw new NotTested('needs a call whose end is told in time');
		}
		return verdict(holds(found), `events: ${found.events.join(', ')}`);
	});

/** What a delivery or its answer tells. */
const about = <Found,>(
	question: string,
	look: (s: Session) => Promise<Found>,
	judge: (found: Found, s: Session) => Verdict | Promise<Verdict>,
) => assumption(question, RECEIVE, async (s) => await judge(await look(s), s));

const signed = ({ headers, body }: Arrival) => signaturesOf({ headers, body } as Arrival, SECRET);

export const webhookChecks = [
	...inSection('What the nodes assume', [
		about('Is the body of a delivery the same at each attempt?', repeated, ({ deliveries: [one, other] }) =>
			verdict(one!.body.equals(other!.body), 'two attempts have two bodies'),
		),
		about(
			'Which log entries belong to one event, where the log shows the payload?',
			repeatedOf('agent'),
			async ({ path, deliveries: [one, other] }, s) => {
				if (!one!.body.equals(other!.body)) {
					throw new NotTested('needs two attempts with the same body');
				}
				const payloads = (await log(s, path, 2)).map(
					({ request_payload: payload }) => JSON.stringify(payload) ?? 'missing',
				);
				if (payloads.includes('missing')) {
					throw new NotTested('needs a log that shows the payload');
				}
				return verdict(payloads[0] === payloads[1], 'the entries of two attempts have not the same request_payload');
			},
		),
		about(
			'Is the URL of a webhook kept as it was written, with its query?',
			agentTest,
			async ({ path, delivery }, s) => {
				const { webhook_url } = await read(s, path);
				const kept = webhook_url === `${s.deliveries.url('agent')}?second=1&first=a%20b`;
				return verdict(
					kept && delivery.url.endsWith('?second=1&first=a%20b'),
					`shown as written: ${kept}; the delivery's query: ${delivery.url.split('?')[1] ?? 'none'}`,
				);
			},
		),
		assumption('Does an update of a webhook leave alone what it does not name?', ['write'], async (s) => {
			const list = await ownerPath(s, 'agent');
			const events = ['event_phone_call_ended', 'event_recording'];
			const body = {
				name: 'Before',
				webhook_url: 'https://example.com/contract',
				events,
				timeout: 45,
				max_retries: 1,
				enabled: false,
			};
			const path = `${list}/${await idFor(s, list, await s.must('POST', list, body), 'Before')}`;
			const update = await s.ask('PUT', path, { name: 'After' });
			const after = await read(s, path);
			const { enabled = after.is_active } = after;
			const changed = [
				...(JSON.stringify(after.events) === JSON.stringify(events) ? [] : ['events']),
				...(isNumber(after.timeout, 45) ? [] : ['timeout']),
				...(isNumber(after.max_retries, 1) ? [] : ['max_retries']),
				...(isTrue(enabled) ? ['enabled'] : []),
			];
			return verdict(isOk(update) && changed.length === 0, update, ...changed.map((name) => shown(after, name)));
		}),
		aboutCourse('Which events end a call?', ({ events }) => {
			return events.filter((event) => /^event_phone_call_(ended|did_not_connect|error)$/.test(event)).length === 1;
		}),
	]),
	...inSection('Webhooks, events and deliveries', [
		assumption('Status of a creation', ['write'], async (s) => {
			const body = { name: 'Status', webhook_url: 'https://example.com/contract' };
			const answers = [
				await s.ask('POST', await ownerPath(s, 'agent'), { ...body, events: ['event_phone_call_ended'] }),
				await s.ask('POST', await ownerPath(s, 'campaign'), { ...body, events: [KIND] }),
			];
			// As for campaigns.
			const { status: wanted } = (await campaign(s)).answer;
			return verdict(
				answers.every(({ status }) => status === wanted),
				...answers,
			);
		}),
		assumption('Error bodies', ['write'], async (s) => {
			const [ofAgent, ofCampaign] = [
				await s.ask('POST', await ownerPath(s, 'agent'), {}),
				await s.ask('POST', await ownerPath(s, 'campaign'), {}),
			];
			const right =
				errorForm(ofAgent.body) === '{message, errors}' && errorForm(ofCampaign.body) === '{success, message, errors}';
			if (!isRefused(ofAgent) || !isRefused(ofCampaign)) {
				throw new NotTested(`an empty body was answered with ${ofAgent.status} and ${ofCampaign.status}`);
			}
			return verdict(right, ofAgent, ofCampaign);
		}),
		assumption('Which addresses are accepted?', ['write'], async (s) => {
			const answers: Exchange[] = [];
			for (const webhook_url of ['http://127.0.0.1:9/contract', 'http://example.com/contract']) {
				const body = { name: 'Address', webhook_url, events: ['event_phone_call_ended'], enabled: false };
				answers.push(await s.ask('POST', await ownerPath(s, 'agent'), body));
			}
			return verdict(answers.every(isOk), ...answers);
		}),
		assumption('What does `authorization_scheme` add?', RECEIVE, async (s) => {
			const url = s.deliveries.url('bearer');
			const body = {
				name: 'Contract bearer',
				webhook_url: url,
				events: ['event_phone_call_ended'],
				authorization_scheme: 'bearer',
			};
			const list = await ownerPath(s, 'agent');
			const answer = await s.ask('POST', list, body);
			if (!isOk(answer)) {
				return verdict(false, answer);
			}
			await s.ask('POST', `${list}/${await idFor(s, list, answer, body.name)}/test`);
			const [{ headers }] = (await arrived(s, 'bearer')) as [Arrival];
			return verdict(
				headers.authorization === undefined && headers['x-api-key'] === undefined,
				'deliveries have the header Authorization',
			);
		}),
		assumption('Is the secret of a webhook shown?', ['write'], async (s) => {
			const list = await ownerPath(s, 'agent');
			const body = {
				name: 'Contract secret',
				webhook_url: 'https://example.com/contract',
				events: ['event_phone_call_ended'],
				webhook_secret: SECRET,
			};
			const answers = [await s.must('POST', list, body), await s.must('GET', list)];
			const shows = answers.some((answer) => /"\w*secret\w*":/i.test(JSON.stringify(answer.body ?? '')));
			return verdict(!shows, 'a field shows a secret, or a part of it');
		}),
		assumption('Which fields has a webhook?', ['write'], async (s) => {
			const list = await ownerPath(s, 'agent');
			const name = 'Contract fields';
			const created = await s.must('POST', list, {
				name,
				webhook_url: 'https://example.com/contract',
				events: ['event_phone_call_ended'],
			});
			const listed = await s.must('GET', list);
			const path = `${list}/${await idFor(s, list, created, name)}`;
			const toggled = await s.must('PATCH', `${path}/toggle`);
			const data = dataIn(listed.body);
			const whole = isObject(data.available_events) && Array.isArray(data.webhooks);
			const fields = ['id', 'webhook_url', 'events', 'enabled', 'timeout', 'max_retries'];
			const missing = fields.filter((field) => anywhere(created.body, field) === undefined);
			const enabled = anywhere(toggled.body, 'enabled');
			return verdict(
				whole && missing.length === 0 && (enabled !== undefined || toggled.body === undefined),
				`missing: ${missing.join(', ')}`,
				`list: ${namesOf(listed.body)} with ${namesOf(data)}`,
				toggled,
			);
		}),
		about("When is an agent webhook's `status` `error`?", failing, async ({ path, after }, s) => {
			await s.ask('POST', `${path}/test`);
			const later = await read(s, path);
			return verdict(
				word(after.status) === 'error' && word(later.status) === 'active',
				`after a failure ${shown(after, 'status')}, after a success ${shown(later, 'status')}`,
			);
		}),
		assumption('`webhook_secret: null`', RECEIVE, async (s) => {
			const { path, body } = await webhook(s, 'agent', 'secretless');
			const answer = await s.ask('PUT', path, { ...body, webhook_secret: null });
			await s.ask('POST', `${path}/test`);
			const [delivery] = await arrived(s, 'secretless');
			return verdict(isOk(answer) && signed(delivery!).length === 0, answer, `signed: ${signed(delivery!).length > 0}`);
		}),
		aboutCourse('Which move emits which event?', ({ events }) => {
			const own = events.filter((event) => /^campaign\./.test(event)).sort();
			return own.join() === 'campaign.paused,campaign.started,campaign.updated,campaign.updated';
		}),
		aboutCourse('Events of a campaign call', ({ events }) =>
			['queued', 'started'].every((kind) => events.filter((event) => event === `campaign_call.${kind}`).length === 1),
		),
		aboutCourse(
			"Per-call kinds, to an agent's webhooks for every call through it, and to a campaign's with `include_call_events`",
			({ events }) =>
				[
					'event_phone_call_started',
					'event_phone_call_connected',
					'event_conversation_started',
					'event_phone_call_ended',
				].every((kind) => events.includes(kind)),
		),
		aboutCourse('Transcript and report', ({ deliveries }) => {
			const of = (kind: string, field: string) =>
				anywhere(jsonOf(deliveries.find((one) => kindOf(one) === kind) ?? ({} as Arrival)), field);
			return (
				Array.isArray(of('event_call_transcript', 'transcript')) &&
				typeof of('event_call_report', 'summary') === 'string'
			);
		}),
		aboutCourse('When is a recording ready?', ({ deliveries }) =>
			deliveries.some(
				(one) => kindOf(one) === 'event_recording' && typeof anywhere(jsonOf(one), 'recording_url') === 'string',
			),
		),
		about('Body', campaignTest, ({ delivery }) => {
			const missing = FIELDS.filter((name) => anywhere(jsonOf(delivery), name) === undefined);
			return verdict(missing.length === 0, `missing: ${missing.join(', ')}`, `fields: ${namesOf(delivery.json)}`);
		}),
		about('How many events has a delivery?', repeated, ({ deliveries }) => {
			const lists = deliveries.filter(
				({ json }) => Array.isArray(json) || (isObject(json) && Array.isArray(json.events)),
			);
			return verdict(
				lists.length === 0 && isObject(deliveries[0]!.json),
				`${lists.length} deliveries have a list of events`,
			);
		}),
		about('Names of the fields of an event', campaignTest, ({ delivery }) => {
			const body = jsonOf(delivery);
			const others = Object.entries(NAMED).filter(
				([name, more]) =>
					anywhere(body, name) === undefined && more.some((other) => anywhere(body, other) !== undefined),
			);
			const kind = anywhere(body, 'event');
			const isWritten =
				kind === KIND || anywhere(body, 'type') !== undefined || anywhere(body, 'event_type') !== undefined;
			return verdict(
				others.length === 0 && isWritten,
				`not found: ${others.map(([name]) => name).join(', ')}`,
				`event: ${JSON.stringify(kind) ?? 'missing'}`,
				`fields: ${namesOf(delivery.json)}`,
			);
		}),
		about('Where do the fields of an event stand?', campaignTest, ({ delivery }) => {
			const body = jsonOf(delivery);
			const flat = ['campaign_id', 'to', 'agent_id'].filter((name) => body[name] === undefined);
			const { context = body.metadata } = body;
			return verdict(
				flat.length === 0 && isObject(context),
				`fields: ${namesOf(body)}`,
				isObject(body.data) ? `data: ${namesOf(body.data)}` : `context: ${typeof context}`,
			);
		}),
		about('What identifies an event?', repeated, ({ deliveries }) => {
			const ids = deliveries.map((delivery) => anywhere(jsonOf(delivery), 'id', 'event_id', 'uuid'));
			return verdict(
				typeof ids[0] === 'string' && ids[0] === ids[1],
				`the IDs of two attempts are ${ids[0] === ids[1] ? `${typeof ids[0]}` : 'different'}`,
			);
		}),
		about('Form of the time of an event', repeated, ({ deliveries }) => {
			const times = deliveries.map((delivery) =>
				anywhere(jsonOf(delivery), 'timestamp', 'created_at', 'occurred_at', 'time'),
			);
			const right = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(times[0])) && times[0] === times[1];
			return verdict(right, `two attempts: ${times.map((time) => JSON.stringify(time) ?? 'none').join(' and ')}`);
		}),
		about('Headers', campaignTest, ({ delivery: { headers } }) => {
			const missing = ['x-webhook-event', 'x-webhook-attempt'].filter((name) => headers[name] === undefined);
			return verdict(
				missing.length === 0,
				`missing: ${missing.join(', ')}`,
				`headers: ${Object.keys(headers).join(', ')}`,
			);
		}),
		about('Signature', campaignTest, ({ delivery }) => {
			const forms = signed(delivery);
			const right = forms.some(({ header, form }) => header === 'x-webhook-signature' && form === '<hex of body>');
			const seen = forms.map(({ header, form }) => `${header}: ${form}`);
			return verdict(
				right,
				...(seen.length > 0
					? seen
					: [`no header has an HMAC that is known; headers: ${Object.keys(delivery.headers).join(', ')}`]),
			);
		}),
		assumption('Template', RECEIVE, async (s) => {
			const templates = { [KIND]: { call: '{{call.id}}', kind: 'is {{event}}', retries: '{{retries}}' } };
			const { path } = await webhook(s, 'campaign', 'template', { payload_templates: templates });
			await s.must('POST', `${path}/test`);
			const [delivery] = await arrived(s, 'template');
			const [text, retries, more] = ['kind', 'retries', 'campaign_name'].map((name) =>
				anywhere(jsonOf(delivery!), name),
			);
			const filled = text === `is ${KIND}` && isNumber(retries, 0);
			return verdict(filled && more === undefined, `fields: ${namesOf(delivery!.json)}`, shown({ retries }, 'retries'));
		}),
		assumption('Retries', RECEIVE, async (s) => {
			const { deliveries } = await repeated(s);
			return verdict(deliveries.length === 2, `${deliveries.length} attempts`);
		}),
		about("The test of a campaign's webhook", campaignTest, ({ delivery }) =>
			verdict(isTrue(anywhere(jsonOf(delivery), 'test')), `fields: ${namesOf(delivery.json)}`),
		),
		assumption("The test of an agent's webhook", RECEIVE, async (s) => {
			const { path } = await webhook(s, 'agent', 'disabled', { enabled: false });
			const answer = await s.ask('POST', `${path}/test`);
			const told = anywhere(answer.body, 'status_code');
			return verdict(
				isOk(answer) && told !== undefined && s.deliveries.of('disabled').length === 1,
				answer,
				`${s.deliveries.of('disabled').length} deliveries of a disabled webhook`,
			);
		}),
		about('HTTP status of a test that failed', failing, ({ test }) =>
			verdict(isOk(test) && anywhere(test.body, 'status_code') === undefined, test),
		),
		about("The log's `status`", failing, async ({ entries }, s) => {
			const { path } = await agentTest(s);
			const [taken] = await log(s, path);
			return verdict(
				word(entries[0]?.status) === 'failed' && word(taken?.status) === 'success',
				`failed: ${shown(entries[0], 'status')}, taken: ${shown(taken, 'status')}`,
			);
		}),
		about('`delivered_at`, `response_body`', failing, ({ entries: [entry] }) =>
			verdict(
				!Number.isNaN(momentOf(entry?.delivered_at)) && entry?.response_body === 'ok',
				shown(entry, 'delivered_at'),
				shown(entry, 'response_body'),
			),
		),
		about('Which fields has an entry?', failing, async ({ entries: [ofAgent] }, s) => {
			const { path } = await campaignTest(s);
			const [ofCampaign] = await log(s, path);
			const common = ['id', 'event', 'attempt', 'status', 'http_status', 'duration_ms', 'created_at'];
			const all = [...common, 'webhook_id', 'request_payload'];
			const has = (row: unknown, names: string[]) => isObject(row) && names.every((name) => Object.hasOwn(row, name));
			const none = ['request_payload', 'response_body'].every((name) => !has(ofCampaign, [name]));
			return verdict(
				has(ofAgent, all) && has(ofCampaign, common) && none && typeof ofAgent?.request_payload === 'object',
				`agent: ${namesOf(ofAgent)}`,
				`campaign: ${namesOf(ofCampaign)}`,
			);
		}),
		about('Redelivery', redelivered, ({ answer, entries }) => {
			const attempts = entries.map(({ attempt }) => attempt).join(', ');
			return verdict(
				isOk(answer) && !isNone(anywhere(answer.body, 'log_id')) && entries.some(({ attempt }) => isNumber(attempt, 2)),
				answer,
				`attempts in the log: ${attempts}`,
			);
		}),
		about('Body of `LOG_NOT_RETRIABLE`', campaignTest, async ({ path }, s) => {
			const [entry] = await log(s, path);
			const answer: Exchange = await s.ask('POST', `${path}/logs/${idOf(entry ?? {})}/retry`);
			const right = isRefused(answer) && errorForm(answer.body) === '{success, message, code} LOG_NOT_RETRIABLE';
			return verdict(right && refusedFields(answer.body).size === 0, answer);
		}),
	]),
];

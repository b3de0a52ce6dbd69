import { type Answer, NotTested } from '../client.mts';
import { dataOf, errorForm, type Fields, fieldsOf, idOf, isObject, rowsOf } from '../read.mts';
import { type Delivery, signaturesOf } from '../receiver.mts';
import { inSection, isOk, type Need, type Session, shown, type Verdict, verdict } from '../session.mts';
import { agent, caller, campaign, idIn, OPEN_CAMPAIGN, read } from './own.mts';

const SECRET = 'contract-check-signing-secret';
const RECEIVE: readonly Need[] = ['receive'];
const KIND = 'campaign_call.completed';

type Owner = 'agent' | 'campaign';
const ownerPath = async (s: Session, owner: Owner) =>
	owner === 'agent' ? `/agents/${(await agent(s)).id}/webhooks` : `/campaigns/${(await campaign(s)).id}/webhooks`;

/** Creates a webhook of one's own agent or campaign that sends to this machine. @param key its place at the receiver */
async function webhook(s: Session, owner: Owner, key: string, more: Fields = {}) {
	const list = await ownerPath(s, owner);
	const answer = await s.must('POST', list, {
		...{ name: `Contract ${key}`, webhook_url: s.deliveries.url(key), webhook_secret: SECRET, max_retries: 0 },
		...{ events: owner === 'agent' ? ['event_phone_call_ended'] : [KIND, 'campaign.started'] },
		...more,
	});
	return { answer, path: `${list}/${idIn(answer)}` };
}

/** Waits for so many deliveries. @throws NotTested if they do not come */
async function arrived(s: Session, key: string, count = 1): Promise<Delivery[]> {
	const found = await s.until(async () => (s.deliveries.of(key).length >= count ? s.deliveries.of(key) : undefined));
	if (!found) {
		throw new NotTested(`${s.deliveries.of(key).length} of ${count} deliveries came`);
	}
	return found;
}

/** The log of a webhook once it has so many entries that are over, newest first. */
async function log(s: Session, path: string, count = 1): Promise<Fields[]> {
	const found = await s.until(async () => {
		const rows = rowsOf((await s.must('GET', `${path}/logs`)).body);
		return rows.length >= count && rows.every(({ status }) => status !== 'pending' && status !== 'retrying') ? rows : undefined;
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
			webhook_url: `${s.deliveries.url('agent')}?first=1&second=a%20b`,
			authorization_scheme: 'bearer',
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

/** A test event of one's own agent whose first attempt is answered with 400. */
const repeated = (s: Session) =>
	s.once('repeated', async () => {
		const own = await webhook(s, 'agent', 'repeated', { max_retries: 1 });
		s.deliveries.answer('repeated', 400);
		await s.ask('POST', `${own.path}/test`);
		return { ...own, deliveries: await arrived(s, 'repeated', 2) };
	});

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

const jsonOf = ({ json }: Delivery): Fields => (isObject(json) ? json : {});
const namesOf = (value: unknown) => (isObject(value) ? Object.keys(value).join(', ') : 'no JSON object');

/** The fields of a delivery, and how each has to look. */
const BODY: Record<string, (value: unknown) => boolean> = {
	event: (value) => value === KIND,
	id: (value) => typeof value === 'string',
	timestamp: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value),
	webhook_id: (value) => typeof value === 'string',
	campaign_id: (value) => typeof value === 'string',
	campaign_name: (value) => typeof value === 'string',
	agent_id: (value) => typeof value === 'string',
	call_id: (value) => typeof value === 'string',
	to: (value) => typeof value === 'string',
	status: (value) => typeof value === 'string',
	retries: Number.isInteger,
	duration: Number.isInteger,
	is_testing: (value) => typeof value === 'boolean',
	context: isObject,
};

/** What a campaign of one's own tells while its test call is placed. It rings. */
const course = (s: Session) =>
	s.once('course', async () => {
		const { id } = await s.made('campaign', OPEN_CAMPAIGN(s, (await caller(s)).id));
		const path = `/campaigns/${id}`;
		const kinds = rowsLike((await s.must('GET', `${path}/webhooks`)).body);
		const body = { name: 'Contract course', webhook_url: s.deliveries.url('course'), webhook_secret: SECRET };
		await s.must('POST', `${path}/webhooks`, { ...body, events: kinds, include_call_events: true });
		const move = async (status: string) => await s.must('PATCH', `${path}/status`, { status });
		await move('active');
		const answer = await s.must('POST', `${path}/call`, { to: s.number, is_testing: true, context: { contract: 'check' } });
		const events = () => s.deliveries.of('course').map((delivery) => String(jsonOf(delivery).event));
		const isOver = () => events().some((event) => /^campaign_call\.(completed|failed)$/.test(event));
		const over = (await s.until(async () => isOver() || undefined)) ?? false;
		await move('paused');
		await move('active');
		await move('cancelled');
		const settled = await s.until(async () => (events().includes('campaign.paused') ? true : undefined));
		// What was sent at the same moment is on its way.
		await s.client.wait(s.client.pace.lookMs * 5);
		const queued = isObject(answer.body) && isObject(answer.body.campaign_call) ? answer.body.campaign_call : {};
		return { over, settled, queued, deliveries: s.deliveries.of('course').map(jsonOf), events: events() };
	});

function rowsLike(body: unknown): string[] {
	const { available_events: kinds } = dataOf(body);
	return Array.isArray(kinds) ? kinds.map(String) : isObject(kinds) ? Object.keys(kinds) : [];
}

/** What the events of a call that is over tell. */
const aboutCourse = (question: string, holds: (found: Awaited<ReturnType<typeof course>>) => boolean) => ({
	...{ question, needs: ['activate', 'receive'] as const },
	async check(s: Session): Promise<Verdict> {
		const found = await course(s);
		if (!found.over) {
			throw new NotTested('needs a call whose end is told in time');
		}
		return verdict(holds(found), `events: ${found.events.join(', ')}`);
	},
});

/** What a delivery or its answer tells. */
const about = <Found,>(question: string, look: (s: Session) => Promise<Found>, judge: (found: Found, s: Session) => Verdict | Promise<Verdict>) => ({
	...{ question, needs: RECEIVE },
	check: async (s: Session) => await judge(await look(s), s),
});

const signed = ({ headers, body }: Delivery) => signaturesOf({ headers, body } as Delivery, SECRET);

export const webhooks = [
	...inSection('What the nodes assume', [
		about('Is the body of a delivery the same at each attempt?', repeated, ({ deliveries: [one, other] }) =>
			verdict(one!.body.equals(other!.body), 'two attempts have two bodies'),
		),
		about('Which log entries belong to one event, where the log shows the payload?', repeated, async ({ path }, s) => {
			const payloads = (await log(s, path, 2)).map(({ request_payload: payload }) => JSON.stringify(payload) ?? 'missing');
			return verdict(payloads[0] === payloads[1] && payloads[0] !== 'missing', 'the entries of two attempts have not the same request_payload');
		}),
		about('Is the URL of a webhook kept as it was written, with its query?', agentTest, ({ answer, delivery }, s) => {
			const { webhook_url } = dataOf(answer.body);
			const kept = webhook_url === `${s.deliveries.url('agent')}?first=1&second=a%20b`;
			return verdict(kept && delivery.url.endsWith('?first=1&second=a%20b'), `shown as written: ${kept}; the delivery's query: ${delivery.url.split('?')[1] ?? 'none'}`);
		}),
		{
			question: 'Does an update of a webhook leave alone what it does not name?',
			needs: ['write'],
			async check(s) {
				const list = await ownerPath(s, 'agent');
				const events = ['event_phone_call_ended', 'event_recording'];
				const body = { name: 'Before', webhook_url: 'https://example.com/contract', events, timeout: 45, max_retries: 1, enabled: false };
				const path = `${list}/${idIn(await s.must('POST', list, body))}`;
				await s.must('PUT', path, { name: 'After' });
				const after = await read(s, path);
				const changed = ['events', 'timeout', 'max_retries', 'enabled'].filter((name) => JSON.stringify(after[name]) !== JSON.stringify(body[name as 'events']));
				return verdict(changed.length === 0, ...changed.map((name) => shown(after, name)));
			},
		},
		aboutCourse('Which events end a call?', ({ events, deliveries }) => {
			const at = deliveries.findIndex(({ event }) => event === KIND || event === 'campaign_call.failed');
			return at >= 0 && events.filter((event) => /^event_phone_call_(ended|did_not_connect|error)$/.test(event)).length === 1;
		}),
	]),
	...inSection('Webhooks, events and deliveries', [
		{
			question: 'Status of a creation',
			needs: ['write'],
			async check(s) {
				const body = { name: 'Status', webhook_url: 'https://example.com/contract' };
				const answers = [
					await s.ask('POST', await ownerPath(s, 'agent'), { ...body, events: ['event_phone_call_ended'] }),
					await s.ask('POST', await ownerPath(s, 'campaign'), { ...body, events: [KIND] }),
				];
				return verdict(answers.every(({ status }) => status === 201), ...answers);
			},
		},
		{
			question: 'Error bodies',
			needs: ['write'],
			async check(s) {
				const [ofAgent, ofCampaign] = [await s.ask('POST', await ownerPath(s, 'agent'), {}), await s.ask('POST', await ownerPath(s, 'campaign'), {})];
				const right = errorForm(ofAgent.body) === '{message, errors}' && errorForm(ofCampaign.body) === '{success, message, errors}';
				return verdict(right && ofAgent.status === 422 && ofCampaign.status === 422, ofAgent, ofCampaign);
			},
		},
		{
			question: 'Which addresses are accepted?',
			needs: ['write'],
			async check(s) {
				const body = { name: 'Address', webhook_url: 'http://127.0.0.1:9/contract', events: ['event_phone_call_ended'], enabled: false };
				const answer = await s.ask('POST', await ownerPath(s, 'agent'), body);
				return verdict(isOk(answer), answer);
			},
		},
		about('What does `authorization_scheme` add?', agentTest, ({ delivery: { headers } }) =>
			verdict(headers.authorization === undefined && headers['x-api-key'] === undefined, 'deliveries of a webhook with "bearer" have the header Authorization'),
		),
		about("When is an agent webhook's `status` `error`?", failing, async ({ path, after }, s) => {
			await s.ask('POST', `${path}/test`);
			const later = await read(s, path);
			return verdict(after.status === 'error' && later.status === 'active', `after a failure ${shown(after, 'status')}, after a success ${shown(later, 'status')}`);
		}),
		{
			question: '`webhook_secret: null`',
			needs: RECEIVE,
			async check(s) {
				const { path } = await webhook(s, 'agent', 'secretless');
				const answer = await s.ask('PUT', path, { webhook_secret: null });
				await s.ask('POST', `${path}/test`);
				const [delivery] = await arrived(s, 'secretless');
				return verdict(isOk(answer) && signed(delivery!).length === 0, answer, `signed: ${signed(delivery!).length > 0}`);
			},
		},
		aboutCourse('Which move emits which event?', ({ events }) => {
			const own = events.filter((event) => /^campaign\./.test(event)).sort();
			return own.join() === 'campaign.paused,campaign.started,campaign.updated,campaign.updated';
		}),
		aboutCourse('Events of a campaign call', ({ events }) =>
			['queued', 'started'].every((kind) => events.filter((event) => event === `campaign_call.${kind}`).length === 1),
		),
		aboutCourse('Per-call kinds, to an agent\'s webhooks for every call through it, and to a campaign\'s with `include_call_events`', ({ events }) =>
			['event_phone_call_started', 'event_phone_call_connected', 'event_conversation_started', 'event_phone_call_ended'].every((kind) => events.includes(kind)),
		),
		aboutCourse('Transcript and report', ({ deliveries }) => {
			const of = (kind: string) => deliveries.find(({ event }) => event === kind);
			return Array.isArray(of('event_call_transcript')?.transcript) && typeof of('event_call_report')?.summary === 'string';
		}),
		aboutCourse('When is a recording ready?', ({ deliveries }) =>
			deliveries.some(({ event, recording_url: url }) => event === 'event_recording' && typeof url === 'string'),
		),
		about('Body', campaignTest, ({ delivery }) => {
			const body = jsonOf(delivery);
			const odd = Object.keys(BODY).filter((name) => !BODY[name]!(body[name]));
			return verdict(odd.length === 0, `missing or of another form: ${odd.join(', ')}`, `fields: ${namesOf(delivery.json)}`);
		}),
		about('Headers', campaignTest, ({ delivery: { headers } }) => {
			const missing = ['x-webhook-event', 'x-webhook-delivery', 'x-webhook-attempt'].filter((name) => headers[name] === undefined);
			return verdict(missing.length === 0, `missing: ${missing.join(', ')}`, `headers: ${Object.keys(headers).join(', ')}`);
		}),
		about('Signature', campaignTest, ({ delivery }) => {
			const forms = signed(delivery);
			const right = forms.some(({ header, form }) => header === 'x-webhook-signature' && form === '<hex of body>');
			const seen = forms.map(({ header, form }) => `${header}: ${form}`);
			return verdict(right, ...(seen.length > 0 ? seen : [`no header has an HMAC that is known; headers: ${Object.keys(delivery.headers).join(', ')}`]));
		}),
		{
			question: 'Template',
			needs: RECEIVE,
			async check(s) {
				const templates = { [KIND]: { call: '{{call.id}}', kind: 'is {{event}}', retries: '{{retries}}' } };
				const { path } = await webhook(s, 'campaign', 'template', { payload_templates: templates });
				await s.must('POST', `${path}/test`);
				const [delivery] = await arrived(s, 'template');
				const { call, kind, retries, ...more } = jsonOf(delivery!);
				const right = Object.keys(more).length === 0 && typeof call === 'string' && kind === `is ${KIND}` && typeof retries === 'number';
				return verdict(right, `fields: ${namesOf(delivery!.json)}`, shown({ retries }, 'retries'));
			},
		},
		{
			question: 'Retries',
			needs: RECEIVE,
			async check(s) {
				const { deliveries } = await repeated(s);
				return verdict(deliveries.length === 2, `${deliveries.length} attempts`);
			},
		},
		about("The test of a campaign's webhook", campaignTest, ({ delivery }) =>
			verdict(delivery.body.toString('utf8').includes('"test":true'), `fields: ${namesOf(delivery.json)}`),
		),
		{
			question: "The test of an agent's webhook",
			needs: RECEIVE,
			async check(s) {
				const { path } = await webhook(s, 'agent', 'disabled', { enabled: false });
				const answer = await s.ask('POST', `${path}/test`);
				return verdict(isOk(answer) && s.deliveries.of('disabled').length === 1, answer, `${s.deliveries.of('disabled').length} deliveries of a disabled webhook`);
			},
		},
		about('HTTP status of a test that failed', failing, ({ test }) =>
			verdict(test.status === 200 && isObject(test.body) && test.body.success === false, test),
		),
		about("The log's `status`", failing, async ({ entries }, s) => {
			const { path } = await agentTest(s);
			const [taken] = await log(s, path);
			return verdict(entries[0]?.status === 'failed' && taken?.status === 'success', `failed: ${shown(entries[0], 'status')}, taken: ${shown(taken, 'status')}`);
		}),
		about('`delivered_at`, `response_body`', failing, ({ entries: [entry] }) =>
			verdict(typeof entry?.delivered_at === 'string' && entry.response_body === 'ok', shown(entry, 'delivered_at'), shown(entry, 'response_body')),
		),
		about('Which fields has an entry?', failing, async ({ entries: [ofAgent] }, s) => {
			const { path } = await campaignTest(s);
			const [ofCampaign] = await log(s, path);
			const common = ['id', 'event', 'attempt', 'status', 'http_status', 'duration_ms', 'delivered_at', 'created_at'];
			const all = [...common, 'webhook_id', 'request_payload', 'response_body', 'response_headers', 'error'];
			const same = (row: unknown, names: string[]) => isObject(row) && Object.keys(row).sort().join() === [...names].sort().join();
			return verdict(same(ofAgent, all) && same(ofCampaign, common), `agent: ${namesOf(ofAgent)}`, `campaign: ${namesOf(ofCampaign)}`);
		}),
		about('Redelivery', redelivered, ({ answer, entries }) => {
			const attempts = entries.map(({ attempt }) => attempt).join(', ');
			return verdict(isOk(answer) && entries.length === 2 && entries[0]?.attempt === 2, answer, `attempts in the log: ${attempts}`);
		}),
		about('Body of `LOG_NOT_RETRIABLE`', agentTest, async ({ path }, s) => {
			const [entry] = await log(s, path);
			const answer: Answer = await s.ask('POST', `${path}/logs/${idOf(entry ?? {})}/retry`);
			const right = answer.status === 422 && errorForm(answer.body) === '{success, message, code} LOG_NOT_RETRIABLE';
			return verdict(right && fieldsOf(answer.body).size === 0, answer);
		}),
	]),
];
